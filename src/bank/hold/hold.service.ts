import type { AccountView } from '../account/account.entity.js';
import type { AccountCommand, AccountService } from '../account/account.service.js';
import {
  waitsForAgents,
  type CommandRequest,
  type EventFacts,
  type AcceptedCommand,
} from '../../platform/command/command.js';
import type { SqlQuery } from '../../platform/database/transaction.js';
import { wantedPairs } from '../../platform/repository/metadata-column.js';
import { listing, windowAt, type Cursors } from '../../platform/repository/listing.js';
import type { Caller } from '../../shared/caller.js';
import { BANK_ID } from '../../shared/ids.js';
import { metadataAfter } from '../../shared/metadata.js';
import { decimalOf, shortDecimal } from '../../shared/money.js';
import { sliceOf, type CursorRequest, type Listing, type Page, type PageRequest } from '../../shared/page.js';
import type { LimitService } from '../limit/limit.service.js';
import type { EntryContent, LedgerAddition, LedgerService } from '../transaction/ledger.service.js';
import { captureEntry, placedEntry, releaseEntry } from './hold.entries.js';
import { keptBack, type HoldRead, type HoldStatus, type HoldView } from './hold.entity.js';
import { holdChanges } from './hold.changes.js';
import { HoldNotFound } from './hold.errors.js';
import type { HoldFacts } from './hold.events.js';
import { holdOf, shown } from './hold.record.js';
import type { HoldLookup, HoldCommandFacts, HoldRepository } from './hold.repository.js';
import type { HoldFilter } from './hold.inputs.js';
import { cardLimitsOf } from './hold.limits.js';
import { PurchaseRefusals } from './hold.refusals.js';
import {
  captureOf,
  isSameHold,
  newAmountOf,
  overdueHold,
  permitPlacing,
  usableHold,
  type NewHold,
} from './hold.rules.js';
import { CAPTURE_HOLD, EXPIRE_HOLD, PLACE_HOLD, READ_HOLDS, RELEASE_HOLD } from './hold.operations.js';
import type { DeclaredOperation } from '../../shared/operation.js';

const CURSORS: Cursors<HoldRead> = { form: /^[1-9]\d{0,15}$/, placeOf: ({ seq }) => String(seq) };

export interface NamedHold {
  readonly holdId: string;
}
export interface Capture extends NamedHold {
  /** All that remains where it is null. */
  readonly amount: string | null;
  /** True if what then remains is kept and not released. */
  readonly keepRest: boolean;
}

/** The step that a command makes with a hold. */
interface Step {
  readonly before: HoldRead | null;
  readonly after: HoldRead;
  /** The amount that is placed, captured or released. */
  readonly amountMinor: bigint;
  /** The entries in the history: none if nothing changes. */
  readonly entries: readonly EntryContent[];
}

/** The rows that a step writes. */
interface Change extends Pick<Step, 'after' | 'amountMinor'> {
  /** The amount that the holds of the account keep back afterwards. */
  readonly heldMinor: bigint;
  readonly addition: LedgerAddition;
}

/** A command that is done. */
type AcceptedHoldCommand = Pick<AcceptedCommand<unknown, HoldCommandFacts, HoldView, Change>, 'accountId' | 'draft'>;

/** Money that is kept back for payments that are expected, until it is captured or released. */
export class HoldService {
  private readonly refusals = new PurchaseRefusals();
  private readonly rewriting = this.repository.updating([
    'capturedMinor',
    'captures',
    'status',
    'endedAt',
    'updatedAt',
  ]);

  constructor(
    readonly repository: HoldRepository,
    private readonly accounts: AccountService,
    private readonly ledger: LedgerService,
    private readonly limits: LimitService,
  ) {}

