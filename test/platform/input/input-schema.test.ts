import 'reflect-metadata';
import { expect, test } from '@jest/globals';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import fc from 'fast-check';
import { HoldersInput } from '../../../src/bank/account/ownership/ownership.inputs.js';
import { BeneficiaryChange, BeneficiaryInput } from '../../../src/bank/beneficiary/beneficiary.inputs.js';
import { CardRecord } from '../../../src/bank/card/card.inputs.js';
import { inputSchemas } from '../../../src/platform/input/input-schema.js';
import type { InputClass } from '../../../src/platform/input/input.js';
import { readRecord } from '../../../src/platform/input/read-input.js';
import { InvalidInput } from '../../../src/shared/errors.js';
import { StatementDetails } from '../../../src/bank/statement/statement.inputs.js';
import { TransactionInput } from '../../../src/bank/transaction/transaction.inputs.js';
import { anyCharacters } from '../../support/any-characters.js';
import { newCard } from '../../support/card.js';
import { newBeneficiary } from '../../support/given.js';
import type { AnyBody } from '../../support/http.js';
import { rounds } from '../../support/rounds.js';

/**
 * Rules that JSON Schema has no words for. That nothing is hidden in a text only a pattern in Unicode mode could say.
 */
const BEYOND_SCHEMA = new Set([
  'alternatives',
  'text',
  'no_such_day',
  'past_date',
  'together',
  'card_number',
  'expired',
  'last4',
]);

const GOOD: readonly [target: InputClass, value: Record<string, unknown>][] = [
  [BeneficiaryInput, newBeneficiary()],
  [BeneficiaryChange, newBeneficiary({ beneficiaryId: '7c0d5b1e-93a4-4f0e-9d0e-2f5b0f3c6a11' })],
  [HoldersInput, { holders: [{ customerId: '7c0d5b1e-93a4-4f0e-9d0e-2f5b0f3c6a11' }] }],
  [CardRecord, newCard('a', 'b')],
  [StatementDetails, { statementDate: '2026-01-31', description: 'January' }],
  [
    TransactionInput,
    {
      transactionId: 't',
      referenceTransactionId: 'r',
      reference: 'x',
      direction: 'CREDIT',
      category: 'ACH',
      transactionType: 'FEE',
      status: 'POSTED',
      description: 'd',
      memo: 'm',
      amount: '1.00',
      transactedAt: '2026-01-31T12:00:00Z',
      postedAt: '2026-01-31T12:00:00Z',
      balanceAfter: '1.00',
      additionalInformation: [
        {
          key: 'k',
          value: 'v',
        },
      ],
      lineItems: [
        {
          description: 'd',
          reference: 'r',
          imageIds: ['i'],
        },
      ],
    },
  ],
];

function validatorOf(target: InputClass) {
  const ajv = new Ajv2020({ strictTypes: false, strictRequired: false, allErrors: true, verbose: true });
  formats.default(ajv);
  const schemas = Object.fromEntries(inputSchemas(target));
  ajv.addVocabulary(['components']);
  ajv.addSchema({ components: { schemas } }, 'urn:test:inputs');
  return ajv.compile({ $ref: `urn:test:inputs#/components/schemas/${target.name}` });
}

const LISTS_OF_TEXTS = /\/imageIds(\/|$)/;

/** The codes of what is wrong with a value, by the reader. */
function refused(target: InputClass, value: unknown): string[] {
  try {
    readRecord(target, value);
    return [];
  } catch (error) {
    if (error instanceof InvalidInput) {
      return error.errors.map(({ code, pointer }) =>
        looksLikeDay(value, pointer)
          ? 'no_such_day'
          : LISTS_OF_TEXTS.test(pointer) && code === 'format'
            ? 'text'
            : code,
      );
    }
    throw error;
  }
}

/** Where a day may be left empty, its form is a pattern, which knows no calendar. */
function looksLikeDay(value: unknown, pointer: string): boolean {
  const found = pointer
    .split('/')
    .slice(1)
    .reduce<AnyBody>((at, key) => at?.[key], value);
  return typeof found === 'string' && /^\d{4}-\d\d-\d\d(T|$)/.test(found);
}

/**
 * A client may write a number where an ID is (GraphQL specification, 3.5.5), and for an amount. It is not worth a word
 * in the document.
 */
function isNumberForText({ keyword, data, schema }: ErrorObject): boolean {
  return keyword === 'type' && typeof data === 'number' && String(schema).startsWith('string');
}

type Path = readonly (string | number)[];

function pathsIn(value: unknown): Path[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [[key], ...pathsIn(inner).map(path => [key, ...path])]);
}

function withChange(value: unknown, [key, ...rest]: Path, change: unknown): unknown {
  if (key === undefined) return change;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string | number, unknown>;
  if (rest.length === 0 && change === undefined) delete copy[key];
  else copy[key] = withChange(copy[key], rest, change);
  return copy;
}

const CHANGES = fc.oneof(
  fc.constantFrom<unknown>(undefined, null, '', ' ', 'x', 'US', 'us', 'USD', 'usd', true, [], {}, [[]], { more: 1 }),
  fc.constantFrom<unknown>(
    '1250.00',
    '01',
    '1.23456',
    '0000',
    '123-45-6789',
    '12-3456789',
    '***6789',
    '1\n2',
    '\u0000',
  ),
  fc.constantFrom<unknown>('2026-02-30', '2026-02-28', '1799-01-01', '2199-01-01T00:00:00Z', '2026-01-31T12:00:00'),
  fc.constantFrom<unknown>('HOME', 'PRIMARY', 'Physical', 'PHYSICAL', 'POSTED', 'a b', 'a@b.example', 'é'.repeat(64)),
  fc.integer({ min: 0, max: 600 }).map(length => 'x'.repeat(length)),
  fc.oneof(fc.integer({ min: -3, max: 103 }), fc.constantFrom(2 ** 31 - 1, 2 ** 31, 1.5, 1e300)),
  anyCharacters(),
  fc
    .record({ count: fc.constantFrom(0, 1, 10, 11, 50, 51), item: fc.constantFrom<unknown>('x', null, 1) })
    .map(({ count, item }) => Array.from({ length: count }, () => item)),
);

test.each(GOOD.map(([target, value]) => [target.name, target, value] as const))(
  'the schema of %s takes what its reader takes, and refuses what it refuses',
  (_name, target, good) => {
    const validate = validatorOf(target);
    expect([refused(target, good), validate(good)]).toEqual([[], true]);
    const paths = [...pathsIn(good), ['unknown']];
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(...paths), CHANGES), { minLength: 1, maxLength: 2 }), changes => {
        const value = JSON.parse(
          JSON.stringify(changes.reduce<unknown>((all, [path, change]) => safely(all, path, change), good)),
        ) as unknown;
        const codes = refused(target, value);
        const isValid = validate(value);
        const wrong = (validate.errors ?? []).filter(error => !isNumberForText(error));
        if (codes.length === 0) expect(wrong).toEqual([]);
        else if (isValid) expect(codes.filter(code => !BEYOND_SCHEMA.has(code))).toEqual([]);
      }),
      { numRuns: rounds(1000) },
    );
  },
);

/** The first change may have taken away what the second one is about. */
function safely(value: unknown, path: Path, change: unknown): unknown {
  const parent = path.slice(0, -1).reduce<AnyBody>((at, key) => at?.[key], value);
  return typeof parent === 'object' && parent !== null ? withChange(value, path, change) : value;
}
