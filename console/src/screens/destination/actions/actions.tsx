import { useNavigate } from '@tanstack/react-router';
import type { EventDestinationStatus } from '@waybill/client';
import { useState } from 'react';
import { useMay } from '../../../app/session-context.js';
import { Button } from '../../../components/button.js';
import { ManyDialog, type ManyAction } from '../../../components/many/many-dialog.js';
import { ModalDialog } from '../../../components/modal-dialog.js';
import { TestPanel } from '../../../components/test-panel.js';
import { BackfillDialog } from './backfill-dialog.js';
import { RedeliverDialog } from './redeliver-dialog.js';
import ui from '../../../components/ui.module.css';

interface ActionsProps {
  readonly id: string;
  /** The description of the destination, or its id. */
  readonly name: string;
  readonly status: EventDestinationStatus | undefined;
}

type OpenDialog = ManyAction | 'redeliver' | 'backfill';

/** What a person can do with the deliveries of a destination. */
export function Actions({ id, name, status }: ActionsProps) {
  const mayOperate = useMay('operate');
  const mayChange = useMay('change');
  const navigate = useNavigate();
  const [open, setOpen] = useState<OpenDialog | null>(null);
  const [notice, setNotice] = useState('');
  const close = (): void => setOpen(null);
  const show = (dialog: OpenDialog) => (): void => {
    setNotice('');
    setOpen(dialog);
  };
  if (!mayOperate) return null;
  const isPaused = status?.status === 'paused';
  return (
    <div role="group" aria-label="Actions" className={ui.line}>
      <Button icon="play" isDisabled={isPaused} onPress={show('test')}>
        Test
      </Button>
      {isPaused ? (
        <Button icon="play" look="main" onPress={show('resume')}>
          Resume
        </Button>
      ) : (
        <Button icon="paused" isDisabled={status === undefined} onPress={show('pause')}>
          Pause
        </Button>
      )}
      <Button icon="muted" isDisabled={status === undefined} onPress={show(status?.muted ? 'unmute' : 'mute')}>
        {status?.muted ? 'Unmute' : 'Mute'}
      </Button>
      <Button icon="retrying" onPress={show('redeliver')}>
        Redeliver
      </Button>
      <Button icon="exports" onPress={show('backfill')}>
        Backfill
      </Button>
      {isPaused && <span className={ui.soft}>A paused destination cannot be tested.</span>}
      <span role="status">{notice}</span>
      {open === 'test' && (
        <ModalDialog title={`Test ${name}`} onClose={close}>
          <p className={ui.soft}>
            A test event is queued behind the events that wait, like every event. The target receives it with the type{' '}
            <code>event_destination_test.v0</code>.
          </p>
          <TestPanel
            id={id}
            status={status}
            onRepair={
              mayChange
                ? () => {
                    close();
                    void navigate({
                      to: '/destinations/$id',
                      params: { id },
                      search: { tab: 'settings', edit: 'target' },
                    });
                  }
                : undefined
            }
          />
          <div className={`${ui.line} ${ui.end}`}>
            <Button onPress={close}>Close</Button>
          </div>
        </ModalDialog>
      )}
      {(open === 'pause' || open === 'resume' || open === 'mute' || open === 'unmute') && (
        <ManyDialog action={open} targets={[{ id, name, status }]} onClose={close} />
      )}
      {open === 'redeliver' && <RedeliverDialog id={id} name={name} onClose={close} onDone={setNotice} />}
      {open === 'backfill' && <BackfillDialog id={id} name={name} onClose={close} onDone={setNotice} />}
    </div>
  );
}
