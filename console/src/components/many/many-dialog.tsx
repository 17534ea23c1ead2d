import { useQueryClient } from '@tanstack/react-query';
import type { EventDestinationStatus, Input } from '@waybill/client';
import { useRef, useState } from 'react';
import { destinationChanged, testDestination } from '../../api/destination.js';
import { request } from '../../api/request.js';
import { usePreferences } from '../../preferences/preferences.js';
import { fromInputTime, toInputTime } from '../../time/input-time.js';
import { zoneName } from '../../time/zone-name.js';
import { Button } from '../button.js';
import { TextField } from '../form-field.js';
import { ModalDialog } from '../modal-dialog.js';
import { Progress } from '../progress.js';
import { runMany, type ManyResults } from './run-many.js';
import ui from '../ui.module.css';

/** Most characters of a reason. */
const LONGEST_REASON = 500;

/** How long a mute lasts unless another end is chosen, in milliseconds. */
const MUTE_MS = 8 * 3_600_000;

/** What can be done with many destinations. */
export type ManyAction = 'test' | 'pause' | 'resume' | 'mute' | 'unmute';

/** A destination that something is done with. */
export interface ManyTarget {
  readonly id: string;
  readonly name: string;
  /** What is known of it before: an undo restores its pause and its mute. */
  readonly status: Pick<EventDestinationStatus, 'paused' | 'muted'> | undefined;
}

const change = async (id: string, body: Input<'updateEventDestination'>['body']): Promise<null> => {
  await request('PATCH', '/event_destinations/{id}', { path: { id }, body });
  return null;
};

interface Action {
  readonly title: string;
  readonly text: string;
  readonly done: string;
  /** Does it. Returns null, or why it was not done. */
  readonly run: (id: string, reason: string, until: string) => Promise<string | null>;
  /** Restores what was before; absent where the API cannot. */
  readonly undo?: (target: ManyTarget) => Promise<string | null>;
}

const restorePause = ({ id, status }: ManyTarget): Promise<null> =>
  change(id, { paused: status?.paused ? { reason: status.paused.reason } : null });

const restoreMute = ({ id, status }: ManyTarget): Promise<null> =>
  change(id, { muted: status?.muted ? { reason: status.muted.reason, until: status.muted.until } : null });

const actions: Readonly<Record<ManyAction, Action>> = {
  test: {
    title: 'Test',
    text: 'Each gets a test event, behind its waiting events. A paused destination cannot be tested.',
    done: 'accepted the test event',
    run: async (id) => {
      const { verdict, message } = await testDestination(id);
      return verdict === 'delivered' ? null : message;
    },
  },
  pause: {
    title: 'Pause',
    text: 'Events wait in order and do not expire, until a person resumes the destination. A call under way ends first.',
    done: 'paused',
    run: (id, reason) => change(id, { paused: { reason } }),
    undo: restorePause,
  },
  resume: {
    title: 'Resume',
    text: 'The waiting events are sent in order, at once.',
    done: 'resumed',
    run: (id) => change(id, { paused: null }),
    undo: restorePause,
  },
  mute: {
    title: 'Mute',
    text: 'Events are sent as before. Failures raise no alert and are listed behind those of others, until the mute ends.',
    done: 'muted',
    run: (id, reason, until) => change(id, { muted: { reason, until } }),
    undo: restoreMute,
  },
  unmute: {
    title: 'Unmute',
    text: 'Failures raise alerts again.',
    done: 'unmuted',
    run: (id) => change(id, { muted: null }),
    undo: restoreMute,
  },
};

interface ManyDialogProps {
  readonly action: ManyAction;
  readonly targets: readonly ManyTarget[];
  readonly onClose: () => void;
}

