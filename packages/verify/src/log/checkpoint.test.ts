import { generateKeyPairSync, sign } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CheckpointError, checkpointText, logKey, openCheckpoint, parseCheckpoint } from './checkpoint.js';
import { EMPTY_ROOT } from './merkle.js';
import { isSignedBy, noteKey, parseVkey, vkeyOf } from './note-key.js';
import { formatNote, noteSignature, parseNote } from './note.js';
import { formatLogProof, parseLogProof } from './tlog-proof.js';

/** The example of https://c2sp.org/signed-note. */
const EXAMPLE_VKEY = 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k';
const EXAMPLE_NOTE =
  'This is an example message.\n\n' +
  '— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n';

function pair(name: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
  return {
    key: noteKey(name, raw),
    signed: (text: string, as = name) => noteSignature(noteKey(as, raw), sign(null, Buffer.from(text), privateKey)),
  };
}

const installation = pair('waybill.example.com');
const ORIGIN = 'waybill.example.com/ed_1/1';
const text = checkpointText({ origin: ORIGIN, size: 12, root: EMPTY_ROOT });
const note = formatNote(text, [installation.signed(text, ORIGIN)]);

function faultOf(action: () => unknown): string {
  try {
    action();
    return 'none';
  } catch (error) {
    return error instanceof CheckpointError ? error.fault : String(error);
  }
}

describe('a note', () => {
  it('is the one of the specification', () => {
    const key = parseVkey(EXAMPLE_VKEY);
    const parsed = parseNote(EXAMPLE_NOTE);
    const [signature] = parsed.signatures;
    expect(parsed.text).toBe('This is an example message.\n');
    expect(signature).toMatchObject({ name: key.name, id: key.id });
    expect(isSignedBy(key, parsed.text, signature?.signature ?? new Uint8Array())).toBe(true);
    expect(isSignedBy(key, `${parsed.text} `, signature?.signature ?? new Uint8Array())).toBe(false);
    expect(vkeyOf(key)).toBe(EXAMPLE_VKEY);
    expect(formatNote(parsed.text, parsed.signatures)).toBe(EXAMPLE_NOTE);
  });

  it.each([
    ['a text without signatures', 'text\n'],
    ['a signature that does not end', 'text\n\n— name AAAAAAAA'],
    ['a signature without bytes', 'text\n\n— name AAAAAA==\n'],
    ['another dash', 'text\n\n- name AAAAAAAA\n'],
    ['base64 that is written in another way', 'text\n\n— name AAAAAAB=\n'],
    ['a control character', 'te\u0007xt\n\n— name AAAAAAAA\n'],
    ['a carriage return', 'text\r\n\n— name AAAAAAAA\n'],
    ['more than a name and a signature', 'text\n\n— name AAAAAAAA more\n'],
    ['too many signatures', `text\n\n${'— name AAAAAAAA\n'.repeat(101)}`],
  ])('is not %s', (_, wrong) => {
    expect(() => parseNote(wrong)).toThrow(/note/);
  });

  it('may have empty lines in its text', () => {
    expect(parseNote('a\n\nb\n\n— name AAAAAAAA\n')).toMatchObject({ text: 'a\n\nb\n' });
  });
});

describe('a verifier key', () => {
  it.each([
    ['of another type', EXAMPLE_VKEY.replace('+Aeky', '+Auky'), 'is not of Ed25519 signatures (type 1)'],
    ['with another id', EXAMPLE_VKEY.replace('530d903a', '530d903b'), 'has the id 530d903b'],
    ['that is cut', EXAMPLE_VKEY.slice(0, -4), 'has 32 bytes'],
    ['that is none', 'example.com/foo', 'This is no verifier key'],
  ])('%s is refused', (_, vkey, reason) => {
    expect(() => parseVkey(vkey)).toThrow(reason);
  });
});

describe('a checkpoint', () => {
  it('is opened with the key of the installation, or of its log', () => {
    const expected = { origin: ORIGIN, size: 12, root: Uint8Array.from(EMPTY_ROOT) };
    expect(openCheckpoint(note, [installation.key])).toEqual(expected);
    expect(openCheckpoint(note, [noteKey(ORIGIN, installation.key.publicKey)])).toEqual(expected);
    expect(openCheckpoint(note, [pair('other.example').key, installation.key])).toEqual(expected);
  });

  it('may have signatures of others', () => {
    const witness = pair('witness.example');
    const both = formatNote(text, [witness.signed('something else'), installation.signed(text, ORIGIN)]);
    expect(openCheckpoint(both, [installation.key])).toMatchObject({ origin: ORIGIN });
    expect(faultOf(() => openCheckpoint(both, [witness.key]))).toBe('unknown_key');
  });

  it('of a key that is not given is refused', () => {
    const other = pair('waybill.example.com');
    expect(faultOf(() => openCheckpoint(note, [other.key]))).toBe('unknown_key');
    expect(faultOf(() => openCheckpoint(note, [pair('waybill.example').key]))).toBe('unknown_key');
    expect(logKey('waybill.example.com.evil/ed_1/1', installation.key)).toBeNull();
  });

  it('that was changed is refused, whatever the change', () => {
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.constantFrom('0', '9', 'a', '/', '\n', ''), (at, character) => {
        const changed = note.slice(0, at) + character + note.slice(at + 1);
        fc.pre(changed !== note);
        expect(faultOf(() => openCheckpoint(changed, [installation.key]))).toMatch(/malformed|forged|unknown_key/);
      }),
    );
    const forged = formatNote(text.replace('12', '13'), parseNote(note).signatures);
    expect(faultOf(() => openCheckpoint(forged, [installation.key]))).toBe('forged');
  });

  it.each([
    'o\n1\n',
    'o\n01\nAAAA\n',
    `o\n1\n${'A'.repeat(43)}=`,
    `o\n1\n${'A'.repeat(43)}=\n\nx\n`,
    `\n1\n${'A'.repeat(43)}=\n`,
  ])('is not %j', (wrong) => {
    expect(faultOf(() => parseCheckpoint(wrong))).toBe('malformed');
  });
});

describe('a proof of a log', () => {
  it('has the form of the specification', () => {
    const proof = { index: 3, hashes: [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)], checkpoint: note };
    const written = formatLogProof(proof);
    expect(written).toBe(
      `c2sp.org/tlog-proof@v1\nindex 3\nAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=\nAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI=\n\n${note}`,
    );
    expect(parseLogProof(written)).toEqual(proof);
    expect(parseLogProof(written.replace('index', 'extra AAAA\nindex'))).toEqual(proof);
    expect(parseLogProof(formatLogProof({ ...proof, hashes: [] }))).toEqual({ ...proof, hashes: [] });
  });

  it.each(['', 'index 3\n\n', 'c2sp.org/tlog-proof@v1\nindex 03\n\n', 'c2sp.org/tlog-proof@v1\nindex 3\nAAAA\n\n'])(
    'is not %j',
    (wrong) => {
      expect(() => parseLogProof(wrong)).toThrow('This is no proof');
    },
  );
});
