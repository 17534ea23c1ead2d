import { describe, expect, it } from 'vitest';
import { familyNamed, type Family } from './families.js';
import { ranked } from './names.js';

const SUFFIX = '01jd000000000000000000000';
const bot = familyNamed('bot_user') as Family;
const named = (name: string, last: number) => ({ id: `bot_${SUFFIX}${last}`, name, family: bot });

describe('the resources that a text finds', () => {
  const deploy = named('deploy', 1);
  const robot = named('Robot of Berlin', 2);
  const nameless = { ...named('', 3), name: `bot_${SUFFIX}3` };
  const likeAnId = named(`copy of bot_${SUFFIX}1`, 4);

  it('are those with the words in their names, and not all whose ids have the letters', () => {
    expect(ranked([deploy, robot, nameless], 'bot')).toEqual([robot]);
    expect(ranked([deploy, robot, nameless], 'berlin robot')).toEqual([robot]);
    expect(ranked([deploy, robot], '01jd0')).toEqual([]);
    const teams = ['Team 57', 'Team 7', 'Team 70'].map((name) => ({ ...robot, name }));
    expect(ranked(teams, 'team 7').map(({ name }) => name)).toEqual(['Team 7', 'Team 57', 'Team 70']);
  });

  it('are also those whose ids begin with it, after the names', () => {
    expect(ranked([deploy, robot, nameless, likeAnId], `BOT_${SUFFIX}1`)).toEqual([likeAnId, deploy]);
    expect(ranked([deploy, nameless], 'bot_01')).toEqual([deploy, nameless]);
    expect(ranked([deploy, nameless], 'bot_0')).toEqual([]);
  });
});
