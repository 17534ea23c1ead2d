import { expect, it } from 'vitest';
import { beginOf, labelOf } from './resource-label.js';

const base = { id: 'ipp_1', uri: 'x' };

it('names a resource by its description, its name or its address, and by its id without any', () => {
  expect(labelOf({ ...base, description: 'office', name: 'n' })).toBe('office');
  expect(labelOf({ ...base, description: null, name: 'robot' })).toBe('robot');
  expect(labelOf({ ...base, description: '  ', hostports: ['app.example.com:443'] })).toBe('app.example.com:443');
  expect(labelOf({ ...base, description: null, hostports: [] })).toBe('ipp_1');
});

it('knows when a resource came into being', () => {
  expect(beginOf({ ...base, created_at: 'a' })).toBe('a');
  expect(beginOf({ ...base, started_at: 'b' })).toBe('b');
  expect(beginOf(base)).toBeUndefined();
});
