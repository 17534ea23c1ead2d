import type { TargetKind } from '../../../src/targets/target.js';
import { targetKinds } from '../../../src/targets/target.js';
import { demoTargets } from '../../demo/destinations.js';
import { targetAt } from '../environment/destination.js';
import { expectStatus } from '../environment/destination-status.js';
import type { FaultStage } from '../environment/fault-stage.js';
import { untilWarm } from '../environment/warm-up.js';
import { bothBackends, type Scenario } from '../scenario.js';

/** For each kind what its owner gets wrong, in a way that the vendor alone can find out (see "wrong by convention" of the sandbox). */
const wrong: Readonly<Record<TargetKind, Readonly<Record<string, unknown>>>> = {
  delivery_stream: {
    auth: { creds: { cloud_access_key_id: 'AKIAWRONG00000000001', cloud_secret_access_key: 'x'.repeat(40) } },
  },
  data_stream: { auth: { role: { role_arn: 'arn:aws:iam::123456789012:role/denied-writer' } } },
  log_group: {
    auth: { creds: { cloud_access_key_id: 'AKIASANDBOXDEMO00001', cloud_secret_access_key: 'x'.repeat(40) } },
  },
  monitoring: { api_key: 'invalid0000000000000000000000000' },
  log_ingestion: { client_secret: 'wrong-client-secret' },
};

/** The owner breaks the credentials of every destination and mends them later; then every vendor answers with a redirect. */
export const targetsMisconfigured: Scenario = {
  name: 'targets-misconfigured',
  title: 'Wrong credentials that are later repaired; redirects',
  backends: bothBackends,
  short: [],
  async run(stage) {
    const { crew, sandbox } = stage;
    await crew.start('api');
    await crew.start('worker');
    await stage.subscribe(targetKinds);
    await stage.startLoad(40);
    await untilWarm(stage);

    await change(stage, wrong);
    const broken = await expectStatus(stage, 'misconfigured');
    const codes = broken.map(({ last_error: error }) => error?.code ?? 'nothing');
    const stored = await arrived(stage);
    await stage.pass(stage.pick(5, 2));
    stage.expect((await arrived(stage)) === stored, 'nothing arrives while the credentials are wrong');
    await change(stage, demoTargets);
    await expectStatus(stage, 'healthy');

    await sandbox.script({ kind: 'redirect' });
    await expectStatus(stage, 'misconfigured');
    const before = await arrived(stage);
    await stage.pass(stage.pick(5, 2));
    stage.expect((await arrived(stage)) === before, 'nothing arrives where a redirect leads to');
    await sandbox.clearFaults();
    // The vendor is mended, and the owner says so by changing the destination, here to what it was.
    await change(stage, demoTargets);
    await expectStatus(stage, 'healthy');
    stage.note(`what the owners were told of their credentials: ${codes.join(', ')}`);
    return stage.prove();
  },
};

/** Updates the target of each destination with these members; its address stays. */
async function change(
  stage: FaultStage,
  members: Readonly<Record<TargetKind, Readonly<Record<string, unknown>>>>,
): Promise<void> {
  for (const [index, { id, kind }] of stage.destinations.entries()) {
    const { target } = targetAt(kind, index + 1);
    const place = Object.entries(target).filter(([name]) => !(name in members[kind]) || isPlace(name));
    const changed = { ...members[kind], ...Object.fromEntries(place) };
    await stage.api.send('PATCH', `/event_destinations/${id}`, { target: { [kind]: changed } });
  }
}

/** Whether a member says where the events go. */
function isPlace(name: string): boolean {
  return name.endsWith('_arn') || name === 'service' || name === 'data_collection_rule_id';
}

async function arrived(stage: FaultStage): Promise<number> {
  return (await stage.sandbox.counts()).reduce((sum, { events }) => sum + events, 0);
}
