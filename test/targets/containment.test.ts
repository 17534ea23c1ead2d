import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Fault, type Sandbox, startSandbox } from '@waybill/sandbox';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { targetOf } from '../../src/targets/registry.js';
import { targetKinds, type Outcome, type TargetKind } from '../../src/targets/target.js';
import { setEnvironment } from '../support/environment.js';
import { exampleEvents } from './conformance/events.js';

const ownKey = { cloud_access_key_id: 'AKIASANDBOXUSER00001' };
const OWN_SECRET = 'sandbox-secret-access-key-0123456789abcd';
const role = { role: { role_arn: 'arn:aws:iam::123456789012:role/events' } };
const creds = { creds: { ...ownKey, cloud_secret_access_key: OWN_SECRET } };

type Auth = Readonly<Record<string, unknown>>;

/** The configuration of each kind of target. Kinds on AWS use the given credentials. */
const members: Readonly<Record<TargetKind, (auth: Auth) => Record<string, unknown>>> = {
  delivery_stream: (auth) => ({
    auth,
    delivery_stream_arn: 'arn:aws:firehose:eu-central-1:123456789012:deliverystream/audit',
  }),
  data_stream: (auth) => ({ auth, stream_arn: 'arn:aws:kinesis:eu-central-1:123456789012:stream/audit' }),
  log_group: (auth) => ({ auth, log_group_arn: 'arn:aws:logs:eu-central-1:123456789012:log-group:/audit' }),
  monitoring: () => ({ api_key: '0123456789abcdef0123456789abcdef', site: 'datadoghq.eu' }),
  log_ingestion: () => ({
    tenant_id: '11111111-2222-4333-8444-555555555555',
    client_id: 'aaaaaaaa-2222-4333-8444-555555555555',
    client_secret: 'a~client~secret',
    logs_ingestion_uri: 'https://audit-a1b2.westeurope-1.ingest.monitor.azure.com',
    data_collection_rule_id: 'dcr-0123456789abcdef0123456789abcdef',
    data_collection_stream_name: 'Custom-Audit_CL',
  }),
};
const onAws = ['delivery_stream', 'data_stream', 'log_group'] as const;

