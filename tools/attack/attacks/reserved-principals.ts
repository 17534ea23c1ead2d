import type { Attack } from '../attack.js';

/** Principals that a reader takes for Waybill itself, or for nobody. */
const ids = [
  'unknown',
  'system',
  'UNKNOWN',
  ' unknown',
  'system ',
  'sys\u200btem',
  'unk\u00adnown',
  '\ufeffsystem',
  'ｓｙｓｔｅｍ',
  'system\u2060',
  'sys\ufe0ftem',
];
const subjects = [
  'system:operator',
  'SYSTEM:operator',
  ' system:operator',
  'system :operator',
  's\u200bystem:operator',
  'ｓystem：operator',
  'system\u200d:x',
  '\u202esystem:x',
];

/** Names of principals that look like those of Waybill. */
export const reservedPrincipals: Attack = {
  name: 'reserved-principals',
  title: 'published events in the name of Waybill, in other spellings',
  async run(environment) {
    const { admin } = await environment.account();
    await environment.resourceType(admin, 'named');
    const publisher = await environment.key(admin, 'publisher');
    const principals = [
      ...ids.map((id) => ({ id })),
      ...ids.map((id) => ({ id, subject: 'Ada' })),
      ...subjects.map((subject) => ({ id: 'user-1', subject })),
      ...subjects.map((id) => ({ id })),
    ];
    const publish = (principal: object) => {
      const event = { type: 'named_updated.v0', resource_id: 'one', object: {}, principal };
      return publisher.send('POST', '/events', { events: [event] });
    };
    const ordinary = await publish({ id: 'user-1', subject: 'Ada' });
    environment.expect(ordinary.status === 202, `an ordinary principal is accepted: not ${ordinary.status}`);
    const wrong: string[] = [];
    for (const principal of principals) {
      const { status, body } = await publish(principal);
      const pointers = ((body['errors'] ?? []) as readonly { readonly pointer: string }[]).map((one) => one.pointer);
      const isRefused = pointers.length > 0 && pointers.every((pointer) => pointer.startsWith('/events/0/principal/'));
      if (status !== 400 || !isRefused) wrong.push(`${JSON.stringify(principal)} with ${status}`);
    }
    environment.expect(wrong.length === 0, `not refused for the principal: ${wrong.join(', ')}`);
  },
};
