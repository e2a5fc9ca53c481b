import { MAX_OWNERS } from '../account/account.rest.js';
import { orNull, type JsonSchema } from '../../platform/input/json-schema.js';
import { MASKED, list, oneOf, record, text, value } from '../../platform/openapi/schema.js';
import { entryField } from '../transaction/transaction.rest-record.js';
import { MAX_ENTRIES } from './statement.content.js';
import { CorrectionKind } from './statement.entity.js';

/** The schemas of the documents that are issued here, as their JSON is. */

/** A whole name of three parts, or a place with its state and postal code, is one line. */
const LINE = { maxLength: 400 };

const lines = (description: string) => list(text('A line.', LINE), description, 6);
const masked = (description: string) => ({ ...MASKED, description });
const positive = (description: string) => value('Decimal', description, { minimum: 0 });
const total = (description: string, what: Readonly<Record<string, JsonSchema>> = {}) =>
  record(description, {
    ...what,
    count: value('Int', 'The number of entries.', { minimum: 0 }),
    amount: positive('The sum of the entries.'),
  });

const issuer = {
  name: text('The name of the program that issues the document.'),
  addressLines: lines('The postal address of the issuer; empty if it has none on record.'),
  telephone: orNull(text('The telephone number of the issuer.')),
  errorResolution: {
    ...orNull(
      record('Whom to tell about an error (12 CFR 1005.8(b)).', {
        telephone: text('The telephone number.'),
        email: orNull(text('The e-mail address.')),
        addressLines: lines('The postal address.'),
      }),
    ),
    description: 'The contact for errors. Documents issued before it was recorded do not have it.',
  },
};
/** The fields that documents that were issued earlier do not have. */
const ISSUER_LATER = ['errorResolution'];

const feeTotals = (description: string) =>
  record(description, { period: positive('In the period.'), yearToDate: positive('Since the year began.') });

/** The content of a monthly statement. */
export const StatementContent = record(
  'A monthly statement of an account.',
  {
    statementId: value('UUID', 'The id of the statement within its account.'),
    issuer: record('The issuer.', issuer, ISSUER_LATER),
    account: record('The account.', {
      number: masked('The account number, masked.'),
      type: oneOf(['CHECKING', 'SAVINGS', 'MONEY_MARKET', 'CD'], 'The type of the account.'),
      currency: value('Currency', 'The currency of the account (ISO 4217).'),
      timeZone: text('The time zone of the account (IANA).'),
    }),
    owners: list(text('A name.', LINE), 'The owners of the account, the primary owner first.', MAX_OWNERS),
    addressLines: lines('The postal address of the primary owner.'),
    period: record('The period of the statement.', {
      start: value('LocalDate', 'The first day.'),
      end: value('LocalDate', 'The last day.'),
      days: value('Int', 'The number of days.', { minimum: 1 }),
    }),
    issuedOn: value('LocalDate', 'The time at which the document was issued.'),
    openingBalance: value('Decimal', 'The balance before the first day.'),
    closingBalance: value('Decimal', 'The balance after the last day.'),
    credits: total('The credits of the period.'),
    debits: total('The debits of the period.'),
    fees: record(
      'Fees of the period (12 CFR 1030.6(a)(3)).',
      {
        items: list(
          total('A kind of fee.', {
            description: { ...entryField('description'), description: 'The name of the fee.' },
          }),
          'One item for each kind of fee.',
          MAX_ENTRIES,
        ),
        total: value('Decimal', 'The sum of the fees.'),
        totalYearToDate: positive(
          'The fees since the year began. Statements issued before it was recorded do not have it.',
        ),
      },
      ['totalYearToDate'],
    ),
    overdraft: record('Of the fees, those of overdrafts (12 CFR 1030.11(a)). Absent if there were none this year.', {
      fees: feeTotals('Fees for paying overdrafts.'),
      returnedItemFees: feeTotals('Fees for returning items unpaid.'),
    }),
    interest: record('Interest of the period (12 CFR 1030.6(a)(1) and (2)).', {
      paid: value('Decimal', 'Paid in the period.'),
      paidYearToDate: value('Decimal', 'Paid since the year began.'),
      averageDailyBalance: value(
        'Decimal',
        'The mean of the balances at the end of each day, of which those below zero count as zero (12 CFR 1030, appendix A, part II).',
      ),
      annualPercentageYieldEarned: orNull(
        value(
          'Decimal',
          'The annual percentage yield earned, in percent; null if no interest was paid, or if it cannot be computed, which the PDF says.',
        ),
      ),
    }),
    entries: list(
      record('An entry of the ledger.', {
        transactionId: entryField('transactionId'),
        postedOn: value('LocalDate', 'The time at which the transaction was posted.'),
        description: entryField('description'),
        transactionType: entryField('transactionType'),
        direction: oneOf(['CREDIT', 'DEBIT'], 'Whether the entry is a credit or a debit.'),
        amount: positive('The amount.'),
        balance: value('Decimal', 'The balance after the entry.'),
      }),
      'The entries in ledger order.',
      MAX_ENTRIES,
    ),
  },
  ['overdraft'],
);

