import { randomUUID } from 'node:crypto';
import type { AccountView } from '../account/account.entity.js';
import { sightOf, type AccountService } from '../account/account.service.js';
import type { KeyRing } from '../platform/crypto/key-ring.js';
import { batcher } from '../platform/repository/batcher.js';
import { oneByOrdinal, type WithOrdinal } from '../platform/repository/by-ordinal.js';
import type { Database } from '../platform/database/orm.js';
import type { Caller } from '../shared/caller.js';
import type { Json } from '../shared/json.js';
import {
  pageRequestOf,
  positionOf,
  sliceOf,
  type CursorRequest,
  type Listing,
  type Page,
  type PageRequest,
} from '../shared/page.js';
import { Beneficiary, type BeneficiarySecrets, type BeneficiaryView } from './beneficiary.entity.js';
import { BeneficiaryNotFound, MAX_BENEFICIARIES, TooManyBeneficiaries } from './beneficiary.errors.js';
import type { BeneficiaryInput, BeneficiaryPatch } from './beneficiary.inputs.js';
import { draftOf, insertion, type BeneficiaryDraft } from './beneficiary.insert.js';
import { BeneficiaryPages, type BeneficiaryPage, type PageAhead } from './beneficiary.pages.js';
import { merged, recordOf } from './beneficiary.record.js';
import {
  BeneficiaryRead,
  beneficiaryColumns,
  beneficiaryIdentity,
  shown,
  type BeneficiaryRow,
} from './beneficiary.row.js';
import { UUID_TEXT } from '../shared/ids.js';

const ONES = {
  name: 'beneficiaries',
  text: `SELECT ${beneficiaryColumns()}, k.n::int FROM unnest($1::text[], $2::uuid[]) WITH ORDINALITY k(account_id, beneficiary_id, n)
    JOIN beneficiary b ON b.account_id = k.account_id AND b.beneficiary_id = k.beneficiary_id`,
};

const COUNTS = {
  name: 'beneficiary_counts',
  text: `SELECT (SELECT count(*)::int FROM beneficiary b WHERE b.account_id = k.account_id), k.n::int
    FROM unnest($1::text[]) WITH ORDINALITY k(account_id, n)`,
};

const LISTS = {
  name: 'beneficiary_lists',
  text: `SELECT count(*)::int, max(b.position), k.n::int FROM unnest($1::text[]) WITH ORDINALITY k(account_id, n)
    JOIN beneficiary b ON b.account_id = k.account_id GROUP BY k.n`,
};

/** How many beneficiaries an account has, and the position of the last. */
interface List {
  readonly count: number;
  readonly last: number;
}
const EMPTY: List = { count: 0, last: 0 };

const POSITION = /^\d{1,9}$/;

export class BeneficiaryService {
  private readonly pages: BeneficiaryPages;

  private readonly ones = batcher<{ accountId: string; beneficiaryId: string }, BeneficiaryRead | null>(async keys => {
    const values = [keys.map(key => key.accountId), keys.map(key => key.beneficiaryId)];
    const rows = await this.database.queryTogether<WithOrdinal<BeneficiaryRow>>(ONES, values);
    return oneByOrdinal(rows, keys.length, row => new BeneficiaryRead(row, this.keys));
  });

  private readonly counts = batcher<string, number>(async accountIds => {
    const rows = await this.database.queryTogether<WithOrdinal<[count: number]>>(COUNTS, [accountIds]);
    return oneByOrdinal(rows, accountIds.length, ([count]) => count).map(count => count ?? 0);
  });

  private readonly adding: ReturnType<typeof this.additions>;

  constructor(
    private readonly database: Database,
    private readonly accounts: AccountService,
    private readonly keys: KeyRing,
  ) {
    this.pages = new BeneficiaryPages(database, keys);
    this.adding = this.additions();
  }

  /** A page of an account's beneficiaries, in the order they were added. Throws `AccountNotFound`. */
  async page(caller: Caller, accountId: string, { offset, limit }: PageRequest): Promise<Page<BeneficiaryView>> {
    caller.require('beneficiaries.read');
    const page: BeneficiaryPage = { accountId, after: 0, skip: offset, size: limit, secrets: false };
    const ahead = this.pages.begin({ ...sightOf(caller, accountId), ...page });
    await this.accounts.mustSee(caller, accountId);
    const [items, total] = await Promise.all([this.pages.read(page, ahead), this.counts(accountId)]);
    return { items, total };
  }

  /**
   * Begins to read a page by cursor before anybody knows whether the caller sees the account. `list` takes the rows over if they are what it
   * needs, and reads otherwise. Throws what `list` would refuse without the account.
   */
  ahead(caller: Caller, accountId: string, request: CursorRequest, secrets: boolean): PageAhead {
    caller.require('beneficiaries.read');
    return this.pages.begin({ ...sightOf(caller, accountId), ...pageOf(accountId, request, secrets) });
  }

  /**
   * The same by cursor, for an account that the caller sees. Without `secrets` nobody may ask for what is sealed. `ahead` is what was begun
   * for it. Throws `InvalidInput`.
   */
  list(
    caller: Caller,
    { accountId }: AccountView,
    request: CursorRequest,
    { secrets, ahead = null }: { readonly secrets: boolean; readonly ahead?: PageAhead | null },
  ): Listing<BeneficiaryView> {
    caller.require('beneficiaries.read');
    const page = pageOf(accountId, request, secrets);
    return {
      page: async () => {
        const rows = await this.pages.read(page, ahead);
        return sliceOf(rows, page.size - 1, page.after > 0 || page.skip > 0, row => String(row.position));
      },
      total: () => this.counts(accountId),
    };
  }

