import { datadogSites, isAws, kindOfArn, targetKinds, type TargetDraft } from './target-draft.js';
import { serviceOf, type TargetKind } from './target-kind.js';

/** A field of the configuration of a target. */
export interface TargetField {
  /** Name of the member in the API. */
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  /** Whether the API stores the value and never returns it. */
  readonly secret?: true;
  readonly optional?: true;
  /** Form of the value. The service checks more. */
  readonly form?: RegExp;
  /** Form of the values that a browser may keep, where `form` also fits a secret. */
  readonly keptForm?: RegExp;
  /** A value of that form. */
  readonly example?: string;
  /** Least characters of the value. */
  readonly least?: number;
  /** Values to choose from, with their labels. */
  readonly options?: readonly (readonly [value: string, label: string])[];
}

const guid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
/** Characters of a secret access key, as AWS makes them. */
const AWS_SECRET_LENGTH = 40;
/** Most bytes of a description in the API. */
const LONGEST_DESCRIPTION = 255;
const secretText = /^[\x21-\x7e]+$/;

const records: TargetField = {
  name: 'records',
  label: 'Records',
  hint: 'Packed records hold several events: they cost less, and consumers have to unpack them.',
  options: [
    ['one_event', 'One event in each record'],
    ['packed', 'Several events in each record'],
  ],
};

const targets: Readonly<Record<TargetKind, readonly TargetField[]>> = {
  data_stream: [
    {
      name: 'stream_arn',
      label: 'ARN of the data stream',
      hint: 'The stream must exist. The partition key is the id of the resource that changed.',
      form: /^arn:aws[a-z-]*:kinesis:[a-z0-9-]+:\d{12}:stream\/[\w.-]+$/,
      example: 'arn:aws:kinesis:us-east-1:123456789012:stream/audit-events',
    },
    records,
  ],
  delivery_stream: [
    {
      name: 'delivery_stream_arn',
      label: 'ARN of the delivery stream',
      hint: 'Its source must be direct put, without decompression of the source.',
      form: /^arn:aws[a-z-]*:firehose:[a-z0-9-]+:\d{12}:deliverystream\/[\w.-]+$/,
      example: 'arn:aws:firehose:us-east-1:123456789012:deliverystream/audit-events',
    },
    records,
  ],
  log_group: [
    {
      name: 'log_group_arn',
      label: 'ARN of the log group',
      hint: 'The group must exist. The log stream is made where it is missing.',
      form: /^arn:aws[a-z-]*:logs:[a-z0-9-]+:\d{12}:log-group:\S+$/,
      example: 'arn:aws:logs:us-east-1:123456789012:log-group:/waybill/audit-events',
    },
  ],
  monitoring: [
    {
      name: 'site',
      label: 'Datadog site',
      hint: 'As in the address of the web application.',
      options: datadogSites.map((site) => [site, site]),
    },
    {
      name: 'service',
      label: 'Service of the log entries',
      hint: 'A name that Datadog shows: waybill where it is empty.',
      optional: true,
    },
    {
      name: 'tags',
      label: 'Tags',
      hint: 'Tags of every log entry, with commas: env:production,team:audit',
      optional: true,
    },
  ],
  log_ingestion: [
    {
      name: 'logs_ingestion_uri',
      label: 'Logs ingestion address',
      hint: 'Of the data collection rule, or of its endpoint.',
      form: /^https:\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)*\.ingest\.monitor\.azure\.(?:com|us|cn)\/?$/,
      example: 'https://audit-abcd.westeurope-1.ingest.monitor.azure.com',
    },
    {
      name: 'data_collection_rule_id',
      label: 'Immutable id of the data collection rule',
      hint: 'The application needs the role Monitoring Metrics Publisher on the rule.',
      form: /^dcr-[0-9a-f]{32}$/,
      example: 'dcr-0123456789abcdef0123456789abcdef',
    },
    {
      name: 'data_collection_stream_name',
      label: 'Stream of the rule',
      hint: 'The stream that takes the events.',
      form: /^(?:Custom|Microsoft)-[\w-]+$/,
      example: 'Custom-Waybill_CL',
    },
  ],
};

const roleFields: readonly TargetField[] = [
  {
    name: 'role_arn',
    label: 'ARN of the role',
    hint: 'Waybill assumes this role to write to the target.',
    form: /^arn:aws[a-z-]*:iam::\d{12}:role\/\S+$/,
    example: 'arn:aws:iam::123456789012:role/waybill-events',
  },
];

