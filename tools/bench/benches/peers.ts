import type { Bench } from '../bench.js';
import { figure, sumOfCounts, type Figure } from '../result.js';
import { coldDrain, kill, order, warmDrain, type Row } from './peers/backlog-rows.js';
import { lastArrival, through, trickle } from './peers/change-rows.js';
import { contenders, guarantees } from './peers/contender.js';
import { inTurns, type Standing } from './peers/turns.js';

const rows: Readonly<Record<string, Row>> = {
  drain: warmDrain,
  'drain with start': coldDrain,
  trickle,
  through,
  'fan-out to 100': lastArrival(100),
  'fan-out to 1,000': lastArrival(1_000),
  kill,
  order,
};

/** Compares with what a team writes by itself on BullMQ, row by row, in alternating rounds. */
export const peers: Bench = {
  name: 'peers',
  everyBackend: false,
  run: async function* (context) {
    const standings = new Map<string, Standing[]>();
    for (const [label, row] of Object.entries(rows)) {
      const found = await inTurns(context, row, contenders, label);
      for (const name of contenders) standings.set(name, [...(standings.get(name) ?? []), found[name]]);
    }
    for (const name of contenders) {
      const found = standings.get(name) ?? [];
      const [first] = found;
      if (!first) continue;
      yield context.result({
        bench: 'peers',
        variant: name,
        figures: found.flatMap(({ values }) => Object.entries(values).map(([key, value]) => peerFigure(key, value))),
        deliveries: sumOfCounts(found.map(({ deliveries }) => deliveries)),
        cpu: first.cpu,
        notes: [`CPU is that of the drain. It guarantees: ${guarantees[name]}.`],
      });
    }
  },
};

function peerFigure(name: string, value: number): Figure {
  if (name.startsWith('drained') || name === 'through') return figure(name, value, 'events/s');
  if (name === 'out_of_order' || name === 'repeats_after_kill') return figure(name, value, 'events');
  return figure(name, value, name === 'last_arrival_after_kill' ? 's' : 'ms');
}