  /** One beneficiary of an account that the caller sees, or null. */
  async find(caller: Caller, { accountId }: AccountView, beneficiaryId: string): Promise<BeneficiaryView | null> {
    caller.require('beneficiaries.read');
    return UUID_TEXT.test(beneficiaryId) ? this.ones({ accountId, beneficiaryId }) : null;
  }

  /** Throws `AccountNotFound`, `BeneficiaryNotFound`. */
  async get(caller: Caller, accountId: string, beneficiaryId: string): Promise<BeneficiaryView> {
    caller.require('beneficiaries.read');
    const found = await this.find(caller, await this.accounts.mustSee(caller, accountId), beneficiaryId.toLowerCase());
    if (!found) throw new BeneficiaryNotFound();
    return shown(found);
  }

  /** Throws `AccountNotFound`, `TooManyBeneficiaries`. */
  add(caller: Caller, accountId: string, input: BeneficiaryInput): Promise<BeneficiaryView> {
    const command = this.command('beneficiary.add', accountId, {
      accountId,
      ...(input as unknown as Record<string, Json>),
    });
    return this.adding(caller, command, input);
  }

  /** Merges a patch. Throws `AccountNotFound`, `BeneficiaryNotFound`, `InvalidInput` when the merged record breaks a rule. */
  update(caller: Caller, accountId: string, beneficiaryId: string, patch: BeneficiaryPatch): Promise<BeneficiaryView> {
    const command = this.command('beneficiary.update', accountId, {
      accountId,
      beneficiaryId,
      ...(patch as unknown as Record<string, Json>),
    });
    return this.accounts.change(caller, command, async em => {
      const beneficiary = UUID_TEXT.test(beneficiaryId)
        ? await em.findOne(Beneficiary, { accountId, beneficiaryId })
        : null;
      if (!beneficiary) throw new BeneficiaryNotFound();
      const identity = beneficiaryIdentity(accountId, beneficiaryId);
      const { columns, secrets } = recordOf(
        merged(beneficiary, this.keys.open<BeneficiarySecrets>(identity, beneficiary.sealed), patch),
      );
      em.assign(beneficiary, { ...columns, sealed: this.keys.seal(identity, secrets) });
      return shown({ ...beneficiary, ...secrets, taxId: columns.taxId });
    });
  }

  /** Throws `AccountNotFound`, `BeneficiaryNotFound`. */
  delete(caller: Caller, accountId: string, beneficiaryId: string): Promise<BeneficiaryView> {
    const command = this.command('beneficiary.delete', accountId, { accountId, beneficiaryId });
    return this.accounts.change(caller, command, async em => {
      const beneficiary = UUID_TEXT.test(beneficiaryId)
        ? await em.findOne(Beneficiary, { accountId, beneficiaryId })
        : null;
      if (!beneficiary) throw new BeneficiaryNotFound();
      const secrets = this.keys.open<BeneficiarySecrets>(
        beneficiaryIdentity(accountId, beneficiaryId),
        beneficiary.sealed,
      );
      em.remove(beneficiary);
      return shown({ ...beneficiary, ...secrets, taxId: beneficiary.taxId });
    });
  }

  private additions() {
    return this.accounts.group<BeneficiaryInput, List, BeneficiaryView, BeneficiaryDraft>({
      know: async (transaction, asked) => {
        const rows = await transaction.query<WithOrdinal<[count: number, last: number | null]>>(LISTS, [
          asked.map(({ accountId }) => accountId),
        ]);
        return oneByOrdinal(rows, asked.length, ([count, last]) => ({ count, last: last ?? 0 })).map(
          list => list ?? EMPTY,
        );
      },
      prepare: (accountId, input) => {
        const content = recordOf(input);
        const beneficiaryId = randomUUID();
        const result = shown({ beneficiaryId, ...content.secrets, ...content.columns });
        return { result, draft: draftOf(this.keys, { accountId, beneficiaryId }, content) };
      },
      permit: (_account, { count }) => {
        if (count >= MAX_BENEFICIARIES) throw new TooManyBeneficiaries();
      },
      write: permitted => insertion(permitted.map(({ draft, fact }) => ({ ...draft, position: fact.last + 1 }))),
    });
  }

  private command(name: string, accountId: string, input: Json) {
    const event = ({ beneficiaryId, beneficiaryType, relationship, sharePercentage }: BeneficiaryView) => ({
      object: `beneficiary/${beneficiaryId}`,
      data: { beneficiaryType, relationship, sharePercentage },
    });
    return { name, scope: 'beneficiaries.write' as const, accountId, input, event };
  }
}

/** One more than the page has is read, to know whether the list goes on. Throws `InvalidInput`. */
function pageOf(accountId: string, request: CursorRequest, secrets: boolean): BeneficiaryPage {
  const { limit, offset } = pageRequestOf(request);
  const after = request.after ? Number(positionOf(request.after, POSITION)) : 0;
  return { accountId, after, skip: offset, size: limit + 1, secrets };
}
