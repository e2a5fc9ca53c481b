import {
  BeyondTransaction,
  InvalidInput,
  Refusal,
  type AccountView,
  type Caller,
  type PostingService,
  type TransactionView,
} from 'tillgate/noun';
import { BILLS, INTEREST, MONTHLY_FEE, MONTHLY_FEE_UNITS, SALARY, WIRE, amountOf } from './demo/demo-words.js';
import type { Random } from './demo/random.js';
import type { SandboxAccess } from './sandbox.access.js';
import type { SandboxDraw } from './sandbox.draw.js';
import { SeedUsed } from './sandbox.errors.js';

/** The part of a payment that a client may say; the rest is made from the seed. */
export interface PaymentWish {
  readonly accountId: string;
  readonly amount?: string | null;
  readonly description?: string | null;
  readonly seed?: number | null;
}

/** A transaction as it is posted. */
export type SandboxPosting = Parameters<PostingService['post']>[2]['transactions'][number];

/** The random parts of a payment. Units are about a dollar each. */
interface PaymentDraft {
  readonly units: number;
  readonly description: string;
  readonly reference?: string;
}

interface Kind {
  readonly debitCreditMemo: 'CREDIT' | 'DEBIT';
  readonly category: string;
  readonly transactionType: string;
  readonly usage?: 'FEES' | 'MONETARY';
  readonly words: (random: Random) => PaymentDraft;
}

const serial = (prefix: string, random: Random): string => `${prefix}-${random.between(100_000, 999_999)}`;
const cents = (random: Random, low: number, high: number): number => random.between(low * 100, high * 100) / 100;

/** Drawn in the order of their lines, so another order would be other data. */
const KINDS = {
  'ach-credit': {
    debitCreditMemo: 'CREDIT',
    category: 'ACH',
    transactionType: 'DIRECTDEPOSIT',
    words: random => ({
      units: cents(random, 900, 3900),
      description: SALARY,
      reference: serial('PAY', random),
    }),
  },
  'ach-debit': {
    debitCreditMemo: 'DEBIT',
    category: 'ACH',
    transactionType: 'DIRECTDEBIT',
    words: random => ({
      units: cents(random, 40, 210),
      description: random.pick(BILLS),
      reference: serial('INV', random),
    }),
  },
  wire: {
    debitCreditMemo: 'CREDIT',
    category: 'WIRE',
    transactionType: 'INCOMINGWIRE',
    words: random => ({
      units: random.between(900, 2500),
      description: WIRE,
      reference: serial('WIRE', random),
    }),
  },
  interest: {
    debitCreditMemo: 'CREDIT',
    category: 'OTHER',
    transactionType: 'INTEREST',
    words: random => ({
      units: cents(random, 1, 24),
      description: INTEREST,
    }),
  },
  'monthly-fee': {
    debitCreditMemo: 'DEBIT',
    category: 'OTHER',
    transactionType: 'FEE',
    usage: 'FEES',
    words: () => ({
      units: MONTHLY_FEE_UNITS,
      description: MONTHLY_FEE,
    }),
  },
} as const satisfies Record<string, Kind>;

export type PaymentKind = keyof typeof KINDS;
export const PAYMENT_KINDS = Object.keys(KINDS) as PaymentKind[];

/** Payments as the bank's other systems would post them. */
export class SandboxPostingService {
  constructor(
    private readonly draw: SandboxDraw,
    readonly access: SandboxAccess,
    private readonly posting: PostingService,
  ) {}

  /** Throws `AccountNotFound`, `AccountClosed`, `SeedUsed`, `InvalidInput`. */
  async pay(caller: Caller, kind: PaymentKind, wish: PaymentWish): Promise<TransactionView> {
    const { accountId } = wish;
    const sender = caller.sending({ simulation: kind, ...wish });
    const { currency } = await this.access.account(caller, accountId);
    const transaction = await this.transactionOf(caller.program, kind, wish, currency);
    return this.post(sender, accountId, transaction, () => new SeedUsed());
  }

  /** Posts one transaction. `exists`: the refusal if the account has another one with its id. */
  async post(
    caller: Caller,
    accountId: string,
    posting: SandboxPosting,
    exists: () => Refusal,
  ): Promise<TransactionView> {
    try {
      const [posted] = await this.posting.post(
        caller,
        accountId,
        { transactions: [posting], checkFunds: false, areOwn: true },
        false,
      );
      return posted as TransactionView;
    } catch (error) {
      throw error instanceof Refusal && error.code === 'transaction_mismatch' ? exists() : ofOne(error);
    }
  }

  private async transactionOf(
    program: string,
    kind: PaymentKind,
    { amount, description, seed }: PaymentWish,
    currency: AccountView['currency'],
  ): Promise<SandboxPosting> {
    const { id, random, now } = await this.draw.next(program, kind, seed);
    const { words, usage = 'MONETARY', ...fixed }: Kind = KINDS[kind];
    const { units, reference = null, ...made } = words(random);
    return {
      ...fixed,
      transactionId: id,
      amount: amount ?? amountOf(units, currency),
      description: description ?? made.description,
      reference,
      status: 'POSTED',
      transactionTimestamp: now,
      postedTimestamp: now,
      additionalInformation: [
        { key: 'usage', value: usage },
        { key: 'direction', value: fixed.debitCreditMemo === 'CREDIT' ? 'RECEIVING' : 'ORIGINATING' },
      ],
    };
  }
}

/** The faults of the one transaction, with pointers into the input. */
function ofOne(error: unknown): unknown {
  if (error instanceof BeyondTransaction) {
    const [problem] = error.errors;
    return problem ? new BeyondTransaction({ ...problem, pointer: '/amount' }) : error;
  }
  if (!(error instanceof InvalidInput)) return error;
  const problems = error.errors.map(problem => ({
    ...problem,
    pointer: problem.pointer.replace('/transactions/0', ''),
  }));
  return new InvalidInput(error.kind, problems);
}
