import { randomUUID } from 'node:crypto';
import { seenBy } from '../person/person.masks.js';
import { ForeignId, type ForeignIds } from '../../platform/command/foreign-ids.js';
import type { ProgramCommands } from '../../platform/command/program-commands.js';
import type { SqlQuery, StatementSender } from '../../platform/database/transaction.js';
import type { Draft } from '../../platform/repository/batched-repository.js';
import { windowAt } from '../../platform/repository/listing.js';
import type { Caller } from '../../shared/caller.js';
import { UUID_TEXT } from '../../shared/ids.js';
import { canonicalJson } from '../../shared/json.js';
import { sliceOf, type CursorRequest, type Listing, type Slice } from '../../shared/page.js';
import { comparedTaxId } from '../../shared/tax-id.js';
import {
  mustBeExpected,
  firstVersion,
  nextVersion,
  type RecordVersion,
  type VersionCondition,
} from '../../shared/version.js';
import { CustomerErased, CustomerExists, CustomerNotFound } from './customer.errors.js';
import { createdFacts, updatedFacts } from './customer.events.js';
import type { CustomerFilter, CustomerInput, CustomerPatch } from './customer.inputs.js';
import { ERASED, contentOf, merged, shownOf, storedOf, type CustomerContent } from './customer.record.js';
import type { CustomerView } from './owner.entity.js';
import type { CustomerRead, CustomerRepository } from './owner.repository.js';
import { CREATE_CUSTOMER, READ_CUSTOMERS, UPDATE_CUSTOMER } from './customer.operations.js';

/** A customer that is named, and what changes. */
export interface ChangedCustomer extends VersionCondition {
  readonly customerId: string;
  readonly patch: CustomerPatch;
}

/** The customers of programs, for their operators. */
export class CustomerService {
  constructor(
    private readonly repository: CustomerRepository,
    private readonly commands: ProgramCommands,
    private readonly foreignIds: ForeignIds,
  ) {}

  private readonly creating = this.commands.command<CustomerInput, CustomerRead | null, CustomerView, Draft>(
    CREATE_CUSTOMER,
    {
      recorded: ({ input }) => comparedTaxId(input),
      readFacts: (transaction, requests) =>
        this.repository.each(
          transaction,
          requests.map(({ input }) => [input.customerId ?? null]),
        ),
      prepare: ({ caller, input }) => {
        const customerId = input.customerId ?? randomUUID();
        const content = storedOf(input);
        const first = firstVersion();
        const draft = this.draft(caller, customerId, content, first);
        return { result: shownOf(customerId, content, first), draft };
      },
      permit: (program, existing) => {
        if (existing?.program === program) throw new CustomerExists();
        if (existing) throw new ForeignId(existing.program, '/customerId');
      },
      write: accepted => [this.repository.insertion(accepted.map(({ draft }) => draft))],
      event: ({ result }) => createdFacts(result.customerId),
    },
  );

  /** Throws `CustomerExists`, `TooManyForeignIds`, `InvalidInput`. */
  async create(caller: Caller, input: CustomerInput): Promise<CustomerView> {
    const create = () => this.creating(caller, input);
    const result =
      (input.customerId ?? null) === null
        ? await create()
        : await this.foreignIds.guard(caller, { action: CREATE_CUSTOMER.name, accountId: null }, create);
    return this.unlessErased(caller, result);
  }

  private readonly overwriting = this.repository.updating();
  private readonly updating = this.commands.command<ChangedCustomer, CustomerRead | null, CustomerView, Draft>(
    UPDATE_CUSTOMER,
    {
      recorded: ({ input: { customerId, patch } }) => ({ customerId, ...comparedTaxId(patch) }),
      isPatch: true,
      // A dry run of an import does not lock the program, so the customers are locked as well.
      readFacts: async (transaction, requests) => {
        const ids = requests.map(({ input }) => (UUID_TEXT.test(input.customerId) ? input.customerId : null));
        const locked = await this.repository.lock(
          transaction,
          ids.filter(id => id !== null),
        );
        return ids.map(id => (id === null ? null : (locked.get(id) ?? null)));
      },
      permit: (_program, onFile, { caller, input }) => {
        const customer = mustBeOf(caller, onFile);
        mustBeExpected(customer, input);
        mustNotBeErased(customer);
        const content = storedOf(merged(customer, input.patch));
        const { customerId } = customer;
        const isUnchanged = canonicalJson(content) === canonicalJson(contentOf(customer));
        const next = isUnchanged ? customer : nextVersion(customer);
        const draft = this.draft(caller, customerId, content, next);
        return { result: shownOf(customerId, content, next), draft, isUnchanged };
      },
      write: accepted => [this.overwriting(accepted.map(({ draft }) => draft))],
      event: ({ result, input: { patch } }) => updatedFacts(result.customerId, Object.keys(patch)),
    },
  );

