import type { EventDestinationTarget } from '@waybill/client';
import type { TargetKind } from './target-kind.js';

/** Kinds of target, in the order in which they are offered. */
export const targetKinds = ['data_stream', 'delivery_stream', 'log_group', 'monitoring', 'log_ingestion'] as const;

/** How Waybill signs in to AWS: with a role that it assumes, or with a long-term access key. */
export type AuthKind = 'role' | 'creds';

/** The configuration of a target while a person types it: every value is a text. */
export interface TargetDraft {
  readonly kind: TargetKind;
  readonly auth: AuthKind;
  /** Values by the name of the member in the API. Secrets that are stored are empty. */
  readonly values: Readonly<Record<string, string>>;
}

/** Sites of Datadog, as the API accepts them. */
export const datadogSites = [
  'datadoghq.com',
  'us3.datadoghq.com',
  'us5.datadoghq.com',
  'datadoghq.eu',
  'ap1.datadoghq.com',
  'ap2.datadoghq.com',
  'uk1.datadoghq.com',
  'ddog-gov.com',
  'us2.ddog-gov.com',
] as const;

/** Whether Waybill signs in to the target with credentials for AWS. */
export function isAws(kind: TargetKind): boolean {
  return kind === 'data_stream' || kind === 'delivery_stream' || kind === 'log_group';
}

/** Whether Waybill signs in with a role that it assumes. */
export function usesRole({ kind, auth }: Pick<TargetDraft, 'kind' | 'auth'>): boolean {
  return isAws(kind) && auth === 'role';
}

/** Returns the kind of a target. @throws Error for a target without a member, which the API never returns */
export function kindOf(target: EventDestinationTarget): TargetKind {
  const kind = targetKinds.find((one) => target[one] !== null);
  if (kind === undefined) throw new Error('The destination has no target.');
  return kind;
}

/** Returns a draft with another value. */
export function draftWith(draft: TargetDraft, name: string, value: string): TargetDraft {
  return { ...draft, values: { ...draft.values, [name]: value } };
}

/** Returns the draft of a stored target. Its secrets are empty, as the API returns none. */
export function draftOf(target: EventDestinationTarget): TargetDraft {
  const kind = kindOf(target);
  const values: Record<string, string> = {};
  let auth: AuthKind = 'role';
  for (const [name, value] of Object.entries(target[kind] ?? {})) {
    if (typeof value === 'string') values[name] = value;
  }
  const stored = authOf(target);
  if (stored?.role) values.role_arn = stored.role.role_arn;
  if (stored?.creds) {
    auth = 'creds';
    values.cloud_access_key_id = stored.creds.cloud_access_key_id;
  }
  return { kind, auth, values };
}

/** Names of the members with the ARN of the target. */
const arnNames: Readonly<Partial<Record<TargetKind, string>>> = {
  data_stream: 'stream_arn',
  delivery_stream: 'delivery_stream_arn',
  log_group: 'log_group_arn',
};

/** Returns the kind of target that an ARN is of; null for any other text. */
export function kindOfArn(text: string): TargetKind | null {
  const service = /^arn:aws[a-z-]*:([a-z]+):/.exec(text.trim())?.[1];
  const kinds = { kinesis: 'data_stream', firehose: 'delivery_stream', logs: 'log_group' } as const;
  return Object.entries(kinds).find(([name]) => name === service)?.[1] ?? null;
}

/** Returns a draft of another kind, with the ARN that was typed for the first one. */
export function draftOfKind(draft: TargetDraft, kind: TargetKind): TargetDraft {
  const from = arnNames[draft.kind];
  const to = arnNames[kind];
  if (from === undefined || to === undefined) return { ...draft, kind };
  return { ...draft, kind, values: { ...draft.values, [from]: '', [to]: targetArnOf(draft) } };
}

/** Returns the ARN of the target of a draft; empty where it has none. */
export function targetArnOf({ kind, values }: TargetDraft): string {
  const name = arnNames[kind];
  return name === undefined ? '' : (values[name] ?? '');
}

/** Returns the external id of the role of a target; null where it has no role. */
export function externalIdOf(target: EventDestinationTarget): string | null {
  return authOf(target)?.role?.external_id ?? null;
}

function authOf({ data_stream: data, delivery_stream: delivery, log_group: group }: EventDestinationTarget) {
  return (data ?? delivery ?? group)?.auth ?? null;
}

/** Returns the target of a new destination. Every field that is needed has been given. */
export function targetInputOf(draft: TargetDraft) {
  return inputOf(draft, (text) => text);
}

/** Returns the changed target of a destination. Secrets that are empty keep their values. */
export function targetChangeOf(draft: TargetDraft) {
  return inputOf(draft, (text) => (text === '' ? null : text));
}

function inputOf<Secret extends string | null>(draft: TargetDraft, secret: (text: string) => Secret) {
  const value = (name: string): string => (draft.values[name] ?? '').trim();
  const optional = (name: string): string | null => (value(name) === '' ? null : value(name));
  const records = value('records') === 'packed' ? ('packed' as const) : ('one_event' as const);
  const auth =
    draft.auth === 'role'
      ? { role: { role_arn: value('role_arn') } }
      : {
          creds: {
            cloud_access_key_id: value('cloud_access_key_id'),
            cloud_secret_access_key: secret(value('cloud_secret_access_key')),
          },
        };
  switch (draft.kind) {
    case 'data_stream':
      return { data_stream: { auth, stream_arn: value('stream_arn'), records } };
    case 'delivery_stream':
      return { delivery_stream: { auth, delivery_stream_arn: value('delivery_stream_arn'), records } };
    case 'log_group':
      return { log_group: { auth, log_group_arn: value('log_group_arn') } };
    case 'monitoring':
      return {
        monitoring: {
          api_key: secret(value('api_key')),
          tags: optional('tags'),
          service: optional('service'),
          site: datadogSites.find((site) => site === value('site')) ?? datadogSites[0],
        },
      };
    case 'log_ingestion':
      return {
        log_ingestion: {
          tenant_id: value('tenant_id'),
          client_id: value('client_id'),
          client_secret: secret(value('client_secret')),
          logs_ingestion_uri: value('logs_ingestion_uri'),
          data_collection_rule_id: value('data_collection_rule_id'),
          data_collection_stream_name: value('data_collection_stream_name'),
        },
      };
  }
}
