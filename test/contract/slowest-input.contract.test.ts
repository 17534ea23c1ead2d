import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { unboundedFields } from '../../src/bounds/unbounded-fields.js';
import { CertificateReader } from '../../src/certificates/reading/certificate-reader.js';
import { MAX_PEM_BYTES } from '../../src/certificates/reading/pem.js';
import { inputErrors, sentenceOf } from '../../src/http/problems/input-errors.js';
import {
  policyErrorDetails,
  MAX_POLICY_BYTES,
} from '../../src/resources/building-blocks/traffic-policy/traffic-policy.js';
import { makeCertificate } from '../../tools/harness/certificates.js';
import { cpuTimeOf } from '../support/cpu-time.js';
import { der, derCertificate, pem } from '../support/der.js';
import { inputSchemas } from '../support/input-schemas.js';
import { textFields } from '../support/text-fields.js';

/** Most CPU time of one validation, as a multiple of the reference. The slowest takes half of the reference. */
const MOST = 1.5;
/** A body of the largest size, without the rest of its JSON. */
const WHOLE_BODY = 240_000;
/** Fixed seed: every run generates the same texts. */
const SEED = 20_260_101;
/** Generated texts for each field, after each piece alone. */
const RUNS = 15;

/** Pieces of texts that are slow for some parser, pattern or table. */
const pieces = [
  'a', 'A', '0', '.', 'a.', '-', '_', ' ', '\t', '\n', '/', ':', ',', '=', '*', '?', '#', '%', '@', '"', '\\', '~',
  'ß', 'é', '\u0301', '\u202e', '٣', '中', '😀', 'a\u0300.', 'xn--', 'xn--a.', '１', 'ａ.',
  '(', ')', '[', ']', '{', '}', '<', '>', '(a*)*', '(?:', '(?i)', '[a-', '[^', '\\pL', '\\PL', '[\\pL\\PN]', '\\x{1e942}',
  '(?i)[b-\\x{1e941}]', '[b-\u{1e941}]', 'a{9}', '{1,9}', '(((((a){2}){2}){2}){2}){2}', '|', '^', '$', '\\d', '(?P<a>',
  'a:b,', 'a@', 'a@a.', 'https://', '::', '1.', ':1', '/0', 'arn:aws:', 'dcr-', 'http://a:1/',
  '<a>', '<a b="c">', '</a>', '<a xmlns:a="b">', '&lt;', '&#1;', '<!--', ' a="b"', '<?a?>', '<![CDATA[',
  '{"a":', '[[', '{}', '{},', '"a":1,', '\\u0000', '1e9', 'null,', '{"on_http_request":[', '{"name":"a","actions":[',
  '- ', '- - ', 'a: ', 'a:\n', '\n a:', '&a ', '*a ', '- &a [*a]\n', '? ', '|\n', '>\n', "'", '!a ', '{a: ', '[a, ', '---\n', '%YAML',
  '-----BEGIN CERTIFICATE-----', '-----END CERTIFICATE-----', '-----BEGIN ', 'MIIB',
] as const; // prettier-ignore

/** Fills `length` characters with repetitions of some pieces. */
function fill(parts: readonly string[], length: number): string {
  const share = Math.max(1, Math.floor(length / parts.length));
  return parts
    .map((part) => part.repeat(Math.ceil(share / part.length)).slice(0, share))
    .join('')
    .slice(0, length);
}

/** A text, in parts: fast-check prints it when the text is slow. */
interface Recipe {
  readonly start: string;
  readonly parts: readonly string[];
  readonly end: string;
  readonly length: number;
}

function textOf({ start, parts, end, length }: Recipe): string {
  return `${start}${fill(parts, Math.max(0, length - start.length - end.length))}${end}`.slice(0, length);
}

/** Texts of these lengths. */
function recipes(lengths: readonly number[], example?: string): fc.Arbitrary<Recipe> {
  const piece = fc.constantFrom(...pieces, ...(example === undefined ? [] : [example]));
  return fc.record({
    start: fc.oneof(fc.constant(''), piece),
    parts: fc.array(piece, { minLength: 1, maxLength: 4 }),
    end: fc.oneof(fc.constant(''), piece),
    length: fc.constantFrom(...lengths),
  });
}

/** Each piece alone. */
function alone(length: number): [Recipe][] {
  return pieces.map((piece): [Recipe] => [{ start: '', parts: [piece], end: '', length }]);
}

/** As a whole body, a field checks one piece of this many: it would take too long to check all. */
const PIECES_OF_FIELD = 8;

/**
 * Each piece alone, and some as a whole body. Which ones depends on the number of the field: all occur over the fields.
 */
function aloneInField(most: number, field: number): [Recipe][] {
  return [...alone(most), ...alone(WHOLE_BODY).filter((_, piece) => (piece + field) % PIECES_OF_FIELD === 0)];
}

async function expectFast(name: string, run: () => unknown): Promise<void> {
  const time = await cpuTimeOf(run, MOST);
  expect(time, `${name} took ${time} times the CPU time of the reference`).toBeLessThanOrEqual(MOST);
}

