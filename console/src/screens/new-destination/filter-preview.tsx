import { useMutation } from '@tanstack/react-query';
import type { EventPreview } from '@waybill/client';
import { request } from '../../api/request.js';
import { Button } from '../../components/button.js';
import { TextField } from '../../components/form-field.js';
import { Icon } from '../../components/icon.js';
import { JsonView } from '../../components/json-view.js';
import { ProblemPanel } from '../../components/problem-panel.js';
import { Time } from '../../components/time.js';
import type { ChosenType } from './steps.js';
import styles from './new-destination.module.css';

/** Events that a preview reads. */
const PREVIEWED = 20;

/** Properties of `FilterPreview`. */
export interface FilterPreviewProps {
  readonly chosen: ChosenType;
  readonly onFilter: (filter: string) => void;
  /** Called with a filter that the service accepted. */
  readonly onChecked: (filter: string) => void;
}

/** The filter of an event type, and which of its newest events match. */
export function FilterPreview({ chosen: { type, filter }, onFilter, onChecked }: FilterPreviewProps) {
  const { mutate, data, error, variables, isPending } = useMutation({
    mutationFn: (tried: string) =>
      request('POST', '/event_subscriptions/preview', {
        body: { type, limit: PREVIEWED, ...(tried.trim() !== '' && { filter: tried.trim() }) },
      }),
    onSuccess: (_preview, tried) => onChecked(tried),
  });
  // What is shown belongs to the filter that was tried.
  const isPresent = variables === filter;
  return (
    <>
      <TextField
        label={`Filter of ${type}`}
        hint={'A condition in CEL over the payload, such as object.action == "deny". Empty: every event.'}
        value={filter}
        onChange={onFilter}
      />
      <div className={styles.line}>
        <Button aria-label={`Preview ${type}`} isBusy={isPending} onPress={() => mutate(filter)}>
          Preview
        </Button>
        {(data || error) && !isPresent && (
          <span className={styles.soft}>The filter has changed since the preview.</span>
        )}
      </div>
      {error && isPresent && <ProblemPanel error={error} title="The filter is not accepted" />}
      {data && !error && isPresent && <Result preview={data} />}
    </>
  );
}

function Result({ preview: { evaluated, matched, failed, events } }: { readonly preview: EventPreview }) {
  return (
    <div className={styles.form}>
      <p role="status">
        {evaluated === 0
          ? 'The account has no event of this type yet. The filter is accepted.'
          : `${matched} of the newest ${evaluated} events match.`}
        {failed > 0 && ` For ${failed} of them the filter could not be evaluated: they are sent.`}
      </p>
      {events.length > 0 && (
        <ul className={styles.previewed} aria-label="Newest events">
          {events.map(({ id, created_at: at, matches, error, payload }) => (
            <li key={id} data-matches={matches}>
              <details>
                <summary>
                  <Icon name={matches ? 'healthy' : 'stopped'} /> {matches ? 'sent' : 'not sent'}, <code>{id}</code>,{' '}
                  <Time at={at} />
                </summary>
                {error !== null && <p className={styles.soft}>{error}</p>}
                {payload === null ? (
                  <p className={styles.soft}>The event does not match.</p>
                ) : (
                  <JsonView label={`What is sent of ${id}`} value={payload} />
                )}
              </details>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