const accessKeyFields: readonly TargetField[] = [
  {
    name: 'cloud_access_key_id',
    label: 'Access key id',
    hint: 'Of a long-term access key. Temporary ones (ASIA) soon expire.',
    form: /^(?!ASIA)\w{16,128}$/,
    keptForm: /^AKIA[A-Z0-9]{16}$/,
    example: 'AKIAIOSFODNN7EXAMPLE',
  },
  {
    name: 'cloud_secret_access_key',
    label: 'Secret access key',
    hint: 'Stored encrypted, and never shown again.',
    secret: true,
    form: secretText,
    least: AWS_SECRET_LENGTH,
  },
];

const datadogFields: readonly TargetField[] = [
  {
    name: 'api_key',
    label: 'Datadog API key',
    hint: 'Not an application key. Stored encrypted, and never shown again.',
    secret: true,
    form: secretText,
  },
];

const entraFields: readonly TargetField[] = [
  { name: 'tenant_id', label: 'Directory (tenant) id', hint: 'Of the Entra application.', form: guid },
  { name: 'client_id', label: 'Application (client) id', hint: 'Of the Entra application.', form: guid },
  {
    name: 'client_secret',
    label: 'Client secret',
    hint: 'The value of the secret, and not its id. Stored encrypted, and never shown again.',
    secret: true,
    form: secretText,
  },
];

/** Returns the fields that say where events are sent. */
export function targetFieldsOf(kind: TargetKind): readonly TargetField[] {
  return targets[kind];
}

/** Returns the fields that say how Waybill signs in. */
export function credentialFieldsOf({ kind, auth }: Pick<TargetDraft, 'kind' | 'auth'>): readonly TargetField[] {
  if (isAws(kind)) return auth === 'role' ? roleFields : accessKeyFields;
  return kind === 'monitoring' ? datadogFields : entraFields;
}

/**
 * Returns what is wrong with a value; null for a value that can be sent.
 * @param isStored whether the service has a value of this secret, which an empty one leaves as it is
 */
export function faultOf(field: TargetField, value: string, isStored = false): string | null {
  const { form, example, least = 0 } = field;
  const text = value.trim();
  if (text === '') {
    if (field.optional || field.options || (field.secret && isStored)) return null;
    return 'It is missing.';
  }
  if (text.length < least) return `It has ${text.length.toLocaleString('en')} characters, and needs ${least}.`;
  if (form === undefined || form.test(text)) return null;
  const kind = kindOfArn(text);
  if (kind !== null && example !== undefined && kindOfArn(example) !== null && kindOfArn(example) !== kind) {
    return `This is an ARN of ${serviceOf(kind)}.`;
  }
  if (/\s/.test(text)) return 'It has a space or a line break in it.';
  return example === undefined
    ? 'It does not have the form of such a value.'
    : `It needs the form of this example: ${example}`;
}

/** Returns what is wrong with a description; null for one that can be sent. */
export function descriptionFault(text: string): string | null {
  const bytes = new TextEncoder().encode(text.trim()).length;
  if (bytes <= LONGEST_DESCRIPTION) return null;
  return `It is ${bytes.toLocaleString('en')} bytes long. At most ${LONGEST_DESCRIPTION} bytes are stored.`;
}

/**
 * Returns a draft that the browser may keep. A secret may have been typed into any field: only a value whose form no
 * secret has is kept, and no text without a form.
 */
export function withoutSecrets(draft: TargetDraft): TargetDraft {
  const fields = [...targetKinds.flatMap(targetFieldsOf), ...roleFields, ...accessKeyFields, ...entraFields];
  const values = fields.flatMap((field) => {
    const value = draft.values[field.name];
    return value !== undefined && mayKeep(field, value) ? [[field.name, value] as const] : [];
  });
  return { ...draft, values: Object.fromEntries(values) };
}

/** Whether a value of the field can be no secret. */
function mayKeep({ secret, options, form, keptForm = form }: TargetField, value: string): boolean {
  if (secret) return false;
  if (options) return options.some(([one]) => one === value);
  return keptForm !== undefined && keptForm.test(value.trim());
}

/** Returns a stored value in words. A secret is never shown. */
export function shownValueOf({ name, secret, options }: TargetField, { values }: TargetDraft): string {
  if (secret) return 'stored, never shown';
  const value = values[name];
  return options?.find(([one]) => one === value)?.[1] ?? value ?? 'none';
}

/** Returns which fields are missing or not valid; `faultOf` says why. @param isStored as for `faultOf` */
export function faultsOf(fields: readonly TargetField[], draft: TargetDraft, isStored = false): readonly string[] {
  return fields.flatMap((field) => {
    const value = draft.values[field.name] ?? '';
    if (faultOf(field, value, isStored) === null) return [];
    return [`${field.label}: ${value.trim() === '' ? 'missing' : 'not valid'}`];
  });
}
