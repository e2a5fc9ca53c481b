import { ACCOUNT_ID } from '../account/account.rest.js';
import { ReasonInput } from '../account/account.service.js';
import { LIMIT_EXCEEDED } from '../limit/limit.errors.js';
import { writeUnits } from '../../platform/http/gate.js';
import { exchangeOf } from '../../platform/http/exchange.js';
import { contractRecord, exactNumber } from '../../platform/http/json.js';
import { ref } from '../../platform/input/json-schema.js';
import { answer } from '../../platform/openapi/operation.js';
import { list, pagesBehind, record, text, value } from '../../platform/openapi/schema.js';
import { restOver, type RestPart } from '../../platform/rest/rest.js';
import type { PathParameter } from '../../platform/rest/rest-words.js';
import { InvalidInput } from '../../shared/errors.js';
import { MAX_PAGE_SIZE } from '../../shared/page.js';
import { Transfer, type TransferResultView, type TransferView } from './transfer.entity.js';
import { TransferNotFound } from './transfer.errors.js';
import {
  MAX_TRANSFERS_A_CALL,
  TRANSFER_ID,
  TransferInput,
  TransferQuery,
  TransferRecord,
  TransfersRecord,
  newTransferOf,
} from './transfer.inputs.js';
import {
  MAKE_TRANSFER,
  MAKE_TRANSFERS,
  READ_PROGRAM_TRANSFERS,
  READ_TRANSFERS,
  REVERSE_TRANSFER,
} from './transfer.operations.js';
import type { TransferService } from './transfer.service.js';

const SENT = {
  fromAccountId: 'demo-1001',
  toAccountId: 'demo-1002',
  transferId: 'tr-20260331-7',
  description: 'Rent for April',
  memo: 'With thanks',
  reference: 'INV-2041',
  amount: exactNumber('250.00'),
};
const MADE = {
  ...SENT,
  currency: 'USD',
  status: 'MADE',
  madeAt: '2026-03-31T18:05:00.000Z',
  reversedAt: '',
  updatedAt: '2026-03-31T18:05:00.000Z',
  fromTransactionId: 'tr-20260331-7~out',
  toTransactionId: 'tr-20260331-7~in',
};
/** The cursor of `MADE`. */
const AFTER = 'MjAyNi0wMy0zMVQxODowNTowMC4wMDBaIHRyLTIwMjYwMzMxLTc';
const MADE_AT = `/transfers/${SENT.transferId}`;
/** As many problems as a transfer may have. */
const MAX_PROBLEMS = 10;
const ID_IN_PATH: PathParameter = {
  description: 'The id of the transfer.',
  schema: { type: 'string', pattern: TRANSFER_ID.source },
  example: SENT.transferId,
  unknown: () => new TransferNotFound(),
};
const BROKEN = new InvalidInput('rule_broken', [
  { pointer: '/amount', code: 'range', detail: 'Must be more than 0 and at most 10^15 minor units of the currency.' },
]);

interface Services {
  readonly transfers: TransferService;
}
const rest = restOver<Services>();

