import {
  answer,
  record,
  ref,
  type DeclaredOperation,
  type InputClass,
  type Part,
  type RestOperation as Operation,
} from 'tillgate/noun';
import { ClockMove, SimulatedClock } from './sandbox.entity.js';
import { MAX_MOVE_PERIODS, MonthNotOver, UnfitTransaction } from './sandbox.errors.js';
import {
  ClockInput,
  MonthCloseInput,
  SimulatedAuthorizationRecord,
  SimulatedCaptureRecord,
  SimulatedHoldInput,
  SimulatedPaymentRecord,
  SimulatedRefundRecord,
  SimulatedReturnInput,
  SimulatedTransferRecord,
  SimulatedTransferReturnInput,
} from './sandbox.inputs.js';
import type { PaymentKind } from './sandbox-postings.service.js';
import {
  CLOSE_MONTH,
  MOVE_CLOCK,
  READ_CLOCK,
  SIMULATE_AUTHORIZATION,
  SIMULATE_CAPTURE,
  SIMULATE_EXPIRY,
  SIMULATE_PAYMENT,
  SIMULATE_REFUND,
  SIMULATE_RELEASE,
  SIMULATE_RETURN,
  SIMULATE_TRANSFER,
  SIMULATE_TRANSFER_RETURN,
} from './sandbox.operations.js';

const NOW = '2026-12-31T18:05:00.000Z';
const POSTED = "Posts it at the time of the program's clock.";

/** A payment that is posted to an account. */
function payment(kind: PaymentKind, summary: string, description: string): Operation {
  return {
    route: `POST /simulate/${kind}`,
    summary,
    description: `${description} ${POSTED}`,
    of: SIMULATE_PAYMENT,
    body: {
      description: 'The payment.',
      input: SimulatedPaymentRecord,
      content: { 'application/json': { example: { accountId: 'demo-1001' } } },
      wrong: [{ colour: 'red' }, { seed: -1 }],
    },
    answers: { 201: answer('The transaction that was posted.', 'SimulatedTransaction') },
  };
}

const HELD = { accountId: 'demo-1001', holdId: 'card-authorization~3f9a1c22b04d' };

/** What happens to a hold. */
function step(
  of: DeclaredOperation,
  kind: string,
  summary: string,
  description: string,
  input: InputClass = SimulatedHoldInput,
): Operation {
  return {
    route: `POST /simulate/${kind}`,
    summary,
    description,
    of,
    body: {
      description: 'The hold.',
      input,
      content: { 'application/json': { example: HELD } },
      wrong: [{ colour: 'red' }, { holdId: 'a b' }],
    },
    answers: { 200: answer('The hold.', 'Hold') },
  };
}

/** A payment that takes another one back. */
function takingBack(
  of: DeclaredOperation,
  route: Operation['route'],
  input: InputClass,
  example: object,
  words: [string, string],
): Operation {
  const [summary, description] = words;
  return {
    route,
    summary,
    description,
    of,
    body: {
      description: 'What is taken back.',
      input,
      content: { 'application/json': { example } },
      wrong: [{ colour: 'red' }, { transactionId: 'a b' }],
    },
    answers: { 201: answer('The transaction that was posted.', 'SimulatedTransaction') },
    refusals: () => [new UnfitTransaction()],
  };
}

