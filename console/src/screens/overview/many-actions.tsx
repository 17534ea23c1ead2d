import { lazy, Suspense, useState } from 'react';
import { capitalized } from '../../api/families.js';
import { Button } from '../../components/button.js';
import type { IconName } from '../../components/icon.js';
import type { ManyAction } from '../../components/many/many-dialog.js';
import type { DestinationRow } from './rows.js';
import ui from '../../components/ui.module.css';
import styles from './overview.module.css';

// The dialogs are not part of the first page.
const ManyDialog = lazy(async () => ({ default: (await import('../../components/many/many-dialog.js')).ManyDialog }));
const RecoveryDialog = lazy(async () => ({
  default: (await import('../../components/many/recovery-dialog.js')).RecoveryDialog,
}));

const actions: readonly (readonly [ManyAction, IconName])[] = [
  ['test', 'play'],
  ['pause', 'paused'],
  ['resume', 'play'],
  ['mute', 'muted'],
  ['unmute', 'live'],
];

interface ManyActionsProps {
  readonly all: readonly DestinationRow[];
  /** The selected destinations. */
  readonly rows: readonly DestinationRow[];
  readonly onClear: () => void;
}

/** What a person can do with the selected destinations; redelivery without a selection is for all. */
export function ManyActions({ all, rows, onClear }: ManyActionsProps) {
  const [open, setOpen] = useState<ManyAction | 'redeliver' | null>(null);
  const close = (): void => setOpen(null);
  const isNone = rows.length === 0;
  return (
    <div role="group" aria-label="Actions for many" className={ui.line}>
      <span role="status" className={isNone ? `${ui.soft} ${styles.hint}` : ui.soft}>
        {isNone ? 'Select destinations to act on many.' : `${rows.length.toLocaleString('en')} selected`}
      </span>
      {!isNone &&
        actions.map(([action, icon]) => (
          <Button key={action} icon={icon} onPress={() => setOpen(action)}>
            {capitalized(action)}
          </Button>
        ))}
      <Button icon="retrying" onPress={() => setOpen('redeliver')}>
        {isNone ? 'Redeliver to all' : 'Redeliver'}
      </Button>
      {!isNone && (
        <Button look="quiet" icon="close" onPress={onClear}>
          Clear the selection
        </Button>
      )}
      <Suspense>
        {open === 'redeliver' && (
          <RecoveryDialog ids={isNone ? undefined : rows.map(({ id }) => id)} existing={all} onClose={close} />
        )}
        {open !== null && open !== 'redeliver' && <ManyDialog action={open} targets={rows} onClose={close} />}
      </Suspense>
    </div>
  );
}
