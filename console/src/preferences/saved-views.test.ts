import { beforeEach, expect, it, vi } from 'vitest';
import { deleteView, MOST_VIEWS, savedViews, saveView } from './saved-views.js';

const stored = new Map<string, string>();
let page: EventTarget;
beforeEach(() => {
  stored.clear();
  page = new EventTarget();
  vi.stubGlobal('window', page);
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  });
  return () => vi.unstubAllGlobals();
});

it('keeps views by name, and replaces one with the same name', () => {
  saveView('acct_a', { name: 'Policies', search: '?type=a' });
  saveView('acct_a', { name: 'Keys', search: '?type=b' });
  saveView('acct_a', { name: 'Policies', search: '?type=c' });
  expect(savedViews('acct_a')).toEqual([
    { name: 'Keys', search: '?type=b' },
    { name: 'Policies', search: '?type=c' },
  ]);
  expect(JSON.parse(stored.get('waybill.views.acct_a') ?? '')).toHaveLength(2);
});

it('keeps the views of each account apart', () => {
  saveView('acct_b', { name: 'Keys', search: '' });
  expect(savedViews('acct_c')).toEqual([]);
  deleteView('acct_b', 'Keys');
  expect(savedViews('acct_b')).toEqual([]);
});

it('ignores what is no list of views', () => {
  stored.set('waybill.views.acct_d', '[{"name": 7}, {"name": "x", "search": "?a=b"}]');
  stored.set('waybill.views.acct_e', '{');
  expect(savedViews('acct_d')).toEqual([{ name: 'x', search: '?a=b' }]);
  expect(savedViews('acct_e')).toEqual([]);
});

it('has the views that another tab saved, also while nothing shows them', () => {
  saveView('acct_f', { name: 'Keys', search: '' });
  const [key, both] = ['waybill.views.acct_f', ['Keys', 'Policies'].map((name) => ({ name, search: '' }))];
  stored.set(key, JSON.stringify(both));
  page.dispatchEvent(Object.assign(new Event('storage'), { key }));
  saveView('acct_f', { name: 'Users', search: '' });
  expect(savedViews('acct_f').map(({ name }) => name)).toEqual(['Keys', 'Policies', 'Users']);
});

it('refuses one view too many, and loses none', () => {
  const names = Array.from({ length: MOST_VIEWS }, (_, index) => `view ${index}`);
  for (const name of names) expect(saveView('acct_g', { name, search: '' })).toBe(true);
  expect(saveView('acct_g', { name: 'A new one', search: '' })).toBe(false);
  expect(saveView('acct_g', { name: 'view 7', search: '?type=a' })).toBe(true);
  expect(new Set(savedViews('acct_g').map(({ name }) => name))).toEqual(new Set(names));
});
