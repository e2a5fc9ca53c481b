import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { redact } from '../redact.js';
import { rounds } from '../../../test/support/rounds.js';

const JWT = 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiJ1c2VyLTcifQ.c2lnbmF0dXJl';

function withLuhnDigit(digits: string): string {
  const sum = [...digits]
    .reverse()
    .reduce(
      (total, digit, index) =>
        total + (index % 2 === 1 ? Number(digit) : Number(digit) * 2 - (Number(digit) > 4 ? 9 : 0)),
      0,
    );
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

const digits = (least: number, most: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: least, maxLength: most });
/** Fourteen digits that begin with 20 may be an instant, which stays. A card number of that length begins with 3. */
const cardNumber = digits(12, 18)
  .map(withLuhnDigit)
  .filter(number => number.length !== 14 || !number.startsWith('20'));
const groupedCard = fc
  .tuple(digits(15, 15).map(withLuhnDigit), fc.constantFrom(' ', '-'))
  .map(([card, separator]) => (card.match(/.{4}/g) ?? []).join(separator));
const ssn = fc.tuple(digits(3, 3), digits(2, 2), digits(4, 4)).map(parts => parts.join('-'));
const iban = fc.constantFrom(
  'DE89370400440532013000',
  'DE89 3704 0044 0532 0130 00',
  'GB29NWBK60161331926819',
  'NO9386011117947',
  'MT84MALT011000012345MTLCAST001S',
);
const bearer = fc
  .string({ unit: fc.constantFrom(...'abcXYZ019._~-'), minLength: 4, maxLength: 60 })
  .map(token => `Bearer x${token}`);
/** A text that must never be seen, wherever it stands. */
const secretText = fc.oneof(cardNumber, groupedCard, ssn, iban, bearer, fc.emailAddress(), fc.constant(JWT));
const sensitiveName = fc.constantFrom(
  'authorization',
  'Authorization',
  'cookie',
  'Set-Cookie',
  'x-idempotency-key',
  'idempotencyKey',
  'taxId',
  'tax_id',
  'TAXID',
  'governmentId',
  'dateOfBirth',
  'number',
  'pan',
  'cvv',
  'pin',
  'email',
  'emails',
  'phone',
  'telephone',
  'telephones',
  'address',
  'addresses',
  'line1',
  'line2',
  'password',
  'newPassword',
  'secret',
  'token',
  'accessToken',
  'client_secret',
  'clientSecret',
  'firstName',
  'postalCode',
);
const harmlessWord = fc.string({ unit: fc.constantFrom(...'abcdefgh'), minLength: 1, maxLength: 8 });

