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
import { MAX_ENTRIES } from './statement.content.js';

/** What the documents that are issued here say, as their JSON does. */

const count: JsonSchema = { type: 'integer', minimum: 0, description: 'The number of entries.' };
/** A whole name of three parts, or a place with its state and postal code, is one line. */
const MAX_LINE_CHARACTERS = 400;
/** Of an issuer or of a person. */
const ADDRESS_SIZE = { maxItems: 6 };
const ENTRIES_SIZE = { maxItems: MAX_ENTRIES };
const line = text('A line.', { maxLength: MAX_LINE_CHARACTERS });
const name = { maxLength: MAX_LINE_CHARACTERS };

const issuer = {
  name: text('The name of the program that issues the document.'),
  addressLines: list(line, 'The postal address of the issuer; empty if the settings have none.', ADDRESS_SIZE),
  telephone: orNull(text('The telephone number of the issuer.')),
};

function total(description: string, what: Readonly<Record<string, JsonSchema>> = {}): JsonSchema {
  return record(description, { ...what, count, amount: { ...money('The sum of the entries.'), minimum: 0 } });
}

export const STATEMENT_CONTENT = record('A monthly statement of an account.', {
  statementId: uuid('The id of the statement within its account.'),
  issuer: record('The issuer.', issuer),
  account: record('The account.', {
    number: masked('The account number, masked.'),
    type: oneOf(['CHECKING', 'SAVINGS', 'MONEY_MARKET', 'CD'], 'The type of the account.'),
    currency: currencyCode('The currency of the account (ISO 4217).'),
    timeZone: text('The time zone of the account (IANA).'),
  }),
  owners: list(text('A name.', name), 'The owners of the account, the primary owner first.', OWNERS_SIZE),
  addressLines: list(line, 'The postal address of the primary owner.', ADDRESS_SIZE),
  period: record('The period of the statement.', {
    start: day('The first day.'),
    end: day('The last day.'),
    days: { type: 'integer', minimum: 1, description: 'The number of days.' },
  }),
  issuedOn: day('When the document was issued.'),
  openingBalance: money('The balance before the first day.'),
  closingBalance: money('The balance after the last day.'),
  credits: total('The credits of the period.'),
  debits: total('The debits of the period.'),
  fees: record('Fees of the period (12 CFR 1030.6(a)(3)).', {
    items: list(
      total('A kind of fee.', { description: text('The name of the fee.', formOfEntry('description')) }),
      'One item for each kind of fee.',
      ENTRIES_SIZE,
    ),
    total: money('The sum of the fees.'),
  }),
  interest: record('Interest of the period (12 CFR 1030.6(a)(1) and (2)).', {
    paid: money('Paid in the period.'),
    paidYearToDate: money('Paid since the year began.'),
    averageDailyBalance: money('The mean of the balances at the end of each day.'),
    annualPercentageYieldEarned: orNull(
      money('The annual percentage yield earned, in percent; null if no interest was paid.'),
    ),
  }),
  entries: list(
    record('An entry of the ledger.', {
      transactionId: bankId('The id of the transaction.'),
      postedOn: day('When the transaction was posted.'),
      description: text('The description.', formOfEntry('description')),
      transactionType: text('The type of the transaction, for example `FEE`.', formOfEntry('transactionType')),
      direction: oneOf(['CREDIT', 'DEBIT'], 'Whether the entry is a credit or a debit.'),
      amount: { ...money('The amount.'), minimum: 0 },
      balance: money('The balance after the entry.'),
    }),
    'The entries in ledger order.',
    ENTRIES_SIZE,
  ),
});

const BOX = { description: 'An amount; a text in boxes 7 and 14 to 16.' };

export const TAX_FORM_CONTENT = record('A Form 1099-INT (Copy B, for the recipient).', {
  statementId: uuid('The id of the form within its account.'),
  taxYear: { type: 'integer', description: 'The tax year.' },
  correctedStatementId: orNull(uuid('The form that this one corrects; null for the first form of the year.')),
  issuedOn: day('When the document was issued.'),
  payer: record('The payer of the interest.', {
    ...issuer,
    taxId: text('The tax id of the payer, unmasked, as the form requires.'),
  }),
  recipient: record('The recipient of the interest: the primary owner.', {
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
