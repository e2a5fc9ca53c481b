import { randomUUID } from 'node:crypto';
import type { AccountView } from '../account/account.entity.js';
import { mustNotBeClosed } from '../account/account.errors.js';
import { sightOf, type AccountCommand, type AccountService } from '../account/account.service.js';
import type { Asked, EventFacts } from '../platform/command/command.js';
import type { Asking } from '../platform/database/transaction.js';
import type { Draft, PageAhead } from '../platform/repository/batched-repository.js';
import { pick } from '../platform/repository/fields.js';
import { listing, pageAt, type Cursors } from '../platform/repository/listing.js';
import type { Caller } from '../shared/caller.js';
import { UUID_TEXT } from '../shared/ids.js';
import type { Json } from '../shared/json.js';
import type { CursorRequest, Listing, Page, PageRequest } from '../shared/page.js';
import type { BeneficiaryView } from './beneficiary.entity.js';
import { BeneficiaryNotFound, MAX_BENEFICIARIES, TooManyBeneficiaries } from './beneficiary.errors.js';
import type { BeneficiaryInput, BeneficiaryPatch } from './beneficiary.inputs.js';
import { merged, recordOf, shown } from './beneficiary.record.js';
import type { BeneficiaryRead, BeneficiaryRepository, ListEnd } from './beneficiary.repository.js';

const CURSORS: Cursors<BeneficiaryRead> = {
  form: /^\d{1,9}$/,
  start: 0,
  placeOf: ({ position }) => String(position),
};

interface Named {
  readonly beneficiaryId: string;
}
interface Changed extends Named {
  readonly patch: BeneficiaryPatch;
}

export class BeneficiaryService {
  /** Throws `AccountNotFound`, `AccountClosed`, `TooManyBeneficiaries`. */
  readonly add: AccountCommand<BeneficiaryInput, BeneficiaryView>;
  /**
   * Merges a patch. Throws `AccountNotFound`, `BeneficiaryNotFound`, `InvalidInput` when the merged record breaks a
   * rule.
   */
  readonly update: AccountCommand<Changed, BeneficiaryView>;
  /** Throws `AccountNotFound`, `BeneficiaryNotFound`. */
  readonly delete: AccountCommand<Named, BeneficiaryView>;

  constructor(
    readonly repository: BeneficiaryRepository,
    private readonly accounts: AccountService,
  ) {
    const scope = 'beneficiaries.write';
    this.add = accounts.command<BeneficiaryInput, ListEnd, BeneficiaryView, Draft>('beneficiary.add', scope, {
      know: (transaction, asked) => repository.listEnds(transaction, asked.map(accountOf)),
      prepare: ({ accountId, input }) => {
        const beneficiaryId = randomUUID();
        const { columns, secrets } = recordOf(input);
        const draft = repository.draft({ accountId, beneficiaryId, ...columns, secrets });
        return { result: shown({ beneficiaryId, ...secrets, ...columns }), draft };
      },
      permit: (account, { count }) => {
        mustNotBeClosed(account);
        if (count >= MAX_BENEFICIARIES) throw new TooManyBeneficiaries();
      },
      write: done => [repository.insertion(done.map(({ draft, fact }) => ({ ...draft, position: fact.last + 1 })))],
      event,
    });
    const overwriting = repository.updating();
    this.update = accounts.command<Changed, BeneficiaryRead | null, BeneficiaryView, Draft>(
      'beneficiary.update',
      scope,
      {
        recorded: ({ accountId, input: { beneficiaryId, patch } }) => ({ accountId, beneficiaryId, ...patch }),
        know: (transaction, asked) => this.each(transaction, asked),
        permit: (_account, onFile, { input: { patch } }) => {
          if (!onFile) throw new BeneficiaryNotFound();
          const { accountId, beneficiaryId, position } = onFile;
          const { columns, secrets } = recordOf(merged(onFile, onFile.secrets, patch));
          const draft = repository.draft({ accountId, beneficiaryId, position, ...columns, secrets });
          return { result: shown({ beneficiaryId, ...secrets, ...columns }), draft };
        },
        write: done => [overwriting(done.map(({ draft }) => draft))],
        event,
      },
    );
    this.delete = accounts.command<Named, BeneficiaryRead | null, BeneficiaryView, string[]>(
      'beneficiary.delete',
      scope,
      {
        know: (transaction, asked) => this.each(transaction, asked),
        permit: (_account, onFile) => {
          if (!onFile) throw new BeneficiaryNotFound();
          return { result: shown(onFile), draft: [onFile.accountId, onFile.beneficiaryId] };
        },
        write: done => [repository.deletion(done.map(({ draft }) => draft))],
        event,
      },
    );
  }

