import type { Event } from '@waybill/client';
import { useMemo } from 'react';
import { ChangedValues } from '../../components/changed-values.js';
import { JsonView } from '../../components/json-view.js';
import { changedValues } from '../../components/value-changes.js';
import { changedLines, changesOf } from './changes.js';
import { DiffView } from './diff-view.js';
import ui from '../../components/ui.module.css';

/** What changed: both states side by side; of a creation, a deletion or a report, the one state. */
export function Changes({ event }: { readonly event: Event }) {
  const changes = useMemo(() => changesOf(event), [event]);
  const rows = useMemo(() => changedLines(changes), [changes]);
  const { before, after, omitted } = changes;
  const isUpdate = before !== null && after !== null;
  return (
    <section className={ui.stack}>
      <h2>{isUpdate ? 'Before and after' : 'Resource'}</h2>
      {isUpdate && <ChangedValues changes={changedValues(before, after)} />}
      {omitted.length > 0 && (
        <p className={ui.note}>
          The old {omitted.length === 1 ? 'value' : 'values'} of <code>{omitted.join(', ')}</code> did not fit into the
          event. Both sides show the new one.
        </p>
      )}
      {isUpdate ? (
        <DiffView rows={rows} />
      ) : (
        <>
          <p className={ui.note}>{meaningOf(event.type)}</p>
          <JsonView value={after ?? before} label="The resource" />
        </>
      )}
    </section>
  );
}

function meaningOf(type: string): string {
  if (/_created\.v\d+$/.test(type)) return 'It did not exist before. It was created with these values.';
  if (/_deleted\.v\d+$/.test(type)) return 'It was deleted. These were its last values.';
  if (/_snapshot\.v\d+$/.test(type)) return 'A snapshot: its values at that moment. Nothing changed.';
  return 'The event says nothing of the values before.';
}
