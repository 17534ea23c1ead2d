import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { eventQuery, neighbourOf, type EventSelection, type Neighbour } from '../../api/events.js';
import type { EventSearch } from '../../app/event-search.js';
import { useHotkey } from '../../components/hotkey.js';
import { Icon } from '../../components/icon.js';
import ui from '../../components/ui.module.css';

interface NeighboursProps {
  /** Id of the event. */
  readonly id: string;
  readonly selection: EventSelection;
  /** The search that both events keep. */
  readonly search: EventSearch;
}

/** Leads to the events before and after this one in the list that it belongs to, also with the keys `k` and `j`. */
export function Neighbours({ id, selection, search }: NeighboursProps) {
  const isNewestFirst = selection.order === 'newest_first';
  const previous = useNeighbour(id, isNewestFirst ? 'newer' : 'older', selection);
  const next = useNeighbour(id, isNewestFirst ? 'older' : 'newer', selection);
  const navigate = useNavigate();
  const open = (neighbour: Neighbour | undefined): void => {
    if (!neighbour?.event) return;
    void navigate({ to: '/events/$id', params: { id: neighbour.event.id }, search });
  };
  useHotkey('k', () => open(previous));
  useHotkey('j', () => open(next));
  return (
    <span className={ui.line}>
      <Step name="Previous" hotkey="k" neighbour={previous} search={search} />
      <Step name="Next" hotkey="j" neighbour={next} search={search} />
    </span>
  );
}

/** Finds the neighbour, and has it ready when it is opened. */
function useNeighbour(id: string, side: 'newer' | 'older', { filter }: EventSelection): Neighbour | undefined {
  const client = useQueryClient();
  const { data } = useQuery({
    queryKey: ['neighbour', id, side, filter],
    queryFn: async ({ signal }) => {
      const found = await neighbourOf(id, side, filter, signal);
      if (found.event) client.setQueryData(eventQuery(found.event.id).queryKey, found.event);
      return found;
    },
  });
  return data;
}

interface StepProps {
  readonly name: 'Previous' | 'Next';
  readonly hotkey: string;
  /** Undefined while it is looked for. */
  readonly neighbour: Neighbour | undefined;
  readonly search: EventSearch;
}

function Step({ name, hotkey, neighbour, search }: StepProps) {
  const content = (
    <>
      {name === 'Previous' && <Icon name="previous" />}
      {name}
      <span className={ui.hidden}> event</span>
      <kbd aria-hidden="true">{hotkey}</kbd>
      {name === 'Next' && <Icon name="next" />}
    </>
  );
  if (neighbour?.event) {
    return (
      <Link
        to="/events/$id"
        params={{ id: neighbour.event.id }}
        search={search}
        className={ui.control}
        aria-keyshortcuts={hotkey}
      >
        {content}
      </Link>
    );
  }
  const reason = neighbour?.gaveUp === true ? 'none found nearby' : neighbour ? 'none' : '…';
  return (
    <span className={ui.control} data-none="">
      {content} <span className={ui.note}>{reason}</span>
    </span>
  );
}
