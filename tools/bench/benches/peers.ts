import type { Bench } from '../bench.js';
import { figure, sumOfCounts, type Figure } from '../result.js';
import { coldDrain, kill, order, warmDrain, type Row } from './peers/backlog-rows.js';
import { lastArrival, publishedAlone, through, trickle } from './peers/change-rows.js';
import { contenders, guarantees, type ContenderName } from './peers/contender.js';
import { goals } from './peers/goals.js';
import { inTurns, type Standing } from './peers/turns.js';

/** Rows with changes, which every contender makes in its own way. */
const changeRows: Readonly<Record<string, Row>> = {
  published: publishedAlone,
  trickle,
  through,
  'fan-out to 100': lastArrival(100),
  'fan-out to 1,000': lastArrival(1_000),
};

/** Rows with a backlog: events of one kind are as those of the other. */
const backlogRows: Readonly<Record<string, Row>> = {
  drain: warmDrain,
  'drain with start': coldDrain,
  kill,
  order,
};

/** Compares with what a team writes by itself on BullMQ, row by row, in alternating rounds. */
export const peers: Bench = {
  name: 'peers',
  everyBackend: true,
  run: async function* (context) {
    const standings = new Map<string, Standing[]>();
    for (const [label, row] of Object.entries({ ...backlogRows, ...changeRows })) {
      const names = contenders.filter((name) => label in changeRows || name !== 'waybill_events');
      const found = await inTurns(context, row, names, label);
      for (const name of names) standings.set(name, [...(standings.get(name) ?? []), found[name]]);
    }
    for (const name of contenders) {
      const found = standings.get(name) ?? [];
      const [first] = found;
      if (!first) continue;
      yield context.result({
        bench: 'peers',
        variant: name,
        figures: found.flatMap(({ values }) =>
          Object.entries(values).map(([key, value]) => peerFigure(name, key, value)),
        ),
        deliveries: sumOfCounts(found.map(({ deliveries }) => deliveries)),
        cpu: first.cpu,
        notes: [`CPU is that of the first row. It guarantees: ${guarantees[name]}.`],
      });
    }
  },
};

function peerFigure(contender: ContenderName, name: string, value: number): Figure {
  const goal = contender.startsWith('waybill') ? goals[name] : undefined;
  return figure(name, value, unitOf(name), goal);
}

function unitOf(name: string): string {
  if (name.startsWith('drained') || name === 'through' || name === 'published') return 'events/s';
  if (name === 'out_of_order' || name === 'repeats_after_kill') return 'events';
  if (name === 'memory_of_all') return 'MB';
  return name === 'last_arrival_after_kill' ? 's' : 'ms';
}
