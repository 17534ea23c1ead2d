import { describe, expect, it } from 'vitest';
import { familyNamed, type Family } from '../api/families.js';
import { restNote } from './names-note.js';

const deploy = { id: 'bot_1', name: 'deploy', family: familyNamed('bot_user') as Family };

describe('the resources that a text finds', () => {
  it('are not all offered, which the note says', () => {
    const all = { resources: [deploy], more: 0, cut: [], failed: [] };
    expect(restNote(all)).toBeNull();
    expect(restNote({ ...all, more: 1_233 })).toBe('1 of 1,234 resources are offered: type more.');
  });

  it('are looked for in the lists that were read, which the note says', () => {
    expect(restNote({ resources: [], more: 0, cut: ['bot users'], failed: ['API keys', 'IP policies'] })).toBe(
      'Only the newest 300 names were searched of: bot users. Their ids find the others. ' +
        'These lists could not be read: API keys, IP policies.',
    );
  });
});