/** Does something with destinations, shows the progress and what was not done and why, and offers the undo. */
export function ManyDialog({ action, targets, onClose }: ManyDialogProps) {
  const client = useQueryClient();
  const [reason, setReason] = useState('');
  const { zone } = usePreferences();
  const [untilField, setUntil] = useState(() => toInputTime(new Date(Date.now() + MUTE_MS).toISOString(), zone));
  const until = fromInputTime(untilField, zone);
  // The status of a destination changes with the action.
  const [before] = useState(targets);
  const [ids, setIds] = useState(() => before.map(({ id }) => id));
  const [isUndo, setUndo] = useState(false);
  const [results, setResults] = useState<ManyResults | null>(null);
  const [isRunning, setRunning] = useState(false);
  const stop = useRef<AbortController>(null);
  const { title, text, done, run, undo } = actions[action];
  const needsReason = action === 'pause' || action === 'mute';
  const missing =
    needsReason && reason.trim() === ''
      ? 'Fill in the reason.'
      : action === 'mute' && until === undefined
        ? 'Fill in “Until”.'
        : null;
  const byId = new Map(before.map((target) => [target.id, target]));
  const label = `${title} ${before.length === 1 ? before[0]?.name : numbered(ids.length)}`;
  const succeeded = ids.filter((id) => results?.get(id) === null);
  const failed = ids.filter((id) => typeof results?.get(id) === 'string');

  const start = async (of: readonly string[], one: Action['run']): Promise<void> => {
    stop.current = new AbortController();
    setIds([...of]);
    setResults(new Map());
    setRunning(true);
    await runMany(of, (id) => one(id, reason.trim(), until ?? ''), setResults, stop.current.signal);
    setRunning(false);
    await destinationChanged(client, ...of);
  };
  const takeBack = (): void => {
    setUndo(true);
    void start(succeeded, async (id) => {
      const target = byId.get(id);
      return target && undo ? undo(target) : null;
    });
  };

  return (
    <ModalDialog isBusy={isRunning} onClose={onClose} title={isUndo ? `Undo: ${label}` : label}>
      {results === null ? (
        <form
          className={ui.stack}
          onSubmit={(event) => {
            event.preventDefault();
            if (missing === null) void start(ids, run);
          }}
        >
          <p>{text}</p>
          {needsReason && (
            <TextField
              label="Reason"
              hint="Everyone who sees the destination sees it."
              isRequired
              maxLength={LONGEST_REASON}
              value={reason}
              onChange={setReason}
            />
          )}
          {action === 'mute' && (
            <TextField
              label="Until"
              type="datetime-local"
              hint={`${zoneName(zone)}.`}
              isRequired
              value={untilField}
              onChange={setUntil}
            />
          )}
          <div className={`${ui.line} ${ui.end}`}>
            <span role="status" className={ui.note}>
              {missing}
            </span>
            <Button onPress={onClose}>Cancel</Button>
            <Button type="submit" look="main" isDisabled={missing !== null}>
              {before.length === 1 ? title : label}
            </Button>
          </div>
        </form>
      ) : (
        <>
          <Progress label={title} done={results.size} total={ids.length} />
          <p role="status">
            {!isRunning &&
              `${succeeded.length.toLocaleString('en')} of ${numbered(ids.length)} ${isUndo ? 'restored' : done}.`}
            {!isRunning && results.size < ids.length && ' It was stopped before the others.'}
          </p>
          {failed.length > 0 && (
            <ul className={ui.items} aria-label="Not done">
              {failed.map((id) => (
                <li key={id}>
                  <strong>{byId.get(id)?.name}</strong> <span className={ui.bad}>{results.get(id)}</span>
                </li>
              ))}
            </ul>
          )}
          <div className={`${ui.line} ${ui.end}`}>
            {!isRunning && !isUndo && undo !== undefined && succeeded.length > 0 && (
              <Button onPress={takeBack}>Undo</Button>
            )}
            {/* The button that had the focus is gone. */}
            <Button look="main" autoFocus onPress={isRunning ? () => stop.current?.abort() : onClose}>
              {isRunning ? 'Stop' : 'Close'}
            </Button>
          </div>
        </>
      )}
    </ModalDialog>
  );
}

function numbered(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'destination' : 'destinations'}`;
}