  private readonly placing = this.accounts.command<NewHold, HoldCommandFacts, HoldView, Change>(PLACE_HOLD, {
    recorded: ({
      accountId,
      input: { holdId, amount, description, expiresAt, cardId = null, reference, metadata },
    }) => {
      const compared = {
        amount: shortDecimal(amount),
        reference: reference || null,
        metadata: metadataAfter({}, metadata),
      };
      return { accountId, holdId, description, expiresAt, cardId, ...compared };
    },
    readFacts: async (transaction, requests) => {
      const [deciding, cardLimits] = await Promise.all([
        this.repository.deciding(transaction, requests.map(keyOf)),
        cardLimitsOf(this.limits, transaction, requests),
      ]);
      return deciding.map((one, index) => ({ ...one, cardLimits: cardLimits[index] ?? null }));
    },
    permit: (account, deciding, request) => this.changed(account, request, placingOf(account, deciding, request)),
    write: accepted => {
      const placed = accepted.filter(isChange);
      const drafts = placed.map(({ draft }) => this.repository.draft(draft.after));
      return placed.length === 0 ? [] : [this.repository.insertion(drafts), ...this.moving(placed)];
    },
    event: eventOf,
    refused: (...refused) => this.refusals.eventOf(...refused),
    approval: waitsForAgents(holdChanges),
  });

  /**
   * Throws `AccountNotFound`, `HoldExists`, `AccountClosed`, `AccountRestricted`, `CardNotFound`, `CardStateConflict`,
   * `LimitExceeded`, `InsufficientFunds`, `InvalidInput`.
   */
  async place(caller: Caller, accountId: string, input: NewHold, dryRun?: boolean): Promise<HoldView> {
    return await this.placing(caller, accountId, input, dryRun);
  }

  private readonly capturing = this.accounts.command<Capture, HoldCommandFacts, HoldView, Change>(CAPTURE_HOLD, {
    recorded: ({ accountId, input: { holdId, amount, keepRest } }) => {
      return { accountId, holdId, amount: amount === null ? null : shortDecimal(amount), keepRest };
    },
    readFacts: (transaction, requests) => this.repository.deciding(transaction, requests.map(keyOf)),
    permit: (account, deciding, request) => this.changed(account, request, capturingOf(deciding, request.input)),
    write: accepted => this.overwriting(accepted),
    event: eventOf,
  });

  /** Throws `AccountNotFound`, `HoldNotFound`, `HoldEnded`, `HoldExceeded`, `InvalidInput`. */
  async capture(caller: Caller, accountId: string, input: Capture, dryRun?: boolean): Promise<HoldView> {
    return await this.capturing(caller, accountId, input, dryRun);
  }

  private readonly releasing = this.ending(RELEASE_HOLD, 'RELEASED', usableHold);

  /** Throws `AccountNotFound`, `HoldNotFound`, `HoldEnded`. */
  async release(caller: Caller, accountId: string, input: NamedHold, dryRun?: boolean): Promise<HoldView> {
    return await this.releasing(caller, accountId, input, dryRun);
  }

  private readonly expiring = this.ending(EXPIRE_HOLD, 'EXPIRED', overdueHold);

  /** Ends a hold whose time is over. Throws `AccountNotFound`, `HoldNotFound`, `HoldEnded`. */
  async expire(caller: Caller, accountId: string, input: NamedHold): Promise<HoldView> {
    return await this.expiring(caller, accountId, input);
  }

  private readonly expiringEarly = this.ending(EXPIRE_HOLD, 'EXPIRED', usableHold);

  /** Ends a hold as if its time were over: for the sandbox. Throws `AccountNotFound`, `HoldNotFound`, `HoldEnded`. */
  async expireEarly(caller: Caller, accountId: string, input: NamedHold): Promise<HoldView> {
    return await this.expiringEarly(caller, accountId, input);
  }