const BOX = { description: 'An amount; a text in boxes 7 and 14 to 16.' };

/** The content of a Form 1099-INT. */
export const TaxFormContent = record(
  'A Form 1099-INT (Copy B, for the recipient).',
  {
    statementId: value('UUID', 'The id of the form within its account.'),
    taxYear: value('Int', 'The tax year.'),
    correctedStatementId: orNull(
      value('UUID', 'The form that this one corrects; null for the first form of the year.'),
    ),
    correctionKind: orNull(
      oneOf(
        Object.keys(CorrectionKind),
        'What was wrong with that form: an amount, the name or tax id of the recipient, only the address of the recipient, the name or tax id of the payer, or only whether the form is filed. If several things were, the one that takes most to correct. Null for the first form of the year; absent in forms of earlier versions.',
      ),
    ),
    issuedOn: value('LocalDate', 'The time at which the document was issued.'),
    payer: record(
      'The payer of the interest.',
      {
        ...issuer,
        taxId: text('The tax id of the payer, unmasked, as the form requires.'),
        state: orNull(text('The state of box 15; absent or null if the payer reports to none.')),
        stateTaxId: orNull(text("The payer's number in that state; absent or null where none is on record.")),
      },
      [...ISSUER_LATER, 'state', 'stateTaxId'],
    ),
    recipient: record('The recipient of the interest: the primary owner.', {
      name: text('The name.', LINE),
      taxId: orNull(text('The tax id, truncated to its last four digits (26 CFR 301.6109-4).')),
      addressLines: lines('The postal address.'),
    }),
    accountNumber: masked('The number of the account, masked.'),
    currency: value('Currency', 'The currency of the amounts (ISO 4217).'),
    boxes: {
      type: 'object',
      description: 'The boxes of the form by their numbers, 1 to 17. A box without an entry is empty.',
      patternProperties: {
        '^(7|1[456])$': { type: 'string', ...BOX },
        '^([1-6]|[89]|1[01237])$': { type: 'number', ...BOX },
      },
      additionalProperties: false,
    },
    irsReportable: value(
      'Boolean',
      'Whether the payer files the form with the IRS: the recipient was paid 10.00 US dollars or more of interest in all accounts with the payer (26 USC 6049(a), 26 CFR 1.6049-4(b)(1)), or tax was withheld (box 4), or the form corrects one that is filed.',
    ),
    reportedAsZero: value(
      'Boolean',
      'Whether the return to the IRS has amounts of zero, since it takes back one that should not have been filed. The form has the true amounts. Absent in forms of earlier versions.',
    ),
  },
  ['correctionKind', 'reportedAsZero'],
);
