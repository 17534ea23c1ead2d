import { toBase64 } from '../log/base64.js';
import type { Checkpoint } from '../log/checkpoint.js';
import { sameHash } from '../log/merkle.js';
import { rootOfInclusion } from '../log/proofs.js';
import type { LogProof } from '../log/tlog-proof.js';
import type { ExportedEvent } from '../readers/event-line.js';
import { counted } from './finding-words.js';
import type { Findings, Place } from './finding.js';
import type { LogResult } from './log-check.js';
import { sealedEvent } from './sealed-event.js';

/** A proof, and its checkpoint. */
interface CheckedProof {
  readonly checkpoint: Checkpoint;
  readonly proof: LogProof;
}

/** Compares single events with proofs that their log has them. */
export class ProofCheck {
  /** The proofs of each event, and how many times it is in the files. */
  private readonly awaited = new Map<string, { readonly proofs: CheckedProof[]; count: number }>();
  private readonly roots = new Map<string, Uint8Array>();

  /** @param findings gets what is wrong */
  constructor(private readonly findings: Findings) {}

  /** Adds a proof. @param checkpoint of the proof, whose signature was verified */
  expect(checkpoint: Checkpoint, proof: LogProof): void {
    const { origin: log, size, root } = checkpoint;
    const expected = this.awaited.get(`${log} ${proof.index}`) ?? { proofs: [], count: 0 };
    this.awaited.set(`${log} ${proof.index}`, expected);
    expected.proofs.push({ checkpoint, proof });
    const known = this.roots.get(`${log} ${size}`) ?? root;
    this.roots.set(`${log} ${size}`, known);
    if (sameHash(known, root)) return;
    const reason = `two signed checkpoints of ${counted(size, 'event')} have different roots`;
    this.findings.add({ verdict: 'forked_log', log, reason });
  }

  /** Adds an event. One of a log of which no proof is given is foreign. */
  add(exported: ExportedEvent, place: Place): void {
    const event = sealedEvent(exported);
    const { eventId: event_id, sequence } = event;
    const of = { sequence, event_id, ...place };
    if ('verdict' in event) {
      this.findings.add({ verdict: event.verdict, ...of, reason: event.reason });
      return;
    }
    const { log, index, leafHash } = event;
    const expected = this.awaited.get(`${log} ${index}`);
    if (expected === undefined) {
      const isOfLog = [...this.awaited.keys()].some((key) => key.startsWith(`${log} `));
      const reason = isOfLog ? 'not covered by this proof, which is of another event' : 'of another log than the proof';
      this.findings.add({ verdict: isOfLog ? 'not_covered' : 'foreign', log, ...of, reason });
      return;
    }
    expected.count += 1;
    const isProved = expected.proofs.every(({ checkpoint, proof }) => {
      const root = rootOfInclusion(leafHash, index, checkpoint.size, proof.hashes);
      return root !== null && sameHash(root, checkpoint.root);
    });
    if (!isProved)
      this.findings.add({
        verdict: 'altered',
        log,
        ...of,
        reason: 'its proof does not lead to the root of the checkpoint',
      });
  }

  /** Returns a result for each event of which a proof is given, with the largest checkpoint of its proofs. */
  finish(): readonly LogResult[] {
    return Array.from(this.awaited.values(), ({ proofs, count }) => {
      const { checkpoint, proof } = proofs.reduce((a, b) => (b.checkpoint.size > a.checkpoint.size ? b : a));
      const { origin: log, size, root } = checkpoint;
      if (count === 0)
        this.findings.add({
          verdict: 'missing',
          log,
          reason: `the event of the proof with the index ${proof.index} is not in the files`,
        });
      return {
        log,
        size,
        root: toBase64(root),
        events: Math.min(1, count),
        repeats: Math.max(0, count - 1),
        out_of_order: 0,
        not_yet_sealed: 0,
        erased: 0,
        erased_sequences: [],
        erased_but_there: 0,
        is_compared: true,
      };
    });
  }
}
