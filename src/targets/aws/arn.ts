import type { z } from 'zod';
import { boundedString } from '../../bounds/bounded.js';
import { fieldForms } from '../form-schema.js';

/** The parts of an ARN that a target needs. */
export interface Arn {
  readonly partition: string;
  readonly service: string;
  /** Empty for services without regions (iam). */
  readonly region: string;
  /** Twelve digits. */
  readonly account: string;
  /** Everything after the account, such as `deliverystream/audit`. */
  readonly resource: string;
}

/**
 * The regions of each partition. A closed form, because the region becomes part of a host name.
 * https://docs.aws.amazon.com/general/latest/gr/rande.html and the partitions in the SDK's own endpoint rules.
 */
const regionsOf: Readonly<Record<string, RegExp>> = {
  aws: /^(?:[abd-z][a-z]|c[a-mo-z])-[a-z]{1,20}-[0-9]{1,2}$/,
  'aws-cn': /^cn-[a-z]{1,20}-[0-9]{1,2}$/,
  'aws-us-gov': /^us-gov-[a-z]{1,20}-[0-9]{1,2}$/,
  'aws-iso': /^us-iso-[a-z]{1,20}-[0-9]{1,2}$/,
  'aws-iso-b': /^us-isob-[a-z]{1,20}-[0-9]{1,2}$/,
  'aws-iso-e': /^eu-isoe-[a-z]{1,20}-[0-9]{1,2}$/,
  'aws-iso-f': /^us-isof-[a-z]{1,20}-[0-9]{1,2}$/,
  'aws-eusc': /^eusc-[a-z]{2}-[a-z]{1,20}-[0-9]{1,2}$/,
};

const arnPattern =
  /^arn:(?<partition>aws(?:-[a-z]{1,6}){0,2}):(?<service>[a-z]{1,20}):(?<region>[a-z0-9-]{0,40}):(?<account>\d{12}):(?<resource>[\x21-\x7e]{1,1200})$/;

/** Parses an ARN. Returns null for another text, or for a region of another partition. */
export function parseArn(text: string): Arn | null {
  const { partition, service, region, account, resource } = arnPattern.exec(text)?.groups ?? {};
  if (!partition || !service || region === undefined || !account || !resource) return null;
  const regions = regionsOf[partition];
  if (!regions || (region !== '' && !regions.test(region))) return null;
  return { partition, service, region, account, resource };
}

/** The form of the ARNs of one kind of resource. */
export interface ArnKind {
  readonly service: 'firehose' | 'kinesis' | 'logs' | 'iam';
  /** Whether the ARN names a region. */
  readonly regional: boolean;
  /** Matches the whole of the resource part. */
  readonly resource: RegExp;
  readonly example: string;
}

/** Parses the ARN of one kind of resource; returns null for another kind. */
export function parseArnOf(kind: ArnKind, text: string): Arn | null {
  const arn = parseArn(text);
  if (arn?.service !== kind.service || (arn.region !== '') !== kind.regional) return null;
  return kind.resource.test(arn.resource) ? arn : null;
}

/** The pattern of the ARNs of one kind of resource, for the OpenAPI document. */
function patternOf({ service, regional, resource }: ArnKind): string {
  const places = Object.entries(regionsOf).map(([partition, region]) =>
    regional ? `${partition}:${service}:${withoutAnchors(region)}` : `${partition}:${service}:`,
  );
  return `^arn:(?:${places.join('|')}):[0-9]{12}:${withoutAnchors(resource)}$`;
}

/** Without names of groups too: Python writes them in another way. */
function withoutAnchors({ source }: RegExp): string {
  return source
    .replace(/^\^/, '')
    .replace(/\$$/, '')
    .replaceAll(/\(\?<\w+>/g, '(');
}

/** Returns the schema of a field with the ARN of one kind of resource. @param title its label in a form */
export function arnSchema(kind: ArnKind, title: string, description: string): z.ZodString {
  return boundedString(2048)
    .refine((text) => parseArnOf(kind, text) !== null, {
      error: `must be an ARN such as ${kind.example}, with a region of its partition`,
    })
    .describe(description)
    .meta({ pattern: patternOf(kind), examples: [kind.example] })
    .register(fieldForms, { title });
}
