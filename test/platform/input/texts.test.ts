import 'reflect-metadata';
import { expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { AccountInput } from '../../../src/bank/account/administration/administration.inputs.js';
import { PersonNameInput } from '../../../src/bank/person/person.inputs.js';
import { inputSchemas } from '../../../src/platform/input/input-schema.js';
import { readRecord } from '../../../src/platform/input/read-input.js';
import { TransferRecord } from '../../../src/bank/transfer/transfer.inputs.js';
import { CURRENCIES, HIDING, NAMES, SHOW_NOTHING, SPACES } from '../../support/awkward-people.js';

const schema = inputSchemas(PersonNameInput).get('PersonNameInput') ?? {};
const validate = new Ajv2020({ strict: false }).compile(schema);

/** Whether the reader takes a name. */
function isTaken(name: object): boolean {
  try {
    readRecord(PersonNameInput, name);
    return true;
  } catch {
    return false;
  }
}

/** Whether the reader and the schema of the document take a name. */
function taken(name: object): [reader: boolean, schema: boolean] {
  return [isTaken(name), validate(name)];
}

test.each(NAMES)('a name is taken: $what', ({ first, middle, last }) => {
  expect(taken({ first, middle, last })).toEqual([true, true]);
});

test.each(SHOW_NOTHING)('a name is not $what alone', ({ text }) => {
  expect(isTaken({ first: 'Ada', last: text })).toBe(false);
  expect(isTaken({ first: 'Ada', last: text.repeat(3) })).toBe(false);
});

const transfer = { fromAccountId: 'a', toAccountId: 'b', transferId: 't', amount: 1 };
const takes = (memo: string) => () => readRecord(TransferRecord, { ...transfer, memo });

test.each(SHOW_NOTHING.filter(({ text }) => !SPACES.includes(text)))(
  'a text that may be absent is not $what alone',
  ({ text }) => {
    for (const memo of [text, text.repeat(3), ` ${text}`]) expect(takes(memo)).toThrow('One field is wrong');
  },
);

test.each(SPACES)('a text that may be absent is absent where it is of spaces alone: %j', text => {
  for (const memo of [text, text.repeat(1000), ` ${text}`]) expect(takes(memo)()).toMatchObject({ memo: null });
});

test.each(['', 'x', '!', '→', ' Rent  for April ', '🎉', '\u2803\u2800\u2803', 'नमस्ते', 'é'])(
  'a text that may be absent is %j',
  memo => {
    expect(takes(memo)()).toMatchObject({ memo: memo || null });
  },
);

test.each(HIDING)('a name does not hide $what', ({ text }) => {
  expect(isTaken({ first: 'Ada', last: text })).toBe(false);
  expect(isTaken({ first: 'Ada', last: 'Ashdown', middle: text })).toBe(false);
});

test('lengths are counted in characters, as JSON Schema counts them', () => {
  expect(taken({ first: 'Ada', last: '𞤀'.repeat(100) })).toEqual([true, true]);
  expect(taken({ first: 'Ada', last: '𞤀'.repeat(101) })).toEqual([false, false]);
});

test('a new account has a currency of today', () => {
  const account = { accountType: 'CHECKING', timeZone: 'UTC', interestBearing: false };
  const owners = ['7c0d5b1e-93a4-4f0e-9d0e-2f5b0f3c6a11'];
  const open = (currency: string, accountId = 'a-1') =>
    readRecord(AccountInput, { ...account, accountId, currency, owners });
  const { noDigits, threeDigits, fourDigits, today, gone, none } = CURRENCIES;
  for (const currency of [...noDigits, ...threeDigits, ...fourDigits, ...today]) {
    expect(open(currency)).toMatchObject({ currency });
  }
  for (const currency of [...gone, ...none]) expect(() => open(currency)).toThrow('One field is wrong');
  // Clients and proxies take these out of a path.
  for (const id of ['.', '..']) expect(() => open('USD', id)).toThrow('One field is wrong');
  for (const id of ['...', '.a', 'a.', '..a', '-']) expect(open('USD', id)).toMatchObject({ accountId: id });
});