  /** A page of an account's beneficiaries, in the order they were added. Throws `AccountNotFound`. */
  async page(caller: Caller, accountId: string, { offset, limit }: PageRequest): Promise<Page<BeneficiaryView>> {
    caller.require('beneficiaries.read');
    const page = { parent: accountId, after: CURSORS.start, skip: offset, size: limit, lazy: false };
    const ahead = this.repository.begin(page, sightOf(caller, accountId));
    await this.accounts.mustSee(caller, accountId);
    const [items, total] = await Promise.all([this.repository.page(page, ahead), this.repository.count(accountId)]);
    return { items, total };
  }

  /**
   * Begins to read a page by cursor before anybody knows whether the caller sees the account. `list` takes the rows
   * over if they are what it needs, and reads otherwise. Throws what `list` would refuse without the account.
   */
  ahead(caller: Caller, accountId: string, request: CursorRequest, secrets: boolean): PageAhead<BeneficiaryRead> {
    caller.require('beneficiaries.read');
    return this.repository.begin(pageAt(CURSORS, accountId, request, { lazy: secrets }), sightOf(caller, accountId));
  }

  /**
   * The same by cursor, for an account that the caller sees. Without `secrets` nobody may look at what is sealed.
   * `ahead` is what was begun for it. Throws `InvalidInput`.
   */
  list(
    caller: Caller,
    { accountId }: AccountView,
    request: CursorRequest,
    { secrets, ahead = null }: { readonly secrets: boolean; readonly ahead?: PageAhead<BeneficiaryRead> | null },
  ): Listing<BeneficiaryView> {
    caller.require('beneficiaries.read');
    const page = pageAt(CURSORS, accountId, request, { lazy: secrets });
    return listing(this.repository, CURSORS, page, row => row, ahead);
  }

  /** One beneficiary of an account that the caller sees, or null. */
  async find(caller: Caller, { accountId }: AccountView, beneficiaryId: string): Promise<BeneficiaryView | null> {
    caller.require('beneficiaries.read');
    return UUID_TEXT.test(beneficiaryId) ? this.repository.one(accountId, beneficiaryId) : null;
  }

  /** Throws `AccountNotFound`, `BeneficiaryNotFound`. */
  async get(caller: Caller, accountId: string, beneficiaryId: string): Promise<BeneficiaryView> {
    caller.require('beneficiaries.read');
    const found = await this.find(caller, await this.accounts.mustSee(caller, accountId), beneficiaryId.toLowerCase());
    if (!found) throw new BeneficiaryNotFound();
    return shown(found);
  }

  private each(transaction: Asking, asked: readonly Asked<Named>[]): Promise<(BeneficiaryRead | null)[]> {
    const keys = asked.map(({ accountId, input }) => [accountId, uuidOrNull(input.beneficiaryId)]);
    return this.repository.each(transaction, keys);
  }
}

function accountOf({ accountId }: Asked<unknown>): string {
  return accountId;
}

/** What cannot be the id of a beneficiary is compared with no id: it may hold what PostgreSQL does not take as one. */
function uuidOrNull(text: string): string | null {
  return UUID_TEXT.test(text) ? text : null;
}

function event({ result }: { readonly result: BeneficiaryView }): EventFacts {
  const data = pick<Record<string, Json>>(result, ['beneficiaryType', 'relationship', 'sharePercentage']);
  return { object: `beneficiary/${result.beneficiaryId}`, data };
}