const schemas = await inputSchemas();

describe.each(schemas)('the input of $name', ({ schema }) => {
  it('has no field without a bound', () => {
    expect(unboundedFields(schema)).toEqual([]);
  });
});

/** The fields of text of all operations. The operations of a family share fields, and all families share some. */
function distinctFields() {
  const seen = new Set<object>();
  const found = schemas.flatMap(({ name, schema }) =>
    textFields(schema).map((field) => ({ name: `${name} ${field.path}`, schema, field })),
  );
  return found.filter(({ field: { checks } }) => {
    const isNew = checks.some((check) => !seen.has(check));
    for (const check of checks) seen.add(check);
    return isNew;
  });
}

const fields = distinctFields();

it('has many fields of text', () => {
  expect(fields.length).toBeGreaterThan(40);
});

it.each(fields)('takes little CPU time in $name, whatever its text', async (given) => {
  const { name, schema, field } = given;
  const { most, example, place } = field;
  const examples = aloneInField(most, fields.indexOf(given));
  await fc.assert(
    fc.asyncProperty(recipes([most, most, most, WHOLE_BODY], example), async (recipe) => {
      const text = textOf(recipe);
      // Items differ, so that no check of duplicates ends the validation.
      const body = place((item) => `${text.slice(0, -3)}${item}`, Math.floor(WHOLE_BODY / (text.length + 1)));
      await expectFast(name, () => {
        const { error } = schema.safeParse(body, { error: sentenceOf });
        if (error) inputErrors(error.issues, 'body');
      });
    }),
    { seed: SEED, numRuns: RUNS + examples.length, examples },
  );
});

describe('input that is checked after its schema', () => {
  const reader = new CertificateReader();
  afterAll(() => reader.close());

  it('takes little CPU time in a traffic policy, whatever its text', async () => {
    // A policy is validated for one kind of traffic.
    const expectFastPolicy = async (name: string, text: string) => {
      for (const traffic of ['HTTP', 'TCP'] as const) await expectFast(name, () => policyErrorDetails(text, traffic));
    };
    for (const item of ['{}', '{"actions":[{}]}', '0', '{"actions":[{"type":"deny","config":{"a":1}}]}']) {
      const count = Math.floor((MAX_POLICY_BYTES - 30) / (item.length + 1));
      const list = Array.from({ length: count }, () => item).join(',');
      await expectFastPolicy(`a policy of many ${item}`, `{"on_http_request":[${list}]}`);
    }
    for (const line of [
      '- a\n',
      '- {}\n',
      '- name: a\n',
      '- &a a\n',
      '- *a\n',
      '- "a"\n',
      '- - a\n',
      'a: b\n',
      '- [a, b]\n',
    ]) {
      const list = line.repeat((MAX_POLICY_BYTES - 30) / line.length);
      await expectFastPolicy(`a policy of many ${JSON.stringify(line)}`, `on_http_request:\n${list}`);
    }
    const examples = alone(MAX_POLICY_BYTES);
    await fc.assert(
      fc.asyncProperty(recipes([MAX_POLICY_BYTES]), (recipe) => expectFastPolicy('a policy', textOf(recipe))),
      { seed: SEED, numRuns: RUNS + examples.length, examples },
    );
  });

  it('takes little CPU time in a certificate or key, whatever its text', async () => {
    const { certificate, key } = await makeCertificate();
    const check = async (text: string): Promise<void> => {
      const ignore = () => undefined;
      await expectFast('a certificate', () => reader.readPair(text, key).catch(ignore));
      await expectFast('a private key', () => reader.readPair(certificate, text).catch(ignore));
      await expectFast('an authority', () => reader.readAuthority(text).catch(ignore));
    };
    const bytes = Math.floor(MAX_PEM_BYTES * 0.7);
    const many = (item: Buffer) => der(0x30, ...Array.from({ length: Math.floor(bytes / item.length) }, () => item));
    const publicKey = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'der' });
    const dnsNames = Array.from({ length: 2_500 }, (_, index) => `n${index}.a`);
    const contents = [
      derCertificate({ publicKey, dnsNames }),
      derCertificate({ publicKey, commonName: der(0x1c, Buffer.alloc(bytes - (bytes % 4), '\0\0\0a')) }),
      many(der(0x05)),
      many(der(0x30, der(0x31, der(0x30, der(0x06, 'UUU'), der(0x0c, 'a'))))),
      der(0x30, der(0x06, Buffer.alloc(bytes, 0xff))),
      Buffer.alloc(bytes, Buffer.from([0x30, 0x80])),
    ];
    for (const content of contents)
      for (const label of ['CERTIFICATE', 'PRIVATE KEY']) await check(pem(label, content));
    const examples = alone(MAX_PEM_BYTES);
    await fc.assert(
      fc.asyncProperty(recipes([MAX_PEM_BYTES]), (recipe) => check(textOf(recipe))),
      { seed: SEED, numRuns: RUNS + examples.length, examples },
    );
  });
});
