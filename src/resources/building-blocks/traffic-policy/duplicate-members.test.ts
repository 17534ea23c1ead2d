import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { duplicateMembers } from './duplicate-members.js';

const pointersIn = (json: string): string[] => duplicateMembers(json).map(({ pointer }) => pointer);

describe('members that repeat a name', () => {
  test.each([
    ['{"a":1,"a":2}', ['/a']],
    ['{"a":1,"\\u0061":2}', ['/a']],
    ['{"a":1,"a":2,"a":3}', ['/a', '/a']],
    ['{"a":[{"b":1},{"b":1,"c":{"d":1,"d":2}}]}', ['/a/1/c/d']],
    ['[[{"a":{},"b":[],"a":[]}]]', ['/0/0/a']],
    ['{"a/b~c":1,"a/b~c":2}', ['/a~1b~0c']],
    ['{"":1,"":2}', ['/']],
    ['{"__proto__":1,"__proto__":2}', ['/__proto__']],
    ['{"a\\"":1,"a\\"":2, "b\\\\":1 , "b\\\\" : 2}', ['/a"', '/b\\']],
  ])('are found in %s', (json, pointers) => {
    expect(pointersIn(json)).toEqual(pointers);
  });

  test.each([
    '{"a":{"a":1},"b":{"a":1}}',
    '[{"a":1},{"a":2}]',
    '{"a":"a","b":"a,\\"a\\":{"}',
    '{"a":["a","a"],"A":1}',
    '"a"',
    '[]',
  ])('are not seen in %s', (json) => {
    expect(pointersIn(json)).toEqual([]);
  });

  test('do not occur in the JSON of any value', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        expect(pointersIn(json)).toEqual([]);
      }),
    );
  });

  test('are found wherever one is added', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { maxLength: 5 }), fc.string(), fc.jsonValue(), (path, name, value) => {
        const twice = `{${JSON.stringify(name)}:${JSON.stringify(value)},${JSON.stringify(name)}:1}`;
        const json = path.reduceRight((inner, outer) => `{${JSON.stringify(outer)}:[${inner}]}`, twice);
        expect(pointersIn(json)).toHaveLength(1);
      }),
    );
  });

  test('are at most 50 errors', () => {
    expect(pointersIn(`{${Array(200).fill('"a":1').join()}}`)).toHaveLength(50);
  });
});
