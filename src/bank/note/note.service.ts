import { randomUUID } from 'node:crypto';
import type { AccountService } from '../account/account.service.js';
import { CustomerNotFound } from '../owner/customer.errors.js';
import type { CustomerService } from '../owner/customer.service.js';
import type { CommandRequest, PreparedCommand } from '../../platform/command/command.js';
import type { ProgramCommands } from '../../platform/command/program-commands.js';
import type { SqlQuery } from '../../platform/database/transaction.js';
import type { Draft } from '../../platform/repository/batched-repository.js';
import type { Caller } from '../../shared/caller.js';
import { instantPlaceOf, positionAt } from '../../shared/instant-place.js';
import { sliceOf, windowOf, type CursorRequest, type Listing } from '../../shared/page.js';
import { TransactionNotFound } from '../transaction/transaction.errors.js';
import type { NoteView } from './note.entity.js';
import { NotOneSubject } from './note.errors.js';
import { addedFacts } from './note.events.js';
import type { NoteFilter, NoteInput } from './note.inputs.js';
import { ADD_NOTE, READ_NOTES } from './note.operations.js';
import type { NoteRepository, NoteSubject } from './note.repository.js';

/** Keeps what operators write down for each other. */
export class NoteService {
  constructor(
    private readonly repository: NoteRepository,
    private readonly accounts: AccountService,
    private readonly customers: CustomerService,
    private readonly programs: ProgramCommands,
  ) {}

  // A note is added behind the lock of what its event is chained to: the account, or the program of the customer.
  private readonly toAccount = this.accounts.command<NoteInput, boolean, NoteView, Draft>(ADD_NOTE, {
    readFacts: (transaction, requests) =>
      this.repository.areThere(
        transaction,
        requests.map(({ accountId, input }) => ({ accountId, transactionId: input.transactionId ?? null })),
      ),
    prepare: request => this.prepared(request),
    permit: (_account, isThere, { input }) => {
      if ((input.transactionId ?? null) !== null && !isThere) throw new TransactionNotFound();
    },
    write: accepted => [this.repository.insertion(accepted.map(({ draft }) => draft))],
    event: ({ result }) => addedFacts(result),
  });

  private readonly toCustomer = this.programs.command<NoteInput, string | null, NoteView, Draft>(ADD_NOTE, {
    readFacts: (transaction, requests) =>
      this.customers.programsOf(
        transaction,
        requests.map(({ input }) => input.customerId ?? ''),
      ),
    prepare: request => this.prepared(request),
    permit: (program, ofCustomer) => {
      if (ofCustomer !== program) throw new CustomerNotFound();
    },
    // The record of a key outlives the notes about a customer who is erased.
    replay: (result, ofCustomer, { caller }) => {
      if (ofCustomer !== caller.program) throw new CustomerNotFound();
      return result;
    },
    write: accepted => [this.repository.insertion(accepted.map(({ draft }) => draft))],
    event: ({ result }) => addedFacts(result),
  });

  /** Throws `AccountNotFound`, `TransactionNotFound`, `CustomerNotFound`, and `InvalidInput` unless it is about one. */
  async add(caller: Caller, input: NoteInput): Promise<NoteView> {
    this.toCustomer.allow(caller);
    const { accountId } = subjectOf(caller, input);
    return await (accountId === undefined ? this.toCustomer(caller, input) : this.toAccount(caller, accountId, input));
  }

  /**
   * The notes about an account, with those about its transactions, about one transaction, or about a customer, the
   * newest first. Throws `InvalidInput` unless it is one of them.
   */
  list(caller: Caller, request: CursorRequest, filter: NoteFilter): Listing<NoteView> {
    caller.require(READ_NOTES);
    const subject = subjectOf(caller, filter);
    const window = windowOf(request, (cursor, pointer) => {
      const { at, id: noteId } = instantPlaceOf(cursor, pointer);
      return { createdAt: new Date(at), noteId };
    });
    return {
      page: async () => sliceOf(await this.repository.between(subject, window), window, placeOf),
      total: () => this.repository.total(subject),
    };
  }

  /** Makes the statement that deletes the notes about a customer whose personal data is erased. */
  erasing(program: string, customerId: string): SqlQuery {
    return this.repository.erasing(program, customerId);
  }

  private prepared({ caller, input }: CommandRequest<NoteInput>): PreparedCommand<NoteView, Draft> {
    const { program, subject, clientId } = caller;
    const { accountId = null, transactionId = null, customerId = null, text } = input;
    const result: NoteView = {
      noteId: randomUUID(),
      accountId,
      transactionId,
      customerId,
      text,
      subject,
      clientId,
      createdAt: new Date().toISOString(),
    };
    return { result, draft: this.repository.draft({ ...result, program, secrets: { text } }) };
  }
}

/** Throws `NotOneSubject`. */
function subjectOf({ program }: Caller, { accountId, transactionId, customerId }: NoteFilter): NoteSubject {
  const isOfAccount = (accountId ?? null) !== null;
  const isOfCustomer = (customerId ?? null) !== null;
  if (isOfAccount === isOfCustomer || ((transactionId ?? null) !== null && !isOfAccount)) throw new NotOneSubject();
  return {
    program,
    ...(accountId != null && { accountId }),
    ...(transactionId != null && { transactionId }),
    ...(customerId != null && { customerId }),
  };
}

function placeOf({ createdAt, noteId }: NoteView): string {
  return positionAt({ at: createdAt, id: noteId });
}
