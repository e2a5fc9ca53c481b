import { InvalidInput, refusalsOf } from 'tillgate/noun';

/** Codes about simulations. */
export const SANDBOX_PROBLEMS = {
  simulation_exists: [
    'conflict',
    'The simulation was made before: its seed made another transaction of this account, or the payment was returned.',
    'Use another `seed`, or leave it out; return another payment.',
  ],
} as const;

const OwnRefusal = refusalsOf(SANDBOX_PROBLEMS);

/** The most days by which the clock moves at once, so that a request issues the documents of a year at most. */
export const MAX_MOVE_DAYS = 366;
/** The number of months and years that can end in that time. */
export const MAX_MOVE_PERIODS = 15;
/** Where the clock ends, as the books of a bank do. */
export const LAST_YEAR = 2099;

/** A seed gives the same id each time, and an account has each id once. */
export class SeedUsed extends OwnRefusal {
  readonly code = 'simulation_exists';
  constructor() {
    super('This seed made another transaction of this account before. Use another seed, or leave it out.');
  }
}

export class AlreadyReturned extends OwnRefusal {
  readonly code = 'simulation_exists';
  constructor() {
    super('The payment was returned before. A payment is returned once.');
  }
}

export class UnfitTransaction extends InvalidInput {
  constructor() {
    super('rule_broken', [
      {
        pointer: '/transactionId',
        code: 'unfit_transaction',
        detail:
          'Must be a posted transaction of the account that can be taken back so: an ACH payment to return, or a purchase by card to refund.',
      },
    ]);
  }
}

/** `pointer`: the field that says where the clock is to go. */
export class BadClockMove extends InvalidInput {
  constructor(pointer: '/to' | '/forward', detail: string) {
    super('rule_broken', [{ pointer, code: 'range', detail }]);
  }
}

export class MonthNotOver extends InvalidInput {
  constructor() {
    super('rule_broken', [
      {
        pointer: '/month',
        code: 'range',
        detail: 'Must be a month that is over by the clock of the program. Move the clock first.',
      },
    ]);
  }
}
