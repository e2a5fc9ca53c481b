import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isDay } from '../../src/shared/calendar.js';
import { canonicalJson, type Json } from '../../src/shared/json.js';
import { mask, maskEmail } from '../../src/shared/mask.js';
import { currencyDigits, decimalOf } from '../../src/shared/money.js';
import { positionOf, sliceOf, windowOf } from '../../src/shared/page.js';
import { Caller, SCOPES } from '../../src/shared/caller.js';
import { InvalidInput } from '../../src/shared/errors.js';
import { anyCharacters } from '../support/any-characters.js';

describe('canonical JSON', () => {
  test('is JSON that says the same', () => {
    fc.assert(
      fc.property(fc.jsonValue(), value =>
        expect(JSON.parse(canonicalJson(value as Json))).toEqual(JSON.parse(JSON.stringify(value))),
      ),
    );
  });

  test('does not depend on the order of names', () => {
    fc.assert(
      fc.property(fc.jsonValue(), value =>
        expect(canonicalJson(shuffled(value) as Json)).toBe(canonicalJson(value as Json)),
      ),
    );
  });

  test('leaves absent fields out, and keeps null', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), (fields, name) => {
        const { [name]: _gone, ...without } = fields;
        expect(canonicalJson({ ...without, [name]: undefined })).toBe(canonicalJson(without));
        expect(canonicalJson({ ...without, [name]: null })).not.toBe(canonicalJson(without));
      }),
    );
  });

  test('differs for data that differs', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        const same = JSON.stringify(sortedNames(one)) === JSON.stringify(sortedNames(other));
        expect(canonicalJson(one as Json) === canonicalJson(other as Json)).toBe(same);
      }),
    );
  });
});

describe('a decimal', () => {
  const currencies = { USD: 2, EUR: 2, JPY: 0, KRW: 0, BHD: 3, TND: 3, CLF: 4, UYW: 4, XYZ: 2 };

  test('has the digits of its currency and is the amount again without its point', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }),
        fc.constantFrom(...Object.keys(currencies)),
        (amount, currency) => {
          const digits = currencies[currency as keyof typeof currencies];
          expect(currencyDigits(currency)).toBe(digits);
          const text = decimalOf(amount, currency);
          expect(text).toMatch(digits === 0 ? /^-?(0|[1-9]\d*)$/ : new RegExp(`^-?(0|[1-9]\\d*)\\.\\d{${digits}}$`));
          expect(BigInt(text.replace('.', ''))).toBe(amount);
        },
      ),
    );
  });

  test.each([
    [0n, 'USD', '0.00'],
    [-1n, 'USD', '-0.01'],
    [-100n, 'JPY', '-100'],
    [0n, 'JPY', '0'],
    [5n, 'BHD', '0.005'],
    [-12345n, 'CLF', '-1.2345'],
  ])('of %s in %s is %s', (amount, currency, text) => expect(decimalOf(amount, currency)).toBe(text));
});

test('a day is one that JavaScript has, too', () => {
  const two = (number: number): string => String(number).padStart(2, '0');
  for (const year of ['0001', '1600', '1700', '1900', '1999', '2000', '2023', '2024', '9999']) {
    for (let month = 0; month <= 13; month++) {
      for (let day = 0; day <= 32; day++) {
        const text = `${year}-${two(month)}-${two(day)}`;
        const midnight = new Date(text);
        // `Date` takes 30 February for 2 March.
        const isThere = !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(text);
        expect([text, isDay(text)]).toEqual([text, isThere]);
      }
    }
  }
  for (const text of ['0000-01-01', '2024-1-01', '2024-01-01T00:00:00Z', '', '20240101']) {
    expect(isDay(text)).toBe(false);
  }
});

test('a mask shows the last four characters of longer texts alone, and the length', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme-ascii', maxLength: 40 }), text => {
      const masked = mask(text);
      expect(masked).toHaveLength(text.length);
      const shown = text.length > 4 ? text.slice(-4) : '';
      expect(masked).toBe('*'.repeat(text.length - shown.length) + shown);
      expect(mask(masked)).toBe(masked.length > 4 ? masked : '*'.repeat(masked.length));
    }),
  );
});