  /**
   * Merges a patch. Throws `CustomerNotFound`, `PreconditionFailed`, `InvalidInput` when the merged record breaks a
   * rule.
   */
  async update(caller: Caller, input: ChangedCustomer): Promise<CustomerView> {
    return this.unlessErased(caller, await this.updating(caller, input));
  }

  /** The customers of the caller's program, by their ids. Throws `InvalidInput`. */
  list(caller: Caller, request: CursorRequest, filter: CustomerFilter): Listing<CustomerRead> {
    caller.require(READ_CUSTOMERS);
    const window = windowAt({ form: UUID_TEXT }, request);
    return {
      page: async () => {
        const found = await this.repository.between(caller.program, filter, window);
        const customers = found.map(customer => seenBy(caller, customer));
        return sliceOf(customers, window, ({ customerId }) => customerId);
      },
      total: () => this.repository.total(caller.program, filter),
    };
  }

  /** A page of `list` as plain data. */
  async page(caller: Caller, request: CursorRequest, filter: CustomerFilter): Promise<Slice<CustomerView>> {
    const slice = await this.list(caller, request, filter).page();
    return { ...slice, nodes: slice.nodes.map(node => seenBy(caller, plain(node))) };
  }

  /** One customer of the caller's program, or null. */
  async find(caller: Caller, customerId: string): Promise<CustomerView | null> {
    caller.require(READ_CUSTOMERS);
    const found = UUID_TEXT.test(customerId) ? await this.repository.one(customerId) : null;
    // The batch has keys of many callers, so the program is checked on the row.
    return found?.program === caller.program ? seenBy(caller, found) : null;
  }

  /** Throws `CustomerNotFound`. */
  async get(caller: Caller, customerId: string): Promise<CustomerView> {
    caller.require(READ_CUSTOMERS);
    const found = UUID_TEXT.test(customerId) ? await this.repository.one(customerId) : null;
    return seenBy(caller, plain(mustBeOf(caller, found)));
  }

  /** The program of each customer, or null where there is none with the id, or one whose data was erased. */
  async programsOf(transaction: StatementSender, customerIds: readonly string[]): Promise<(string | null)[]> {
    const found = await this.repository.each(
      transaction,
      customerIds.map(id => [UUID_TEXT.test(id) ? id : null]),
    );
    return found.map(customer => (customer?.erasedAt === null ? customer.program : null));
  }

  /** Locks a customer of whatever program: nobody makes an owner of somebody who is being erased. */
  async lockToErase(transaction: StatementSender, customerId: string): Promise<CustomerRead | null> {
    return (await this.repository.lockToErase(transaction, [customerId])).get(customerId) ?? null;
  }

  /** A customer whose personal data is erased, and what writes that. */
  erased(customer: CustomerRead, erasedAt: string): { readonly result: CustomerView; readonly write: SqlQuery } {
    const { customerId, program } = customer;
    const { columns, secrets } = ERASED;
    const next = nextVersion(customer);
    const { updatedAt } = next;
    const row = this.repository.draft({ customerId, program, ...columns, secrets, erasedAt, updatedAt });
    return { result: shownOf(customerId, ERASED, next, erasedAt), write: this.overwriting([row]) };
  }

  /** A replayed result may have been recorded before the customer was erased: nothing is shown of the person then. */
  private async unlessErased({ idempotency }: Caller, result: CustomerView): Promise<CustomerView> {
    if (!idempotency?.outcomes.at(-1)?.isReplay) return result;
    const onFile = await this.repository.one(result.customerId);
    return onFile && onFile.erasedAt !== null ? plain(onFile) : result;
  }

  private draft(
    { program }: Caller,
    customerId: string,
    { columns, secrets }: CustomerContent,
    { updatedAt }: RecordVersion,
  ): Draft {
    return this.repository.draft({ customerId, program, ...columns, secrets, updatedAt });
  }
}

function plain(customer: CustomerRead): CustomerView {
  return shownOf(customer.customerId, contentOf(customer), customer, customer.erasedAt);
}

/** Throws `CustomerErased`. */
export function mustNotBeErased({ erasedAt }: CustomerRead): void {
  if (erasedAt !== null) throw new CustomerErased();
}

/** Throws `CustomerNotFound` for another program's customer, too. */
export function mustBeOf({ program }: Caller, onFile: CustomerRead | null): CustomerRead {
  if (onFile?.program !== program) throw new CustomerNotFound();
  return onFile;
}