describe('a destination', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await startSandbox();
  });
  beforeEach(() => {
    sandbox.clear();
    setEnvironment(sandbox.environment);
  });
  afterEach(() => {
    vi.unstubAllEnvs();
  });
  afterAll(() => sandbox.close());

  async function send(kind: TargetKind, auth: Auth = creds): Promise<readonly Outcome[]> {
    const { environment } = sandbox;
    const target = targetOf(kind);
    const connection = target.connect(target.config.parse(members[kind](auth)), {
      destinationId: 'ed_1',
      externalId: 'external-id-of-ed_1',
      settings: {
        sendTimeoutMs: 300_000,
        monitoringEndpoint: environment['MONITORING_ENDPOINT'],
        logIngestionEndpoint: environment['LOG_INGESTION_ENDPOINT'],
        logIngestionAuthority: environment['LOG_INGESTION_AUTHORITY'],
        logIngestionCaFile: environment['LOG_INGESTION_CA_FILE'],
      },
    });
    const outcomes = await connection.send(exampleEvents(2), AbortSignal.timeout(200_000));
    await connection.close();
    return outcomes;
  }

  /** Returns the targets that were called, each once. */
  const called = () => [...new Set(sandbox.calls().map(({ target }) => target))].toSorted();

  describe('whose target responds with a redirect to an address that accepts events', () => {
    const redirects: readonly [TargetKind, Auth, NonNullable<Fault['target']>][] = [
      ...targetKinds.map((kind): [TargetKind, Auth, TargetKind] => [kind, creds, kind]),
      ...onAws.map((kind): [TargetKind, Auth, 'sts'] => [kind, role, 'sts']),
      ['log_ingestion', {}, 'entra'],
    ];
    it.each(redirects)('does not follow the redirect: $0, redirected by $2', async (kind, auth, redirecting) => {
      sandbox.script({ target: redirecting, kind: 'redirect' });
      const outcomes = await send(kind, auth);
      expect(outcomes.map((outcome) => outcome.kind)).not.toContain('delivered');
      expect(sandbox.received()).toEqual([]);
      // Every response was the redirect: no call reached the other address.
      expect(
        new Set(
          sandbox
            .calls()
            .filter(({ target }) => target === redirecting)
            .map(({ status }) => status),
        ),
      ).toEqual(new Set([307]));
    });
  });

  describe('on a host with credentials of the operator', () => {
    let folder: string;
    let metadata: Server;
    let identityRequests: string[];
    beforeEach(async () => {
      identityRequests = [];
      metadata = createServer(({ url }, response) => {
        identityRequests.push(url ?? '');
        const expiration = new Date(Date.now() + 3_600_000).toISOString();
        const identity = { AccessKeyId: 'AKIASANDBOXUSER00001', SecretAccessKey: OWN_SECRET, Token: 't' };
        response.end(JSON.stringify({ ...identity, Expiration: expiration }));
      });
      metadata.listen(0, '127.0.0.1');
      await once(metadata, 'listening');
      const address = metadata.address();
      const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
      folder = await mkdtemp(path.join(tmpdir(), 'waybill-operator-'));
      const [credentials, config, webToken] = ['credentials', 'config', 'token'].map((name) => path.join(folder, name));
      const profile = `aws_access_key_id = AKIASANDBOXUSER00001\naws_secret_access_key = ${OWN_SECRET}\n`;
      await writeFile(credentials ?? '', `[default]\n${profile}[operator]\n${profile}`);
      await writeFile(config ?? '', '[profile operator]\nregion = us-east-1\n');
      await writeFile(webToken ?? '', 'a.web.token');
      setEnvironment({
        AWS_SHARED_CREDENTIALS_FILE: credentials,
        AWS_CONFIG_FILE: config,
        AWS_WEB_IDENTITY_TOKEN_FILE: webToken,
        AWS_ROLE_ARN: 'arn:aws:iam::123456789012:role/operator',
        AWS_CONTAINER_CREDENTIALS_FULL_URI: `${url}/container`,
        AWS_EC2_METADATA_SERVICE_ENDPOINT: url,
        AWS_REGION: 'ap-south-1',
        AZURE_TENANT_ID: '99999999-2222-4333-8444-555555555555',
        AZURE_CLIENT_ID: '99999999-2222-4333-8444-555555555555',
        AZURE_CLIENT_SECRET: 'the-operators-own',
        IDENTITY_ENDPOINT: `${url}/azure`,
        IDENTITY_HEADER: 'the-operators-own',
        MSI_ENDPOINT: `${url}/azure`,
        DD_API_KEY: 'the-operators-own',
        DD_SITE: 'datadoghq.com',
      });
    });
    afterEach(async () => {
      metadata.close();
      await rm(folder, { recursive: true });
    });

    it.each(onAws)('does not use them when its own key is wrong: %s', async (kind) => {
      for (const wrong of [
        { cloud_access_key_id: 'AKIAWRONG00000000000', cloud_secret_access_key: OWN_SECRET },
        { ...ownKey, cloud_secret_access_key: 'not-the-secret' },
        { ...ownKey },
      ]) {
        const outcomes = await send(kind, { creds: wrong });
        expect(outcomes.map((outcome) => outcome.kind)).toEqual(['misconfigured', 'misconfigured']);
      }
      expect([sandbox.received(), identityRequests]).toEqual([[], []]);
      expect(called()).not.toContain('sts');
    });

    it.each(onAws)('uses them only to assume its role, and not when that is denied: %s', async (kind) => {
      const denied = { role: { role_arn: 'arn:aws:iam::123456789012:role/denied-events' } };
      expect((await send(kind, denied)).map((outcome) => outcome.kind)).toEqual(['misconfigured', 'misconfigured']);
      expect(called()).toEqual(['sts']);
      expect([sandbox.received(), identityRequests]).toEqual([[], []]);
    });

    it.each(['monitoring', 'log_ingestion'] as const)(
      'does not use them when its own secret is missing: %s',
      async (kind) => {
        const { api_key: _key, client_secret: _secret, ...rest } = members[kind]({});
        const target = targetOf(kind);
        const connection = target.connect(target.config.parse(rest), {
          destinationId: 'ed_1',
          externalId: '',
          settings: {
            sendTimeoutMs: 300_000,
            monitoringEndpoint: sandbox.url,
            logIngestionEndpoint: sandbox.tlsUrl,
          },
        });
        const outcomes = await connection.send(exampleEvents(1), AbortSignal.timeout(200_000));
        expect(outcomes).toMatchObject([{ kind: 'misconfigured' }]);
        expect([called(), identityRequests]).toEqual([[], []]);
        await connection.close();
      },
    );
  });
});
