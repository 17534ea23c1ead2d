import { useQueryClient } from '@tanstack/react-query';
import type { Input } from '@waybill/client';
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

/** Does an action. Returns null, or why it was not done. */
type Run = (id: string, reason: string, until: string) => Promise<string | null>;

const change = async (id: string, body: Input<'updateEventDestination'>['body']): Promise<null> => {
  await request('PATCH', '/event_destinations/{id}', { path: { id }, body });
  return null;
};

interface Action {
  readonly title: string;
  readonly text: string;
  readonly done: string;
  readonly run: Run;
  /** What takes it back. */
  readonly undo?: ManyAction;
}

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
    text: 'Their events wait in order and do not expire, until a person resumes them.',
    done: 'paused',
    run: (id, reason) => change(id, { paused: { reason } }),
    undo: 'resume',
  },
  resume: {
    title: 'Resume',
    text: 'What waits is sent in order, at once.',
    done: 'resumed',
    run: (id) => change(id, { paused: null }),
  },
  mute: {
    title: 'Mute',
    text: 'Events are sent as before. Failures raise no alert and are listed behind those of others, until the mute ends.',
    done: 'muted',
    run: (id, reason, until) => change(id, { muted: { reason, until } }),
    undo: 'unmute',
  },
  unmute: {
    title: 'Unmute',
    text: 'Failures call for attention again.',
    done: 'unmuted',
    run: (id) => change(id, { muted: null }),
  },
};

interface ManyDialogProps {
  readonly action: ManyAction;
  readonly targets: readonly { readonly id: string; readonly name: string }[];
  readonly onClose: () => void;
}

/** Does something with many destinations, shows how far it is, and which were not done and why. */
export function ManyDialog({ action: asked, targets, onClose }: ManyDialogProps) {
  const client = useQueryClient();
  const [action, setAction] = useState(asked);
  const [reason, setReason] = useState('');
  const { zone } = usePreferences();
  const [untilField, setUntil] = useState(() => toInputTime(new Date(Date.now() + MUTE_MS).toISOString(), zone));
  const until = fromInputTime(untilField, zone);
  const [ids, setIds] = useState(() => targets.map(({ id }) => id));
  const [results, setResults] = useState<ManyResults | null>(null);
  const [isRunning, setRunning] = useState(false);
  const stop = useRef<AbortController>(null);
  const { title, text, done, undo } = actions[action];
  const needsReason = action === 'pause' || action === 'mute';
  const isMissing = (needsReason && reason.trim() === '') || (action === 'mute' && until === undefined);
  const nameOf = new Map(targets.map(({ id, name }) => [id, name]));
  const succeeded = ids.filter((id) => results?.get(id) === null);
  const failed = ids.filter((id) => typeof results?.get(id) === 'string');

  const start = async (next: ManyAction, of: readonly string[]): Promise<void> => {
    stop.current = new AbortController();
    setAction(next);
    setIds([...of]);
    setResults(new Map());
    setRunning(true);
    await runMany(of, (id) => actions[next].run(id, reason.trim(), until ?? ''), setResults, stop.current.signal);
    setRunning(false);
    await Promise.all(of.map((id) => destinationChanged(client, id)));
  };

  return (
    <ModalDialog isOpen isBusy={isRunning} onClose={onClose} title={`${title} ${numbered(ids.length)}`}>
      {results === null ? (
        <form
          className={ui.stack}
          onSubmit={(event) => {
            event.preventDefault();
            if (!isMissing) void start(action, ids);
          }}
        >
          <p>{text}</p>
          {needsReason && (
            <TextField
              label="Reason"
              hint="Everyone who sees the destinations sees it."
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
            <Button onPress={onClose}>Cancel</Button>
            <Button type="submit" look="main" isDisabled={isMissing}>
              {`${title} ${numbered(ids.length)}`}
            </Button>
          </div>
        </form>
      ) : (
        <>
          <Progress label={title} done={results.size} total={ids.length} />
          <p role="status">
            {!isRunning && `${succeeded.length.toLocaleString('en')} of ${numbered(ids.length)} ${done}.`}
            {!isRunning && results.size < ids.length && ' It was stopped before the others.'}
          </p>
          {failed.length > 0 && (
            <ul className={ui.items} aria-label="Not done">
              {failed.map((id) => (
                <li key={id}>
                  <strong>{nameOf.get(id)}</strong> <span className={ui.bad}>{results.get(id)}</span>
                </li>
              ))}
            </ul>
          )}
          <div className={`${ui.line} ${ui.end}`}>
            {isRunning ? (
              <Button onPress={() => stop.current?.abort()}>Stop</Button>
            ) : (
              <>
                {undo !== undefined && succeeded.length > 0 && (
                  <Button onPress={() => void start(undo, succeeded)}>{`Undo: ${undo} ${succeeded.length}`}</Button>
                )}
                <Button look="main" onPress={onClose}>
                  Close
                </Button>
              </>
            )}
          </div>
        </>
      )}
    </ModalDialog>
  );
}

function numbered(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'destination' : 'destinations'}`;
}