/** The sandbox. In production it does not exist, and neither does this part of the document. */
export const sandboxApi: Part = {
  tag: {
    name: 'Sandbox',
    description:
      'Makes things happen, for those who build on Tillgate. Only where the sandbox is on: in production these routes do not exist.',
  },
  records: [
    { of: SimulatedClock, example: { now: NOW } },
    {
      of: ClockMove,
      differs: { statementRuns: { maxItems: MAX_MOVE_PERIODS } },
      example: { now: NOW, statementRuns: [] },
    },
  ],
  schemas: {
    SimulatedTransaction: record('A transaction, under the name of its kind.', {
      depositTransaction: ref('DepositTransaction'),
    }),
  },
  operations: {
    getSimulatedClock: {
      route: 'GET /simulate/clock',
      summary: 'Get the clock of the program',
      description: 'What time it is for the program.',
      of: READ_CLOCK,
      answers: { 200: answer('The clock.', 'SimulatedClock') },
    },
    simulateClock: {
      route: 'POST /simulate/clock',
      summary: 'Move the clock of the program forward',
      description:
        'Holds whose time is over expire, the months that end on the way are closed, and after the end of a year its Forms 1099-INT are issued. The clock never goes back.',
      of: MOVE_CLOCK,
      body: {
        description: 'Where to.',
        input: ClockInput,
        content: { 'application/json': { example: { forward: 'P1M' } } },
        wrong: [{ colour: 'red' }, { forward: 'a month' }],
      },
      answers: { 200: answer('What happened on the way.', 'ClockMove') },
    },
    simulateMonthClose: {
      route: 'POST /simulate/month-close',
      summary: 'Close a month',
      description: 'The accounts of the program get their statements of a month that is over by its clock.',
      of: CLOSE_MONTH,
      body: {
        description: 'Which month.',
        input: MonthCloseInput,
        content: { 'application/json': { example: { month: '2026-06' } } },
        wrong: [{ colour: 'red' }, { month: 'June' }],
      },
      answers: { 200: answer('The run that issues the statements.', 'StatementRun') },
      refusals: () => [new MonthNotOver()],
    },
    simulateAchCredit: payment('ach-credit', 'Receive an ACH credit', 'An inbound ACH credit, such as a salary.'),
    simulateAchDebit: payment('ach-debit', 'Receive an ACH debit', 'An inbound ACH debit, such as a bill.'),
    simulateWire: payment('wire', 'Receive a wire', 'A wire that comes in.'),
    simulateInterest: payment('interest', 'Pay interest', 'Interest that the bank pays.'),
    simulateMonthlyFee: payment('monthly-fee', 'Take the monthly fee', 'The monthly fee of the account.'),
    simulateAchReturn: takingBack(
      SIMULATE_RETURN,
      'POST /simulate/ach-return',
      SimulatedReturnInput,
      { accountId: 'demo-1001', transactionId: 'ach-debit~3f9a1c22b04d', code: 'R01' },
      [
        'Return an ACH payment',
        'Posts the amount in the other direction, in a transaction that refers to the payment. A payment is returned once.',
      ],
    ),
    simulateIncomingTransfer: {
      route: 'POST /simulate/incoming-transfer',
      summary: 'Receive a transfer',
      description: `Money comes in from another account of the program, in one step. ${POSTED}`,
      of: SIMULATE_TRANSFER,
      body: {
        description: 'The transfer.',
        input: SimulatedTransferRecord,
        content: { 'application/json': { example: { accountId: 'demo-1001', fromAccountId: 'demo-1003' } } },
        wrong: [{ colour: 'red' }, { fromAccountId: 'a b' }],
      },
      answers: { 201: answer('The transfer.', 'Transfer') },
    },
    simulateTransferReturn: {
      route: 'POST /simulate/transfer-return',
      summary: 'Return a transfer',
      description: 'The money of a transfer that came in goes back, once.',
      of: SIMULATE_TRANSFER_RETURN,
      body: {
        description: 'The transfer that is returned.',
        input: SimulatedTransferReturnInput,
        content: {
          'application/json': { example: { accountId: 'demo-1001', transferId: 'incoming-transfer~3f9a1c22b04d' } },
        },
        wrong: [{ colour: 'red' }, { transferId: 'a b' }],
      },
      answers: { 200: answer('The transfer.', 'Transfer') },
    },
    simulateCardAuthorization: {
      route: 'POST /simulate/card-authorization',
      summary: 'Authorise a purchase by card',
      description: 'Places a hold with a card of the account.',
      of: SIMULATE_AUTHORIZATION,
      body: {
        description: 'The purchase.',
        input: SimulatedAuthorizationRecord,
        content: { 'application/json': { example: { accountId: 'demo-1001' } } },
        wrong: [{ colour: 'red' }, { cardId: 'a b' }],
      },
      answers: { 201: answer('The hold.', 'Hold') },
    },
    simulateCardCapture: step(
      SIMULATE_CAPTURE,
      'card-capture',
      'Capture a purchase by card',
      'The purchase is posted, whole or in part. What remains is released unless `keepRest` is true.',
      SimulatedCaptureRecord,
    ),
    simulateCardReversal: step(
      SIMULATE_RELEASE,
      'card-reversal',
      'Reverse a purchase by card',
      'The hold of the purchase is released.',
    ),
    simulateHoldExpiry: step(
      SIMULATE_EXPIRY,
      'hold-expiry',
      'Expire a hold',
      'The hold ends as if its time were over.',
    ),
    simulateCardRefund: takingBack(
      SIMULATE_REFUND,
      'POST /simulate/card-refund',
      SimulatedRefundRecord,
      { accountId: 'demo-1001', transactionId: 'card-authorization~3f9a1c22b04d~1' },
      [
        'Refund a purchase by card',
        'Posts a credit that refers to the purchase: what was not given back of it yet, or the `amount`, which must not be more.',
      ],
    ),
  },
};
