import { randomUUID } from 'node:crypto';
import type { AccountView } from '../account/account.entity.js';
import { mustNotBeClosed } from '../account/account.errors.js';
import type { AccountService } from '../account/account.service.js';
import { seenBy } from '../person/person.masks.js';
import type { CommandRequest } from '../../platform/command/command.js';
import type { StatementSender } from '../../platform/database/transaction.js';
import type { Draft } from '../../platform/repository/batched-repository.js';
import { listing, type Cursors } from '../../platform/repository/listing.js';
import type { Caller } from '../../shared/caller.js';
import { UUID_TEXT } from '../../shared/ids.js';
import { canonicalJson } from '../../shared/json.js';
import type { CursorRequest, Listing, Page, PageRequest } from '../../shared/page.js';
import { comparedTaxId } from '../../shared/tax-id.js';
import {
  firstVersion,
  mustBeExpected,
  nextVersion,
  type RecordVersion,
  type VersionCondition,
} from '../../shared/version.js';
import type { BeneficiaryFields, BeneficiaryView } from './beneficiary.entity.js';
import { BeneficiaryNotFound, MAX_BENEFICIARIES, TooManyBeneficiaries } from './beneficiary.errors.js';
import { beneficiaryFacts } from './beneficiary.events.js';
import type { BeneficiaryInput, BeneficiaryPatch } from './beneficiary.inputs.js';
import { contentOf, merged, recordOf, shown } from './beneficiary.record.js';
import type { BeneficiaryRead, BeneficiaryRepository, ListEnd } from './beneficiary.repository.js';
import {
  ADD_BENEFICIARY,
  DELETE_BENEFICIARY,
  READ_BENEFICIARIES,
  UPDATE_BENEFICIARY,
} from './beneficiary.operations.js';

/** A beneficiary as commands record it. */
type BeneficiaryResult = BeneficiaryFields & RecordVersion;

const CURSORS: Cursors<BeneficiaryRead> = { form: /^\d{1,9}$/, placeOf: ({ position }) => String(position) };

interface NamedBeneficiary extends VersionCondition {
  readonly beneficiaryId: string;
}
interface ChangedBeneficiary extends NamedBeneficiary {
  readonly patch: BeneficiaryPatch;
}

export class BeneficiaryService {
  constructor(
    readonly repository: BeneficiaryRepository,
    private readonly accounts: AccountService,
  ) {}

  private readonly adding = this.accounts.command<BeneficiaryInput, ListEnd, BeneficiaryResult, Draft>(
    ADD_BENEFICIARY,
    {
      recorded: ({ accountId, input }) => ({ accountId, ...comparedTaxId(input) }),
      readFacts: (transaction, requests) => this.repository.listEnds(transaction, requests.map(accountOf)),
      prepare: ({ accountId, input }) => {
        const beneficiaryId = randomUUID();
        const { columns, secrets } = recordOf(input);
        const first = firstVersion();
        const draft = this.repository.draft({ accountId, beneficiaryId, ...columns, secrets, ...first });
        return { result: counted({ beneficiaryId, ...secrets, ...columns }, first), draft };
      },
      permit: (account, { count }) => {
        mustNotBeClosed(account);
        if (count >= MAX_BENEFICIARIES) throw new TooManyBeneficiaries();
      },
      write: accepted => [
        this.repository.insertion(accepted.map(({ draft, fact }) => ({ ...draft, position: fact.last + 1 }))),
      ],
      event: beneficiaryFacts,
    },
  );

  /** Adds a beneficiary at the end of the list. Throws `AccountNotFound`, `AccountClosed`, `TooManyBeneficiaries`. */
  async add(caller: Caller, accountId: string, input: BeneficiaryInput, dryRun = false): Promise<BeneficiaryView> {
    return { ...(await this.adding(caller, accountId, input, dryRun)), accountId };
  }

  private readonly overwriting = this.repository.updating();
  private readonly updating = this.accounts.command<
    ChangedBeneficiary,
    BeneficiaryRead | null,
    BeneficiaryResult,
    Draft
  >(UPDATE_BENEFICIARY, {
    recorded: ({ accountId, input: { beneficiaryId, patch } }) => ({
      accountId,
      beneficiaryId,
      ...comparedTaxId(patch),
    }),
    isPatch: true,
    readFacts: (transaction, requests) => this.each(transaction, requests),
    permit: (_account, onFile, { input }) => {
      if (!onFile) throw new BeneficiaryNotFound();
      mustBeExpected(onFile, input);
      const { accountId, beneficiaryId, position } = onFile;
      const content = recordOf(merged(onFile, onFile.secrets, input.patch));
      const { columns, secrets } = content;
      const isUnchanged = canonicalJson(content) === canonicalJson(contentOf(onFile));
      const next = isUnchanged ? onFile : nextVersion(onFile);
      const { updatedAt } = next;
      const draft = this.repository.draft({ accountId, beneficiaryId, position, ...columns, secrets, updatedAt });
      return { result: counted({ beneficiaryId, ...secrets, ...columns }, next), draft, isUnchanged };
    },
    write: accepted => [this.overwriting(accepted.map(({ draft }) => draft))],
    event: beneficiaryFacts,
  });

