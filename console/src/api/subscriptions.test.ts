import { QueryClient } from '@tanstack/react-query';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ProblemError } from './problem.js';
import { deleteDestination, receiversQuery } from './subscriptions.js';

interface Stored {
  readonly id: string;
  readonly destinations: readonly { readonly id: string }[];
}

function subscription(id: string, ...destinations: readonly string[]): Stored {
  return { id, destinations: destinations.map((one) => ({ id: one })) };
}

/** Answers as a service with these subscriptions. @returns the changes that were sent, with their versions */
function serve(listed: readonly Stored[], now: readonly Stored[], refused: readonly string[] = []): readonly string[] {
  const changes: string[] = [];
  vi.stubGlobal('fetch', async (address: string, { method, headers, body }: RequestInit) => {
    const [path = ''] = address.split('?');
    if (path === '/event_subscriptions') {
      return Response.json({ event_subscriptions: listed, next_page_uri: null });
    }
    const id = path.split('/').at(-1) ?? '';
    if (method === 'GET') {
      const found = now.find((one) => one.id === id);
      return found ? Response.json(found, { headers: { etag: `"${id} now"` } }) : problem(404);
    }
    changes.push(
      [method, id, new Headers(headers).get('if-match'), typeof body === 'string' ? body : null]
        .filter(Boolean)
        .join(' '),
    );
    return refused.includes(id) ? problem(412) : Response.json({});
  });
  return changes;
}

function problem(status: number): Response {
  return Response.json({ status, error_code: 'code', detail: 'Refused.' }, { status });
}

describe('the deletion of a destination', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it('deletes only what sends to no other destination at that time, and names its version', async () => {
    const listed = ['own', 'joined', 'left', 'gone', 'shared'].map((id) => subscription(id, 'ed_1'));
    const changes = serve(
      [...listed, subscription('other', 'ed_2')],
      [
        subscription('own', 'ed_1'),
        subscription('joined', 'ed_1', 'ed_2'),
        subscription('left', 'ed_2'),
        subscription('shared', 'ed_3', 'ed_1'),
      ],
    );
    const removals: string[] = [];
    await deleteDestination('ed_1', (removal) => removals.push(removal));
    expect(changes).toEqual([
      'DELETE own "own now"',
      'PATCH joined "joined now" {"destination_ids":["ed_2"]}',
      'PATCH shared "shared now" {"destination_ids":["ed_3"]}',
      'DELETE ed_1',
    ]);
    expect(removals).toEqual(['deleted', 'changed', 'changed']);
  });

  it('ends before the destination when a subscription was changed after it was read', async () => {
    const all = [subscription('own', 'ed_1'), subscription('joined', 'ed_1')];
    const changes = serve(all, all, ['joined']);
    const removals: string[] = [];
    await expect(deleteDestination('ed_1', (removal) => removals.push(removal))).rejects.toThrow(ProblemError);
    expect(changes).toEqual(['DELETE own "own now"', 'DELETE joined "joined now"']);
    expect(removals).toEqual(['deleted']);
  });
});

describe('the destinations that receive events', () => {
  afterEach(() => vi.unstubAllGlobals());

  /** Answers with so many pages of subscriptions. @returns the cursors that were asked for */
  function servePages(pages: number): readonly (string | null)[] {
    const asked: (string | null)[] = [];
    vi.stubGlobal('fetch', async (address: string) => {
      asked.push(new URL(address, 'http://waybill.invalid').searchParams.get('before_id'));
      const [page, hasMore] = [asked.length, asked.length < pages];
      const sources = page === 2 ? [] : [{ type: 'ip_policy_created.v0' }];
      return Response.json({
        event_subscriptions: [{ ...subscription(`esb_${page}`, `ed_${page}`, 'ed_all'), sources }],
        next_page_uri: hasMore ? `/event_subscriptions?before_id=esb_${page}` : null,
      });
    });
    return asked;
  }

  it('are those of every subscription that has an event type', async () => {
    const asked = servePages(3);
    const { ids } = await new QueryClient().fetchQuery(receiversQuery);
    expect([...(ids ?? [])]).toEqual(['ed_1', 'ed_all', 'ed_3']);
    expect(asked).toEqual([null, 'esb_1', 'esb_2']);
  });

  it('are not known after 40 pages of subscriptions, and no more is read', async () => {
    const asked = servePages(1_000);
    const { ids } = await new QueryClient().fetchQuery(receiversQuery);
    expect(ids).toBeNull();
    expect(asked).toHaveLength(40);
  });
});
