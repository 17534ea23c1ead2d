import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { EventPreview } from '@waybill/client';
import type { ChosenType } from '../../api/chosen-types.js';
import { eventTypeQuery } from '../../api/event-types.js';
import { request } from '../../api/request.js';
import { Button } from '../button.js';
import { SelectField, TextField } from '../form-field.js';
import { Icon } from '../icon.js';
import { JsonView } from '../json-view.js';
import { ProblemPanel } from '../problem-panel.js';
import { Time } from '../time.js';
import { conditionsOf } from './filter-conditions.js';
import { filterExamples } from './filter-examples.js';
import ui from '../ui.module.css';
import styles from './type-chooser.module.css';

/** Events that a preview reads. */
const PREVIEWED = 20;
/** Most characters of a filter. */
const LONGEST_FILTER = 1_000;

/** The operation whose response has the schema of an event. */
const MEMBERS = '/docs#/event%20types/getEventType';

interface FilterEditorProps {
  readonly chosen: ChosenType;
  /** Whether the field gets the focus, as the person has just added it. */
  readonly isNew: boolean;
  readonly onFilter: (filter: string) => void;
  /** Called with a filter that the service accepted. */
  readonly onChecked: (filter: string) => void;
}

/** The filter of an event type, conditions to start from, and which of the newest events match. */
export function FilterEditor({ chosen: { type, filter }, isNew, onFilter, onChecked }: FilterEditorProps) {
  const { data: conditions = [] } = useQuery({
    ...eventTypeQuery(type),
    select: ({ schema }) => conditionsOf(schema),
  });
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
        hint={'For example: principal.subject != "system:snapshot" && object.description == "audit"'}
        maxLength={LONGEST_FILTER}
        attributes={{ autoFocus: isNew }}
        value={filter}
        onChange={onFilter}
      />
      <p className={ui.note}>
        The condition is written in CEL, the Common Expression Language: see <a href="https://cel.dev">cel.dev</a>, and{' '}
        <a href={MEMBERS}>the API documentation</a> for the members of an event.
      </p>
      <Examples />
      {conditions.length > 0 && (
        <SelectField
          label={`Add a condition for ${type}`}
          hint="One for each member of the event. Change the value to the one that you want."
          options={[['', 'Choose a member'], ...conditions.map((one) => [one, one] as const)]}
          value=""
          onChange={(one) => {
            if (one !== '') onFilter(filter.trim() === '' ? one : `${filter.trim()} && ${one}`);
          }}
        />
      )}
      <div className={ui.line}>
        <Button aria-label={`Preview ${type}`} isBusy={isPending} onPress={() => mutate(filter)}>
          Preview
        </Button>
        {(data || error) && !isPresent && <span className={ui.soft}>The filter has changed since the preview.</span>}
      </div>
      {error && isPresent && <ProblemPanel error={error} title="The filter is not accepted" />}
      {data && !error && isPresent && <Result preview={data} />}
    </>
  );
}

/** What a condition can ask. */
function Examples() {
  return (
    <details className={ui.note}>
      <summary>Examples of conditions</summary>
      <dl>
        {filterExamples.map(({ question, filters }) => (
          <div key={question}>
            <dt>{question}</dt>
            {filters.map((one) => (
              <dd key={one}>
                <code>{one}</code>
              </dd>
            ))}
          </div>
        ))}
      </dl>
      <p>
        Members that may be absent need <code>has</code>. An event for which the condition cannot be evaluated is sent.
      </p>
    </details>
  );
}

function Result({ preview }: { readonly preview: EventPreview }) {
  const { failed, events } = preview;
  return (
    <div className={ui.stack}>
      <p role="status">
        The filter is accepted. {resultText(preview)}
        {failed > 0 && ` For ${failed} of them the filter could not be evaluated: these are sent.`}
      </p>
      {events.length > 0 && (
        <ul className={`${ui.items} ${styles.previewed}`} aria-label="Newest events">
          {events.map((one) => (
            <PreviewedEvent key={one.id} event={one} />
          ))}
        </ul>
      )}
    </div>
  );
}

function resultText({ evaluated, matched }: EventPreview): string {
  if (evaluated === 0) return 'The account has no event of this type yet.';
  if (matched === 0) return `None of the newest ${evaluated} events matches, so none of them would be sent.`;
  return `${matched} of the newest ${evaluated} events match.`;
}

function PreviewedEvent({ event }: { readonly event: EventPreview['events'][number] }) {
  const { id, created_at: at, matches, error, payload } = event;
  return (
    <li data-matches={matches}>
      <div className={ui.line}>
        <Icon name={matches ? 'healthy' : 'stopped'} /> {matches ? 'Would be sent' : 'Would not be sent'}: the event of{' '}
        <Time at={at} />
        <Link to="/events/$id" params={{ id }} target="_blank">
          <code>{id}</code>
        </Link>
      </div>
      {error !== null && <p className={ui.soft}>{error}</p>}
      {payload !== null && (
        <details>
          <summary>What is sent</summary>
          <JsonView label={`What is sent of ${id}`} value={payload} />
        </details>
      )}
    </li>
  );
}
