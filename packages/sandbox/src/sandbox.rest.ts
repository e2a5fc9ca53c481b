import {
  StatementRun,
  answer,
  contractRecord,
  fieldNamesOf,
  pick,
  record,
  ref,
  restHold,
  restOver,
  restTransaction,
  restTransfer,
  type RestOperation,
  type RestPart,
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
import { servedOf, type Sandbox } from './sandbox.js';
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

const RUN_FIELDS = fieldNamesOf(StatementRun);
const NOW = '2026-12-31T18:05:00.000Z';
const POSTED = "Posts it at the time of the program's clock.";

interface Services {
  readonly sandbox: Sandbox | null;
}
const rest = restOver<Services>();

/** A payment that is posted to an account. */
function payment(kind: PaymentKind, summary: string, description: string): RestOperation<Services> {
  return rest(SIMULATE_PAYMENT, `POST /simulate/${kind}`, {
    summary,
    description: `${description} ${POSTED}`,
    body: {
      description: 'The payment.',
      input: SimulatedPaymentRecord,
      example: { accountId: 'demo-1001' },
    },
    run: ({ caller, body }, services) => servedOf(services).postings.pay(caller, kind, withText(body)),
    created: true,
    answer: answer('The transaction that was posted.', 'SimulatedTransaction'),
    show: restTransaction,
  });
}

const HELD = { accountId: 'demo-1001', holdId: 'card-authorization~3f9a1c22b04d' };
/** A hold and what happens to it, whose ids are wrong. */
const ONE_HOLD = { description: 'The hold.', example: HELD };
const TAKEN_BACK = { description: 'What is taken back.' };

/** The sandbox. In production it does not exist, and neither does this part of the document. */
export const sandboxRest: RestPart<Services> = {
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
    getSimulatedClock: rest(READ_CLOCK, 'GET /simulate/clock', {
      summary: 'Get the clock of the program',
      description: 'What time it is for the program.',
      run: ({ caller }, services) => servedOf(services).clock.show(caller),
      answer: answer('The clock.', 'SimulatedClock'),
    }),
    simulateClock: rest(MOVE_CLOCK, 'POST /simulate/clock', {
      summary: 'Move the clock of the program forward',
      description:
        'Holds whose time is over expire, the months that end on the way are closed, and after the end of a year its Forms 1099-INT are issued. The clock never goes back.',
      body: {
        description: 'Where to.',
        input: ClockInput,
        example: { forward: 'P1M' },
      },
      run: ({ caller, body }, services) => servedOf(services).clock.move(caller, body),
      answer: answer('What happened on the way.', 'ClockMove'),
      show: ({ now, statementRuns }) => ({ now, statementRuns: statementRuns.map(runToRest) }),
    }),
    simulateMonthClose: rest(CLOSE_MONTH, 'POST /simulate/month-close', {
      summary: 'Close a month',
      description: 'The accounts of the program get their statements of a month that is over by its clock.',
      body: {
        description: 'Which month.',
        input: MonthCloseInput,
        example: { month: '2026-06' },
      },
      refusals: () => [new MonthNotOver()],
      run: ({ caller, body }, services) => servedOf(services).clock.closeMonth(caller, body),
      answer: answer('The run that issues the statements.', 'StatementRun'),
      show: runToRest,
    }),
    simulateAchCredit: payment('ach-credit', 'Receive an ACH credit', 'An inbound ACH credit, such as a salary.'),
    simulateAchDebit: payment('ach-debit', 'Receive an ACH debit', 'An inbound ACH debit, such as a bill.'),
    simulateWire: payment('wire', 'Receive a wire', 'A wire that comes in.'),
    simulateInterest: payment('interest', 'Pay interest', 'Interest that the bank pays.'),
    simulateMonthlyFee: payment('monthly-fee', 'Take the monthly fee', 'The monthly fee of the account.'),
    simulateAchReturn: rest(SIMULATE_RETURN, 'POST /simulate/ach-return', {
      summary: 'Return an ACH payment',
      description:
        'Posts the amount in the other direction, in a transaction that refers to the payment. A payment is returned once.',
      body: {
        ...TAKEN_BACK,
        input: SimulatedReturnInput,
        example: { accountId: 'demo-1001', transactionId: 'ach-debit~3f9a1c22b04d', code: 'R01' },
      },
      refusals: () => [new UnfitTransaction()],
      run: ({ caller, body }, services) => servedOf(services).returns.achReturn(caller, body),
      created: true,
      answer: answer('The transaction that was posted.', 'SimulatedTransaction'),
      show: restTransaction,
    }),
    simulateIncomingTransfer: rest(SIMULATE_TRANSFER, 'POST /simulate/incoming-transfer', {
      summary: 'Receive a transfer',
      description: `Money comes in from another account of the program, in one step. ${POSTED}`,
      body: {
        description: 'The transfer.',
        input: SimulatedTransferRecord,
        example: { accountId: 'demo-1001', fromAccountId: 'demo-1003' },
      },
      run: ({ caller, body }, services) => servedOf(services).transfers.receive(caller, withText(body)),
      created: true,
      answer: answer('The transfer.', 'Transfer'),
      show: restTransfer,
    }),
    simulateTransferReturn: rest(SIMULATE_TRANSFER_RETURN, 'POST /simulate/transfer-return', {
      summary: 'Return a transfer',
      description: 'The money of a transfer that came in goes back, once.',
      body: {
        description: 'The transfer that is returned.',
        input: SimulatedTransferReturnInput,
        example: { accountId: 'demo-1001', transferId: 'incoming-transfer~3f9a1c22b04d' },
      },
      run: ({ caller, body }, services) => servedOf(services).transfers.giveBack(caller, body),
      answer: answer('The transfer.', 'Transfer'),
      show: restTransfer,
    }),
    simulateCardAuthorization: rest(SIMULATE_AUTHORIZATION, 'POST /simulate/card-authorization', {
      summary: 'Authorise a purchase by card',
      description: 'Places a hold with a card of the account.',
      body: {
        description: 'The purchase.',
        input: SimulatedAuthorizationRecord,
        example: { accountId: 'demo-1001' },
      },
      run: ({ caller, body }, services) => servedOf(services).cards.authorize(caller, withText(body)),
      created: true,
      answer: answer('The hold.', 'Hold'),
      show: restHold,
    }),
    simulateCardCapture: rest(SIMULATE_CAPTURE, 'POST /simulate/card-capture', {
      summary: 'Capture a purchase by card',
      description: 'The purchase is posted, whole or in part. What remains is released unless `keepRest` is true.',
      body: { ...ONE_HOLD, input: SimulatedCaptureRecord },
      run: ({ caller, body }, services) => servedOf(services).cards.capture(caller, withText(body)),
      answer: answer('The hold.', 'Hold'),
      show: restHold,
    }),
    simulateCardReversal: rest(SIMULATE_RELEASE, 'POST /simulate/card-reversal', {
      summary: 'Reverse a purchase by card',
      description: 'The hold of the purchase is released.',
      body: { ...ONE_HOLD, input: SimulatedHoldInput },
      run: ({ caller, body }, services) => servedOf(services).cards.reverse(caller, body),
      answer: answer('The hold.', 'Hold'),
      show: restHold,
    }),
    simulateHoldExpiry: rest(SIMULATE_EXPIRY, 'POST /simulate/hold-expiry', {
      summary: 'Expire a hold',
      description: 'The hold ends as if its time were over.',
      body: { ...ONE_HOLD, input: SimulatedHoldInput },
      run: ({ caller, body }, services) => servedOf(services).cards.expire(caller, body),
      answer: answer('The hold.', 'Hold'),
      show: restHold,
    }),
    simulateCardRefund: rest(SIMULATE_REFUND, 'POST /simulate/card-refund', {
      summary: 'Refund a purchase by card',
      description:
        'Posts a credit that refers to the purchase: what was not given back of it yet, or the `amount`, which must not be more.',
      body: {
        ...TAKEN_BACK,
        input: SimulatedRefundRecord,
        example: { accountId: 'demo-1001', transactionId: 'card-authorization~3f9a1c22b04d~1' },
      },
      refusals: () => [new UnfitTransaction()],
      run: ({ caller, body }, services) => servedOf(services).returns.cardRefund(caller, withText(body)),
      created: true,
      answer: answer('The transaction that was posted.', 'SimulatedTransaction'),
      show: restTransaction,
    }),
  },
};

function runToRest(run: StatementRun): object {
  return contractRecord(pick(run, RUN_FIELDS));
}

/** A simulation as services take it: the JSON number of its amount becomes a decimal text. */
function withText<Wish extends { readonly amount?: number | null }>({ amount = null, ...wish }: Wish) {
  return { ...wish, amount: amount === null ? null : String(amount) };
}