test.each([
  ['ada.lovelace@example.com', 'a***@example.com'],
  ['"a@b"@example.com', '"***@example.com'],
  ['𝒶da@example.com', '𝒶***@example.com'],
  ['@example.com', '@***'],
  ['', '***'],
])('of the e-mail address %s a mask shows the first character and the domain', (address, masked) => {
  expect(maskEmail(address)).toBe(masked);
});

describe('a cursor', () => {
  test('gives its position back, and needs no encoding in an address', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), position => {
        const cursor = sliceOf([position], windowOf({ first: 1 }, String), String).cursorAt(0);
        expect(positionOf(cursor, /^[^]*$/)).toBe(position);
        expect(encodeURIComponent(cursor)).toBe(cursor);
      }),
    );
  });

  test('of any other kind is refused, and nothing else happens', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), anyCharacters(), fc.base64String()), text => {
        const form = /^\d{1,9}$/;
        try {
          expect(positionOf(text, form)).toMatch(form);
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidInput);
          expect((error as InvalidInput).errors[0]?.pointer).toBe('/after');
        }
      }),
    );
  });
});

test('pages of any sizes together are the list', () => {
  fc.assert(
    fc.property(
      fc.nat(60),
      fc.array(fc.integer({ min: 1, max: 120 }), { minLength: 61, maxLength: 61 }),
      (length, sizes) => {
        const list = Array.from({ length }, (_, index) => index + 1);
        const seen: number[] = [];
        let after = 0;
        for (const first of sizes) {
          const window = windowOf({ first, after: after > 0 ? 'x' : null }, () => after);
          const { limit } = window;
          expect(limit).toBe(Math.min(first, 100));
          const slice = sliceOf(list.slice(after, after + limit + 1), window, String);
          seen.push(...slice.nodes);
          after += slice.nodes.length;
          expect(slice.hasPreviousPage).toBe(after > slice.nodes.length);
          if (!slice.hasNextPage) break;
        }
        expect(seen).toEqual(list);
      },
    ),
  );
});

test('a page of no elements, and one from both ends, is refused with every problem named', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer({ max: 0 }), (first, last) => {
      expect(() => windowOf({ first, last }, String)).toThrow(
        expect.objectContaining({
          errors: [
            { pointer: '/last', code: 'range', detail: expect.any(String) },
            { pointer: '/first', code: 'range', detail: expect.any(String) },
          ],
        }),
      );
    }),
  );
});

describe('a caller', () => {
  const identity = { program: 'p', clientId: 'c', subject: 's', customerId: null, scopes: new Set(SCOPES) };

  test('who belongs to a customer never may what is for the whole program', () => {
    expect(new Caller(identity, 'r').may('operations')).toBe(true);
    expect(new Caller({ ...identity, customerId: 'x' }, 'r').may('operations')).toBe(false);
    expect(new Caller({ ...identity, customerId: 'x' }, 'r').may('accounts.read')).toBe(true);
  });

  test('whose request was answered from records alone is told so', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ position: fc.constantFrom(1, 2), isReplay: fc.boolean() })), outcomes => {
        const caller = new Caller(identity, 'r', { key: 'k', place: null, outcomes });
        expect(caller.replayed).toBe(outcomes.length > 0 && outcomes.every(({ isReplay }) => isReplay));
        const seconds = outcomes.filter(({ position }) => position === 2);
        const second = caller.forWrite({ position: 2, of: 3 });
        expect(second.replayed).toBe(seconds.length > 0 && seconds.every(({ isReplay }) => isReplay));
        expect(second.idempotency).toEqual({
          key: 'k',
          place: { position: 2, of: 3 },
          outcomes,
        });
      }),
    );
  });
});

function shuffled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shuffled);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, item]) => [name, shuffled(item)]),
  );
}

function sortedNames(value: unknown): unknown {
  if (Array.isArray(value)) return ['list', ...value.map(sortedNames)];
  if (value === null || typeof value !== 'object') return value;
  return [
    'object',
    ...Object.entries(value)
      .map(([name, item]) => [name, sortedNames(item)])
      .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
  ];
}