/** Money between two accounts. */
export const transferRest: RestPart<Services> = {
  tag: { name: 'Transfers', description: 'Money that goes from one account of the program to another.' },
  records: [
    {
      of: Transfer,
      limits: TransferInput,
      differs: { amount: { exclusiveMinimum: 0 } },
      example: MADE,
    },
  ],
  schemas: {
    ProgramTransferPage: record('A page of the transfers of the program.', {
      transfers: list(ref('Transfer'), 'The newest first.', MAX_PAGE_SIZE),
      links: pagesBehind('transfers'),
    }),
    TransferResults: record('What became of several transfers.', {
      results: list(ref('TransferResult'), 'One for each transfer, in their order.', MAX_TRANSFERS_A_CALL),
    }),
    TransferResult: record(
      'What became of one transfer of several: either `transfer` or `refusal` is there.',
      {
        transferId: value('ID', 'The id of the transfer.'),
        transfer: ref('Transfer'),
        refusal: record('Why it was refused, with nothing written of it.', {
          code: text('The stable code of the refusal, such as `insufficient_funds`.', { pattern: '^[a-z_]{1,40}$' }),
          detail: text('The problem and what to do, for people.'),
          errors: list(ref('FieldProblem'), 'Each field that is wrong, by a pointer from the transfer.', MAX_PROBLEMS),
        }),
      },
      ['transfer', 'refusal'],
    ),
  },
  operations: {
    makeTransfer: rest(MAKE_TRANSFER, 'POST /transfers', {
      summary: 'Make a transfer',
      description:
        'Moves money from one account of the program to another: a debit and a credit, both or none. The same transfer again is returned as it stands.',
      dryRun: true,
      body: {
        description: 'The new transfer.',
        input: TransferRecord,
        example: SENT,
      },
      refusals: () => [BROKEN],
      run: ({ caller, body, dryRun }, { transfers }) => transfers.make(caller, newTransferOf(body), dryRun),
      created: { at: ({ transferId }) => `/transfers/${encodeURIComponent(transferId)}`, example: MADE_AT },
      answer: answer('The transfer.', 'Transfer'),
      show: restTransfer,
    }),
    makeTransfers: rest(MAKE_TRANSFERS, 'POST /transfers/batch', {
      summary: 'Make several transfers',
      description: `Makes up to ${MAX_TRANSFERS_A_CALL} transfers in their order. Each one is made, or refused with nothing written of it, and sees what those before it moved. They are one write with one idempotency key: a repeated request gets all results as they were.`,
      dryRun: true,
      body: {
        description: 'The new transfers.',
        input: TransfersRecord,
        example: { transfers: [SENT] },
      },
      refusals: () => [
        new InvalidInput('rule_broken', [
          { pointer: '/transfers/0/description', code: 'text', detail: 'Must have at most 100 characters.' },
        ]),
      ],
      run: async ({ caller, body, dryRun, req }, { transfers }) => {
        await exchangeOf(req).charge(writeUnits(body.transfers.length));
        return transfers.makeSeveral(caller, body.transfers.map(newTransferOf), dryRun);
      },
      answer: answer('What became of each, in their order.', 'TransferResults', {
        results: [
          { transferId: 'tr-20260331-7', transfer: MADE },
          {
            transferId: 'tr-20260331-8',
            refusal: {
              code: 'limit_exceeded',
              detail: LIMIT_EXCEEDED.message,
              errors: LIMIT_EXCEEDED.errors,
            },
          },
        ],
      }),
      show: results => ({ results: results.map(restResult) }),
    }),
    listProgramTransfers: rest(READ_PROGRAM_TRANSFERS, 'GET /transfers', {
      summary: 'List transfers',
      description:
        'The transfers of the program, newest first. A transfer must match all filters. The token must be one of the program itself.',
      query: {
        input: TransferQuery,
        examples: { statuses: 'MADE', references: 'INV-2041', after: AFTER, limit: 25 },
      },
      run: ({ caller, cursor, query }, { transfers }) => transfers.ofProgram.page(caller, cursor, query),
      slice: 'transfers',
      answer: answer('A page of transfers.', 'ProgramTransferPage', {
        transfers: [MADE],
        links: { next: { href: `/transfers?after=${AFTER}` } },
      }),
      show: restTransfer,
    }),
    getTransfer: rest(READ_TRANSFERS, 'GET /transfers/{transferId}', {
      summary: 'Get a transfer',
      description:
        'A transfer of which the caller sees one account at least. The `Location` of a new transfer points here.',
      path: { transferId: ID_IN_PATH },
      run: ({ caller, path }, { transfers }) => transfers.get(caller, path.transferId),
      answer: answer('The transfer.', 'Transfer'),
      show: restTransfer,
    }),
    reverseTransfer: rest(REVERSE_TRANSFER, 'POST /transfers/{transferId}/reverse', {
      summary: 'Reverse a transfer',
      description:
        'Takes a transfer back, once: both histories get a transaction in the other direction, both or none. The reason is kept in the events, for the bank alone.',
      path: { transferId: ID_IN_PATH },
      dryRun: true,
      body: {
        description: 'The reason, for the records of the bank.',
        input: ReasonInput,
        example: { reason: 'Sent twice, ticket 4711' },
      },
      run: ({ caller, path, body, dryRun }, { transfers }) =>
        transfers.reverse(caller, path.transferId, body.reason, dryRun),
      answer: answer('The transfer, which is reversed.', 'Transfer'),
      show: restTransfer,
    }),
    listTransfers: rest(READ_TRANSFERS, 'GET /accounts/{accountId}/transfers', {
      summary: 'List the transfers of an account',
      description: 'The transfers from and to the account, the newest first, page by page.',
      path: { accountId: ACCOUNT_ID },
      page: {
        name: 'TransferPage',
        description: 'A page of the transfers of an account.',
        elements: ['transfers', 'The newest first.', ref('Transfer')],
        next: '/accounts/demo-1001/transfers?offSet=1&limit=1',
        hasNumbers: true,
      },
      run: ({ caller, path, page }, { transfers }) => transfers.page(caller, path.accountId, page),
      show: restTransfer,
    }),
  },
};

/** A transfer as REST shows it. The amount is a number with all its digits: `250.00`. */
export function restTransfer(transfer: TransferView): object {
  return { ...contractRecord(transfer), amount: exactNumber(transfer.amount) };
}

/** Shows the outcome of one transfer of several, as REST has it. */
function restResult({ transferId, transfer, refusal }: TransferResultView): object {
  return {
    transferId,
    ...(transfer && { transfer: restTransfer(transfer) }),
    ...(refusal && { refusal: { code: refusal.code, detail: refusal.message, errors: refusal.errors } }),
  };
}
