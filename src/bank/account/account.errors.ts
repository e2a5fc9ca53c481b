import { Refusal } from '../../shared/errors.js';
import type { AccountView } from './account.entity.js';

export class AccountNotFound extends Refusal {
  readonly code = 'account_not_found';
  /** `accountId`: the one of several that is not there, for the record of what was denied. It is never told. */
  constructor(readonly accountId: string | null = null) {
    super('The account does not exist, or this caller may not see it.');
  }
}

export class AccountRestricted extends Refusal {
  readonly code = 'account_restricted';
  constructor() {
    super(
      'The bank restricts the account, so it gets no holds and no new cards, and no transfer takes money from it. Lift the restriction first.',
    );
  }
}

export class AccountClosed extends Refusal {
  readonly code = 'account_closed';
  constructor() {
    super('The account is closed. Use an open account.');
  }
}

export class InsufficientFunds extends Refusal {
  readonly code = 'insufficient_funds';
  constructor() {
    super('The amount is more than the available balance and the overdraft limit. Use a smaller amount.');
  }
}

/** Throws `InsufficientFunds` where less than the overdraft limit allows would be available. */
export function mustHaveFunds(
  { overdraftLimitMinor }: Pick<AccountView, 'overdraftLimitMinor'>,
  availableMinor: bigint,
): void {
  if (availableMinor < -overdraftLimitMinor) throw new InsufficientFunds();
}

/** Throws `AccountClosed`. */
export function mustNotBeClosed({ status }: Pick<AccountView, 'status'>): void {
  if (status === 'CLOSED') throw new AccountClosed();
}

/** Throws `AccountClosed`, `AccountRestricted`. */
export function mustBeOpen(account: Pick<AccountView, 'status'>): void {
  mustNotBeClosed(account);
  if (account.status === 'RESTRICTED') throw new AccountRestricted();
}

/** The refusal of an id that an account of the caller's program has. See `ForeignId` for one of another program. */
export class AccountExists extends Refusal {
  readonly code = 'account_exists';
  constructor() {
    super('The accountId is taken. Use another accountId.');
  }
}

/** The refusal of an id that an account of the caller's program had. See `ForeignId` for one of another program. */
export class AccountEnded extends Refusal {
  readonly code = 'account_ended';
  constructor() {
    super('An account with this accountId has ended, and its id is never given out again. Use another accountId.');
  }
}

export class AccountNotRestricted extends Refusal {
  readonly code = 'account_not_restricted';
  constructor() {
    super('The account is not restricted, so there is no restriction to lift.');
  }
}

export class AccountNotEmpty extends Refusal {
  readonly code = 'account_not_empty';
  constructor() {
    super('The balance of the account is not zero. Pay it out or settle it, and then close the account.');
  }
}

export class AccountHasHolds extends Refusal {
  readonly code = 'account_has_holds';
  constructor() {
    super(
      'Holds, or transfers that wait for an approval, keep back money of the account. End them, and then close the account.',
    );
  }
}