/** Puts a value somewhere inside of other values, as deep as `redact` looks. */
function nested(inner: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const wrap = (value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
    fc
      .tuple(
        value,
        harmlessWord,
        fc.jsonValue({ maxDepth: 1 }),
        fc.constantFrom('object', 'list', 'map', 'set', 'error', 'cause', 'key'),
      )
      .map(([planted, word, other, kind]) => {
        switch (kind) {
          case 'object':
            return { other, [`x${word}`]: planted };
          case 'list':
            return [other, planted];
          case 'map':
            return new Map([[word, planted]]);
          case 'set':
            return new Set([planted]);
          case 'error':
            return Object.assign(
              new Error(typeof planted === 'string' ? `failed: ${planted}` : word, { cause: planted }),
              { detail: planted, parameters: [planted] },
            );
          case 'cause':
            return new Error(word, { cause: planted });
          default:
            return typeof planted === 'string' ? { [planted]: other } : { [word]: planted };
        }
      });
  return fc
    .integer({ min: 0, max: 9 })
    .chain(depth => Array.from({ length: depth }).reduce((value: fc.Arbitrary<unknown>) => wrap(value), inner));
}

test('no secret text survives, wherever it stands in a text and in a value', () => {
  fc.assert(
    fc.property(
      secretText.chain(secret =>
        fc.tuple(
          fc.constant(secret),
          nested(
            fc
              .tuple(
                fc.constantFrom('', 'for ', 'id 12 ', 'say "', 'a\n', 'a=', '7 ', 'X '),
                fc.constantFrom('', ' and more', '", 5', ' 12', '\n', '; AND MORE', ', '),
              )
              .map(([before, after]) => before + secret + after),
          ),
        ),
      ),
      ([secret, value]) => {
        expect(JSON.stringify(redact(value))).not.toContain(secret);
      },
    ),
    { numRuns: rounds(3000) },
  );
});

test('no value survives under a sensitive name, however deep', () => {
  const hidden = fc.oneof(
    harmlessWord.map(word => `PLANTED${word}`),
    fc.constant(['PLANTED']),
    fc.constant({ inner: { more: 'PLANTED' } }),
    fc.constant(new Map([['a', 'PLANTED']])),
  );
  fc.assert(
    fc.property(nested(fc.tuple(sensitiveName, hidden).map(([name, value]) => ({ [name]: value }))), value => {
      expect(JSON.stringify(redact(value))).not.toContain('PLANTED');
    }),
    { numRuns: rounds(2000) },
  );
});

test('it takes any value at all, gives JSON back, and changes nothing that it was given', () => {
  fc.assert(
    fc.property(
      fc.anything({
        withBigInt: true,
        withDate: true,
        withMap: true,
        withSet: true,
        withTypedArray: true,
        withNullPrototype: true,
        withBoxedValues: true,
        withSparseArray: true,
      }),
      value => {
        const before = fc.stringify(value);
        JSON.stringify(redact(value));
        expect(fc.stringify(value)).toBe(before);
      },
    ),
  );
});

test('what a log is read for stays', () => {
  const line = {
    requestId: '41111111-1111-4111-8111-111111111111',
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
    method: 'POST',
    path: '/accounts/1000200030/beneficiaries?limit=10&offSet=20',
    status: 201,
    durationMs: 12.25,
    program: 'acme',
    clientId: 'mobile-app',
    startedAtMs: 1_767_225_600_008,
    at: new Date('2026-01-01T00:00:00.008Z'),
    // Its digits pass Luhn.
    migration: `Migration${withLuhnDigit('2026112304000')}_cards`,
    command: { name: 'beneficiary.add', replayed: false, pageNumber: 4, shipping: 'on' },
    amountMinor: 1_234_567_890_123n,
    nothing: null,
  };
  expect(redact(line)).toEqual({ ...line, at: '2026-01-01T00:00:00.008Z', amountMinor: '1234567890123' });
});

test('each kind of secret is replaced by a word that says what was there', () => {
  expect(redact(`Bearer abc.def, ${JWT}`)).toBe('Bearer [token], [token]');
  expect(redact('Basic ZGVtbzpkZW1vLXNlY3JldA==')).toBe('Basic [token]');
  expect(redact('card 4111 1111 1111 1111, or 4111-1111-1111-1111 or 378282246310005.')).toBe(
    'card [card number], or [card number] or [card number].',
  );
  expect(redact('tax id 123-45-6789 and 12-3456789')).toBe('tax id [tax id] and [tax id]');
  expect(redact("mail <ann.o'hara+x@bank.example> now")).toBe('mail <[email]> now');
  expect(redact('pay DE89 3704 0044 0532 0130 00 AND GB29NWBK60161331926819 TODAY')).toBe(
    'pay [iban] AND [iban] TODAY',
  );
  expect(redact('connect to postgres://bank:hunter2@db:5432/x failed')).toBe(
    'connect to postgres://[secret]@db:5432/x failed',
  );
});

test('a number with 16 digits that is no card stays, and a card that came as a number goes', () => {
  expect(redact('order 4111111111111112')).toBe('order 4111111111111112');
  expect(redact({ value: 4111111111111111, other: 4111111111111112 })).toEqual({
    value: '[card number]',
    other: 4111111111111112,
  });
});

test("a person's name goes, the name of a command stays", () => {
  expect(redact({ name: { first: 'Ann', last: 'Ohara' }, command: { name: 'card.issue' } })).toEqual({
    name: '[redacted]',
    command: { name: 'card.issue' },
  });
});

test('an error is its type, message, code, stack and cause, and nothing else of it', () => {
  const cause = Object.assign(new TypeError('invalid input syntax for type date: "1980-PLANTED"'), {
    code: '22007',
    detail: 'Key (tax)=(PLANTED) exists',
    where: "unnamed portal parameter $1 = 'PLANTED'",
    parameters: ['PLANTED'],
    query: "insert into customer values ('PLANTED')",
    hint: 'PLANTED',
  });
  const seen = redact(
    new Error('Could not add ann@bank.example\n    PLANTED? no: this is a message', { cause }),
  ) as Record<string, unknown>;
  expect(seen).toMatchObject({
    type: 'Error',
    message: expect.stringContaining('Could not add [email]'),
    cause: { type: 'TypeError', code: '22007', message: 'invalid input syntax for type date: "[redacted]"' },
  });
  expect(Object.keys(seen.cause as object)).toEqual(['type', 'message', 'code', 'stack']);
  expect(seen.stack).toMatch(/^Error: Could not add \[email\][^]*\n +at .*redact\.test/);
  expect(JSON.stringify(seen.cause)).not.toContain('PLANTED');
});

test('the failures inside of an aggregate error are shown, for it has no message of its own', () => {
  expect(redact(new AggregateError([new Error('refused by 127.0.0.1')]))).toMatchObject({
    type: 'AggregateError',
    errors: [{ message: 'refused by 127.0.0.1' }],
  });
});

test('circles, depth, length, bytes and things that throw are named instead of followed', () => {
  const circle: Record<string, unknown> = {
    bytes: Buffer.from('PLANTED'),
    view: new Uint16Array(3),
    run: () => 'PLANTED',
  };
  circle.self = circle;
  expect(redact(circle)).toEqual({ bytes: '[bytes]', view: '[bytes]', run: '[function]', self: '[circular]' });
  const shared = { a: 1 };
  expect(redact([shared, shared])).toEqual([shared, shared]);
  expect(JSON.stringify(redact(Array.from({ length: 20 }).reduce(inner => ({ inner }), 'PLANTED')))).toMatch(
    /too deep/,
  );
  expect(redact(Array.from({ length: 500 }, () => 1))).toHaveLength(101);
  expect(
    redact({
      get broken() {
        throw new Error('PLANTED');
      },
    }),
  ).toBe('[unreadable]');
  expect(
    redact(
      new Proxy(
        {},
        {
          ownKeys() {
            throw new Error('PLANTED');
          },
        },
      ),
    ),
  ).toBe('[unreadable]');
  const wide = Array.from({ length: 90 }, () => Array.from({ length: 90 }, () => 'x'));
  expect(JSON.stringify(redact(wide)).match(/"x"/g)!.length).toBeLessThan(2000);
});

test('a long text is cut, and a secret across the cut does not show its first half', () => {
  for (let before = 8 * 1024 - 20; before <= 8 * 1024; before++) {
    const cut = redact(`${'-'.repeat(before - 1)} 4111111111111111 ${'x'.repeat(5000)}`);
    expect(cut).not.toMatch(/411/);
    expect(cut).toHaveLength(8 * 1024 + ' [cut]'.length);
  }
});

test('an address with personal names in its path is a text like any other', () => {
  expect(redact(new URL('https://bank.example/find?email=ann@bank.example'))).not.toContain('ann@');
});
