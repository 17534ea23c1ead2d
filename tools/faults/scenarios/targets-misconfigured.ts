import type { TargetKind } from '../../../src/targets/target.js';
import { targetKinds } from '../../../src/targets/target.js';
import { demoTargets } from '../../harness/destinations.js';
import { expectStatus } from '../environment/destination-status.js';
import type { ScenarioEnvironment } from '../environment/scenario-environment.js';
import { warmUp } from '../environment/warm-up.js';
import type { Scenario } from '../scenario.js';

/** Wrong credentials by kind, which only the vendor can detect. See the conventions in the sandbox's README. */
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

/** Breaks and repairs the credentials of every destination; then every vendor returns a redirect. */
export const targetsMisconfigured: Scenario = {
  name: 'targets-misconfigured',
  title: 'Wrong credentials that are later repaired; redirects',
  async run(environment) {
    const { sandbox } = environment;
    await environment.begin(targetKinds, 40);
    await warmUp(environment);

    await change(environment, wrong);
    const broken = await expectStatus(environment, 'misconfigured');
    const codes = broken.map(({ last_error: error }) => error?.code ?? 'nothing');
    const stored = await environment.arrived();
    await environment.wait(environment.pick(5, 2));
    environment.expect((await environment.arrived()) === stored, 'nothing arrives with wrong credentials');
    await change(environment, demoTargets);
    await expectStatus(environment, 'healthy');

    await sandbox.script({ kind: 'redirect' });
    await expectStatus(environment, 'misconfigured');
    const before = await environment.arrived();
    await environment.wait(environment.pick(5, 2));
    environment.expect((await environment.arrived()) === before, 'no redirect is followed');
    await sandbox.clearFaults();
    // Saving the destination, even unchanged, ends its backoff.
    await change(environment, demoTargets);
    await expectStatus(environment, 'healthy');
    environment.note(`error codes of wrong credentials: ${codes.join(', ')}`);
    return environment.verify();
  },
};

/** Sets the credentials of each target to those in `members`. */
async function change(
  environment: ScenarioEnvironment,
  members: Readonly<Record<TargetKind, Readonly<Record<string, unknown>>>>,
): Promise<void> {
  for (const { id, kind } of environment.destinations) {
    const changed = Object.fromEntries(Object.keys(wrong[kind]).map((name) => [name, members[kind][name]]));
    await environment.api.send('PATCH', `/event_destinations/${id}`, { target: { [kind]: changed } });
  }
}