  /** The holds of an account that the caller sees, newest first. Throws `InvalidInput`. */
  list(
    caller: Caller,
    { accountId }: AccountView,
    request: CursorRequest,
    { statuses, metadata }: HoldFilter,
  ): Listing<HoldView> {
    caller.require(READ_HOLDS);
    const pairs = wantedPairs(metadata);
    if (pairs !== null) return this.withPairs(accountId, request, statuses ?? null, pairs);
    const part = { parent: accountId, request, filter: statuses?.join() ?? null };
    return listing(this.repository, CURSORS, part, (hold): HoldView => hold);
  }

  private withPairs(
    accountId: string,
    request: CursorRequest,
    statuses: readonly HoldStatus[] | null,
    pairs: string,
  ): Listing<HoldView> {
    const window = windowAt(CURSORS, request);
    return {
      page: async () =>
        sliceOf(await this.repository.withPairs(accountId, statuses, pairs, window), window, hold =>
          CURSORS.placeOf(hold),
        ),
      total: () => this.repository.countWithPairs(accountId, statuses, pairs),
    };
  }

  /** A page by offset of the holds of an account. Throws `AccountNotFound`. */
  async page(
    caller: Caller,
    accountId: string,
    { offset, limit }: PageRequest,
    status: HoldStatus | null,
  ): Promise<Page<HoldView>> {
    caller.require(READ_HOLDS);
    await this.accounts.mustSee(caller, accountId);
    const page = { parent: accountId, skip: offset, size: limit, includeLazyColumns: false, filter: status };
    const [holds, total] = await Promise.all([this.repository.page(page), this.repository.count(accountId, status)]);
    return { items: holds.map(shown), total };
  }

  /** One hold of an account that the caller sees, or null. */
  async find(caller: Caller, { accountId }: AccountView, holdId: string): Promise<HoldView | null> {
    caller.require(READ_HOLDS);
    return BANK_ID.test(holdId) ? this.repository.one(accountId, holdId) : null;
  }

  /** Throws `AccountNotFound`, `HoldNotFound`. */
  async get(caller: Caller, accountId: string, holdId: string): Promise<HoldView> {
    caller.require(READ_HOLDS);
    const found = await this.find(caller, await this.accounts.mustSee(caller, accountId), holdId);
    if (!found) throw new HoldNotFound();
    return shown(found);
  }

  /** A command that ends a hold and releases what it keeps back. */
  private ending(
    operation: DeclaredOperation,
    status: HoldStatus,
    endable: (deciding: HoldCommandFacts) => HoldRead,
  ): AccountCommand<NamedHold, HoldView> {
    return this.accounts.command<NamedHold, HoldCommandFacts, HoldView, Change>(operation, {
      readFacts: (transaction, requests) => this.repository.deciding(transaction, requests.map(keyOf)),
      permit: (account, deciding, request) => {
        const before = endable(deciding);
        const { now, localNow } = endOf(before, deciding);
        const after = holdOf({ ...before, status, endedAt: now, updatedAt: now });
        const amountMinor = keptBack(before);
        const entries = [releaseEntry(before, amountMinor, { ...deciding, now, localNow }, status === 'EXPIRED')];
        return this.changed(account, request, { before, after, amountMinor, entries });
      },
      write: accepted => this.overwriting(accepted),
      event: eventOf,
      ...(operation.mayWait && { approval: waitsForAgents(holdChanges) }),
    });
  }

  private changed(
    account: AccountView,
    { caller: { program } }: CommandRequest<unknown>,
    { before, after, amountMinor, entries }: Step,
  ): { readonly result: HoldView; readonly draft: Change } {
    const heldMinor = account.heldMinor + keptBack(after) - (before ? keptBack(before) : 0n);
    const addition = this.ledger.adding(account, program, entries);
    return { result: shown(after), draft: { after, amountMinor, heldMinor, addition } };
  }

  private overwriting(accepted: readonly AcceptedHoldCommand[]): SqlQuery[] {
    return [this.rewriting(accepted.map(({ draft }) => this.repository.draft(draft.after))), ...this.moving(accepted)];
  }

