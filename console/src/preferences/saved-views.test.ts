import { beforeEach, expect, it, vi } from 'vitest';
import { deleteView, savedViews, saveView } from './saved-views.js';

const stored = new Map<string, string>();
beforeEach(() => {
  stored.clear();
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