  /**
   * Merges a patch. Throws `AccountNotFound`, `BeneficiaryNotFound`, `PreconditionFailed`, and `InvalidInput` when the
   * merged record breaks a rule.
   */
  async update(caller: Caller, accountId: string, input: ChangedBeneficiary, dryRun = false): Promise<BeneficiaryView> {
    return { ...(await this.updating(caller, accountId, input, dryRun)), accountId };
  }

  private readonly deletion = this.accounts.command<
    NamedBeneficiary,
    BeneficiaryRead | null,
    BeneficiaryResult,
    string[]
  >(DELETE_BENEFICIARY, {
    readFacts: (transaction, requests) => this.each(transaction, requests),
    permit: (_account, onFile, { input }) => {
      if (!onFile) throw new BeneficiaryNotFound();
      mustBeExpected(onFile, input);
      return { result: counted(onFile, onFile), draft: [onFile.accountId, onFile.beneficiaryId] };
    },
    write: accepted => [this.repository.deletion(accepted.map(({ draft }) => draft))],
    event: beneficiaryFacts,
  });

  /** Gives the beneficiary as it was. Throws `AccountNotFound`, `BeneficiaryNotFound`, `PreconditionFailed`. */
  async delete(caller: Caller, accountId: string, input: NamedBeneficiary, dryRun = false): Promise<BeneficiaryView> {
    return { ...(await this.deletion(caller, accountId, input, dryRun)), accountId };
  }

  /** A page of an account's beneficiaries, in the order they were added. Throws `AccountNotFound`. */
  async page(caller: Caller, accountId: string, { offset, limit }: PageRequest): Promise<Page<BeneficiaryView>> {
    caller.require(READ_BENEFICIARIES);
    const page = { parent: accountId, skip: offset, size: limit, includeLazyColumns: false };
    await this.accounts.mustSee(caller, accountId);
    const [items, total] = await Promise.all([this.repository.page(page), this.repository.count(accountId)]);
    return { items, total };
  }

  /**
   * A page by cursor, of an account that the caller sees. Without `secrets` the sealed values are not read. Throws
   * `InvalidInput`.
   */
  list(
    caller: Caller,
    { accountId }: AccountView,
    request: CursorRequest,
    { secrets }: { readonly secrets: boolean },
  ): Listing<BeneficiaryView> {
    caller.require(READ_BENEFICIARIES);
    const part = { parent: accountId, request, includeLazyColumns: secrets };
    return listing(this.repository, CURSORS, part, row => seenBy(caller, row));
  }

  /** One beneficiary of an account that the caller sees, or null. */
  async find(caller: Caller, { accountId }: AccountView, beneficiaryId: string): Promise<BeneficiaryView | null> {
    caller.require(READ_BENEFICIARIES);
    const found = UUID_TEXT.test(beneficiaryId) ? await this.repository.one(accountId, beneficiaryId) : null;
    return found && seenBy(caller, found);
  }

  /** Throws `AccountNotFound`, `BeneficiaryNotFound`. */
  async get(caller: Caller, accountId: string, beneficiaryId: string): Promise<BeneficiaryView> {
    caller.require(READ_BENEFICIARIES);
    const found = await this.find(caller, await this.accounts.mustSee(caller, accountId), beneficiaryId.toLowerCase());
    if (!found) throw new BeneficiaryNotFound();
    return { ...counted(found, found), accountId };
  }

  private each(
    transaction: StatementSender,
    requests: readonly CommandRequest<NamedBeneficiary>[],
  ): Promise<(BeneficiaryRead | null)[]> {
    const keys = requests.map(({ accountId, input }) => [accountId, uuidOrNull(input.beneficiaryId)]);
    return this.repository.each(transaction, keys);
  }
}

function accountOf({ accountId }: CommandRequest<unknown>): string {
  return accountId;
}

/**
 * Returns a UUID, or null for a text that cannot be the id of a beneficiary: it may hold what PostgreSQL does not take
 * as one.
 */
function uuidOrNull(text: string): string | null {
  return UUID_TEXT.test(text) ? text : null;
}

function counted(beneficiary: BeneficiaryFields, { version, updatedAt }: RecordVersion): BeneficiaryResult {
  return { ...shown(beneficiary), version, updatedAt };
}
