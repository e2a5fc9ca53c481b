import { ForeignId } from '../../../platform/command/foreign-ids.js';
import type { Draft } from '../../../platform/repository/batched-repository.js';
import type { FieldProblem } from '../../../shared/errors.js';
import { metadataAfter } from '../../../shared/metadata.js';
import { decimalOf } from '../../../shared/money.js';
import { firstVersion } from '../../../shared/version.js';
import type { AccountView } from '../account.entity.js';
import { AccountEnded } from '../account.errors.js';
import { limitMinorOf, limitText } from '../account.record.js';
import type { AccountRepository } from '../account.repository.js';
import type { AccountDetails } from '../administration/administration.inputs.js';

// The rules of a new account and its rows, which operators and the import share.

/** A new account as it is sent. */
export type AccountOpening = AccountDetails & {
  readonly accountId: string;
  readonly openedOn: string;
  readonly overdraftLimit?: string | number | null | undefined;
};

/** Returns the account as it begins, or the problem that it has whatever the database has. */
export function newAccountOf(opening: AccountOpening): AccountView | FieldProblem {
  const { accountId, accountType, currency, timeZone, interestBearing, openedOn, overdraftLimit } = opening;
  const metadata = metadataAfter({}, opening.metadata);
  const overdraftLimitMinor = limitMinorOf(limitText(overdraftLimit ?? null), currency);
  if (typeof overdraftLimitMinor !== 'bigint') return overdraftLimitMinor;
  return {
    accountId,
    accountType,
    currency,
    timeZone,
    status: 'OPEN',
    openedOn,
    interestBearing,
    balanceMinor: 0n,
    heldMinor: 0n,
    overdraftLimitMinor,
    lastSeq: 0,
    metadata,
    ...firstVersion(),
    closedAt: null,
    restrictedAt: null,
    restrictionReason: null,
    availableBalance: decimalOf(0n, currency),
  };
}

/**
 * Throws `ForeignId` if the id names, or named until it ended, an account of another program than the caller's, and
 * `AccountEnded` if one of the caller's own has ended.
 */
export function mustBeUsable(program: string, presentIn: string | null, endedIn: string | null): void {
  const takenBy = presentIn ?? endedIn;
  if (takenBy !== null && takenBy !== program) throw new ForeignId(takenBy, '/accountId');
  if (presentIn === null && endedIn !== null) throw new AccountEnded();
}

/** The owners of a new account that are no customers of its program. */
export function unknownOwners(
  owners: readonly string[],
  customers: { has(customerId: string): boolean },
): FieldProblem[] {
  return owners.flatMap((customerId, index) =>
    customers.has(customerId)
      ? []
      : [
          {
            pointer: `/owners/${index}`,
            code: 'unknown_customer',
            detail: 'This program has no customer with this id. Create or import the customer first.',
          },
        ],
  );
}

/** The rows of a new account: its own, and those of its owners. */
export interface OpeningDraft {
  readonly account: Draft;
  readonly owners: readonly Draft[];
}

export function openingDraft(
  repository: AccountRepository,
  program: string,
  account: AccountView,
  owners: readonly string[],
): OpeningDraft {
  const { accountId } = account;
  const ownership = (customerId: string, index: number): object => ({ accountId, customerId, position: index + 1 });
  return {
    account: repository.draft({ ...account, program }),
    owners: owners.map((customerId, index) => repository.ownerships.draft(ownership(customerId, index))),
  };
}
