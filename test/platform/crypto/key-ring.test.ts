import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { KeyRing, SealBroken } from '../../../src/platform/crypto/key-ring.js';

const ring = KeyRing.parse(KeyRing.generate());
const key = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;

function reasonFor(open: () => unknown): string {
  try {
    open();
    return 'opened';
  } catch (error) {
    if (error instanceof SealBroken) return error.reason;
    throw error;
  }
}

test('whatever JSON goes in comes out again', () => {
  fc.assert(
    fc.property(fc.string(), fc.jsonValue(), (identity, value) => {
      expect(JSON.stringify(ring.open(identity, ring.seal(identity, value)))).toBe(JSON.stringify(value));
    }),
  );
});

test('a seal with any bit flipped is refused', () => {
  const sealed = ring.seal('beneficiary/acc-1/b-1', { taxId: '123-45-6789' });
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const changed = Buffer.from(sealed);
    changed[bit >> 3]! ^= 1 << (bit & 7);
    expect(reasonFor(() => ring.open('beneficiary/acc-1/b-1', changed))).not.toBe('opened');
  }
});

test('a seal that is cut anywhere, or has more behind it, is refused', () => {
  const sealed = ring.seal('a', 'b');
  for (let length = 0; length < sealed.length; length++) {
    expect(reasonFor(() => ring.open('a', sealed.subarray(0, length)))).not.toBe('opened');
  }
  expect(reasonFor(() => ring.open('a', Buffer.concat([sealed, Buffer.alloc(1)])))).toBe('broken');
});

test('a seal of one record does not open as that of another', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: 'grapheme' }),
      fc.jsonValue(),
      (mine, other, value) => {
        fc.pre(mine !== other);
        expect(reasonFor(() => ring.open(other, ring.seal(mine, value)))).toBe('broken');
      },
    ),
  );
});

test('the same value never seals to the same bytes, and its length is blurred', () => {
  expect(ring.seal('a', 'value')).not.toEqual(ring.seal('a', 'value'));
  expect(ring.seal('a', 'Al')).toHaveLength(ring.seal('a', 'Bartholomew').length);
});

test('what has no JSON cannot be sealed', () => {
  expect(() => ring.seal('a', undefined)).toThrow(TypeError);
});

test('the first key of the ring seals, and the older ones still open', () => {
  const [older, newer] = [key('older'), key('newer')];
  const before = KeyRing.parse(older);
  const sealedBefore = before.seal('a', 1);
  const rotated = KeyRing.parse(`${newer},${older}`);
  const sealedAfter = rotated.seal('a', 2);

  expect(rotated.open('a', sealedBefore)).toBe(1);
  expect([rotated.keyIdOf(sealedBefore), rotated.keyIdOf(sealedAfter)]).toEqual(['older', 'newer']);
  expect([rotated.isCurrent(sealedBefore), rotated.isCurrent(sealedAfter)]).toEqual([false, true]);
  expect(KeyRing.parse(`${older},${newer}`).isCurrent(sealedBefore)).toBe(true);
  expect(reasonFor(() => before.open('a', sealedAfter))).toBe('unknown_key');
});

test('another key under the same id does not open', () => {
  const sealed = KeyRing.parse(key('k1')).seal('a', 'value');
  expect(reasonFor(() => KeyRing.parse(key('k1')).open('a', sealed))).toBe('broken');
});

test('refusals to open hold nothing of what was sealed, and tell a missing key from damage', () => {
  const messages = [new SealBroken('broken').message, new SealBroken('unknown_key').message];
  expect(new Set(messages).size).toBe(2);
  const sealed = ring.seal('customer/c-1', { taxId: '123-45-6789' });
  sealed[sealed.length - 1]! ^= 1;
  expect(() => ring.open('customer/c-1', sealed)).toThrow(messages[0]);
});

test('a digest is the same for the same text and purpose, and for nothing else', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string(), { minLength: 4, maxLength: 4 }),
      ([purpose = '', text = '', otherPurpose = '', otherText = '']) => {
        expect(ring.digest(purpose, text)).toEqual(ring.digest(purpose, text));
        fc.pre(purpose !== otherPurpose || text !== otherText);
        expect(ring.digest(purpose, text)).not.toEqual(ring.digest(otherPurpose, otherText));
      },
    ),
  );
  expect(ring.digest('a', 'b:c')).not.toEqual(ring.digest('a:b', 'c'));
});

test('during a rotation a look-up finds digests of both keys', () => {
  const [older, newer] = [key('older'), key('newer')];
  const before = KeyRing.parse(older).digest('card', '4111111111111111');
  const rotated = KeyRing.parse(`${newer},${older}`);

  const digests = rotated.digests('card', '4111111111111111');
  expect(digests).toEqual([rotated.digest('card', '4111111111111111'), before]);
});

test('a generated ring can be parsed, and each has another id', () => {
  const [one, two] = [KeyRing.generate(), KeyRing.generate()];
  expect(one.split(':')[0]).not.toBe(two.split(':')[0]);
  expect(KeyRing.parse(`${one}, ${two}`).digests('a', 'b')).toHaveLength(2);
});

test.each([
  ['nothing', '', 1],
  ['no id', `:${'A'.repeat(43)}=`, 1],
  ['a bad id', `k 1:${'A'.repeat(43)}=`, 1],
  ['a long id', `${'k'.repeat(33)}:${'A'.repeat(43)}=`, 1],
  ['a short key', `${key('k1')},k2:${'A'.repeat(42)}`, 2],
  ['a long key', `k1:${'A'.repeat(44)}`, 1],
  ['no base64', `k1:${'*'.repeat(43)}=`, 1],
  ['a comma at the end', `${key('k1')},`, 2],
  ['an id twice', `${key('k1')},${key('k2')},${key('k1')}`, 3],
])('a ring with %s is refused by position, without key material', (_what, text, position) => {
  const refusal = (() => {
    try {
      KeyRing.parse(text);
      return 'parsed';
    } catch (error) {
      return error instanceof Error ? error.message : '';
    }
  })();
  expect(refusal).toContain(`Key ${position} of the key ring`);
  expect(refusal).not.toMatch(/AAAA|\*\*/);
});

test('a ring of more keys than any look-up should try is refused', () => {
  expect(() => KeyRing.parse(Array.from({ length: 33 }, (_, index) => key(`k${index}`)).join(','))).toThrow(
    'at most 32 keys',
  );
});