  /** Ledgers and held amounts of accounts, which move in the transaction that changes their holds. */
  private moving(accepted: readonly AcceptedHoldCommand[]): SqlQuery[] {
    const held = accepted.map(({ accountId, draft: { heldMinor } }) => ({ accountId, heldMinor }));
    return [this.repository.holdingBack(held), ...this.ledger.writing(accepted.map(({ draft }) => draft.addition))];
  }
}

/** A hold whose time is over ended then, however much later that is found: a sandbox's clock may have jumped. */
function endOf(
  { expiresAt }: HoldRead,
  { now, localNow, localExpiry }: HoldCommandFacts,
): Pick<HoldCommandFacts, 'now' | 'localNow'> {
  return expiresAt <= now ? { now: expiresAt, localNow: localExpiry ?? localNow } : { now, localNow };
}

function placingOf(
  account: AccountView,
  deciding: HoldCommandFacts,
  { caller: { program }, input }: CommandRequest<NewHold>,
): Step {
  const { hold, now } = deciding;
  if (hold && isSameHold(hold, input)) return { before: hold, after: hold, amountMinor: 0n, entries: [] };
  const { accountId, currency, lastSeq } = account;
  const amountMinor = newAmountOf(input, currency, now);
  permitPlacing(account, deciding, input, amountMinor);
  const { holdId, description, expiresAt, cardId = null, reference, metadata } = input;
  const after = holdOf({
    accountId,
    holdId,
    program,
    seq: lastSeq + 1,
    currency,
    amountMinor,
    capturedMinor: 0n,
    captures: 0,
    status: 'ACTIVE',
    description,
    reference: reference || null,
    cardId,
    metadata: metadataAfter({}, metadata),
    placedAt: now,
    expiresAt,
    endedAt: null,
    updatedAt: now,
  });
  return { before: null, after, amountMinor, entries: [placedEntry(after, deciding)] };
}

function capturingOf(deciding: HoldCommandFacts, { amount, keepRest }: Capture): Step {
  const before = usableHold(deciding);
  const amountMinor = captureOf(amount, before);
  const rest = keptBack(before) - amountMinor;
  const ends = rest === 0n || !keepRest;
  const after = holdOf({
    ...before,
    capturedMinor: before.capturedMinor + amountMinor,
    captures: before.captures + 1,
    updatedAt: deciding.now,
    ...(ends && {
      status: 'CAPTURED',
      endedAt: deciding.now,
    }),
  });
  const released = ends && rest > 0n ? [releaseEntry(before, rest, deciding, false)] : [];
  const entries = [captureEntry(before, amountMinor, deciding), ...released];
  return { before, after, amountMinor, entries };
}

/**
 * Makes the key of a hold. A text that cannot be an id is compared with none: it may hold what PostgreSQL does not take
 * as text.
 */
function keyOf({ accountId, input }: CommandRequest<NamedHold & { readonly cardId?: string | null }>): HoldLookup {
  const { holdId, cardId = null } = input;
  return { accountId, holdId: BANK_ID.test(holdId) ? holdId : null, cardId };
}

function isChange({ draft }: AcceptedHoldCommand): boolean {
  return draft.addition.drafts.length > 0;
}

function eventOf({ draft }: Pick<AcceptedHoldCommand, 'draft'>): EventFacts {
  const { after, amountMinor, addition } = draft;
  const { holdId, currency, heldAmount, status, expiresAt } = after;
  const [shownBy] = addition.drafts;
  const facts: HoldFacts = {
    amount: decimalOf(amountMinor, currency),
    currency,
    heldAmount,
    status,
    expiresAt,
    transactions: addition.drafts.length,
    lastSeq: addition.head.lastSeq,
    transactionId: (shownBy?.['transaction_id'] as string | undefined) ?? null,
  };
  return { object: `hold/${holdId}`, data: facts };
}
