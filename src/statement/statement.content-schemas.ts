import { OWNERS_SIZE } from '../account/account.openapi.js';
import { orNull, type JsonSchema } from '../platform/input/json-schema.js';
import {
  bankId,
  currencyCode,
  day,
  list,
  masked,
  money,
  oneOf,
  record,
  text,
  uuid,
} from '../platform/openapi/schema.js';
import { formOfEntry } from '../transaction/transaction.openapi.js';
import { MAX_ENTRIES } from './issue/monthly.ledger.js';

/** What the documents that are issued here say, as their JSON does. */

const count: JsonSchema = { type: 'integer', minimum: 0, description: 'How many there are.' };
/** A whole name of three parts, or a place with its state and postal code, is one line. */
const MAX_LINE_CHARACTERS = 400;
/** Of an issuer or of a person. */
const ADDRESS_SIZE = { maxItems: 6 };
const ENTRIES_SIZE = { maxItems: MAX_ENTRIES };
const line = text('A line.', { maxLength: MAX_LINE_CHARACTERS });
const name = { maxLength: MAX_LINE_CHARACTERS };

const issuer = {
  name: text('The name of the program that issues it.'),
  addressLines: list(line, 'Its postal address; empty where the settings give none.', ADDRESS_SIZE),
  telephone: orNull(text('Its telephone.')),
};

function total(description: string, what: Readonly<Record<string, JsonSchema>> = {}): JsonSchema {
  return record(description, { ...what, count, amount: { ...money('Their sum.'), minimum: 0 } });
}

export const STATEMENT_CONTENT = record('A monthly statement of an account.', {
  statementId: uuid('Identifies the statement in its account.'),
  issuer: record('Who issues it.', issuer),
  account: record('The account.', {
    number: masked('Its number, masked.'),
    type: oneOf(['CHECKING', 'SAVINGS', 'MONEY_MARKET', 'CD'], 'Its type.'),
    currency: currencyCode('Its currency (ISO 4217).'),
    timeZone: text('Its time zone (IANA).'),
  }),
  owners: list(text('A name.', name), 'Its owners, the primary one first.', OWNERS_SIZE),
  addressLines: list(line, 'The postal address of the primary owner.', ADDRESS_SIZE),
  period: record('What it covers.', {
    start: day('The first day.'),
    end: day('The last day.'),
    days: { type: 'integer', minimum: 1, description: 'How many days that is.' },
  }),
  issuedOn: day('When it was issued.'),
  openingBalance: money('The balance before the first day.'),
  closingBalance: money('The balance after the last day.'),
  credits: total('What came in.'),
  debits: total('What went out.'),
  fees: record('Fees of the period (12 CFR 1030.6(a)(3)).', {
    items: list(
      total('A kind of fee.', { description: text('What it is for.', formOfEntry('description')) }),
      'One item for each kind of fee.',
      ENTRIES_SIZE,
    ),
    total: money('The sum of them.'),
  }),
  interest: record('Interest of the period (12 CFR 1030.6(a)(1) and (2)).', {
    paid: money('Paid in the period.'),
    paidYearToDate: money('Paid since the year began.'),
    averageDailyBalance: money('The mean of the balances at the end of each day.'),
    annualPercentageYieldEarned: orNull(money('The yield earned, in percent; null where none was paid.')),
  }),
  entries: list(
    record('An entry of the ledger.', {
      transactionId: bankId('The transaction.'),
      postedOn: day('When it was posted.'),
      description: text('What it is, for a person.', formOfEntry('description')),
      transactionType: text('What it is, for example `FEE`.', formOfEntry('transactionType')),
      direction: oneOf(['CREDIT', 'DEBIT'], 'Whether money came in or went out.'),
      amount: { ...money('How much.'), minimum: 0 },
      balance: money('The balance after it.'),
    }),
    'In ledger order.',
    ENTRIES_SIZE,
  ),
});

const BOX = { description: 'An amount, or in boxes 7 and 14 to 16 a text.' };

export const TAX_FORM_CONTENT = record('A Form 1099-INT (Copy B, for the recipient).', {
  statementId: uuid('Identifies the form in its account.'),
  taxYear: { type: 'integer', description: 'The year that it is about.' },
  correctedStatementId: orNull(uuid('The form that this one corrects; null for the first one of the year.')),
  issuedOn: day('When it was issued.'),
  payer: record('Who paid the interest.', { ...issuer, taxId: text('Its tax id, whole, as the form asks.') }),
  recipient: record('Who got it: the primary owner.', {
    name: text('The name.', name),
    taxId: orNull(text('The tax id, truncated to its last four digits (26 CFR 301.6109-4).')),
    addressLines: list(line, 'The postal address.', ADDRESS_SIZE),
  }),
  accountNumber: masked('The number of the account, masked.'),
  currency: currencyCode('The currency of the amounts (ISO 4217).'),
  boxes: {
    type: 'object',
    description: 'The boxes of the form by their numbers, 1 to 17. A box without an entry is empty.',
    patternProperties: {
      '^(7|1[456])$': { type: 'string', ...BOX },
      '^([1-6]|[89]|1[01237])$': { type: 'number', ...BOX },
    },
    additionalProperties: false,
  },
  irsReportable: {
    type: 'boolean',
    description: 'Whether the payer has to file the form with the IRS: 10.00 or more in box 1 (26 USC 6049).',
  },
});
