import { Account, type AccountView } from '../account/account.entity.js';
import type { AccountService } from '../account/account.service.js';
import { FormerOwner } from '../account/former-owner.entity.js';
import { Beneficiary } from '../beneficiary/beneficiary.entity.js';
import type { BeneficiaryService } from '../beneficiary/beneficiary.service.js';
import { CARD_FIELDS } from '../card/card.entity.js';
import type { CardService } from '../card/card.service.js';
import { Event } from '../event/event.entity.js';
import type { EventService } from '../event/event.service.js';
import { Hold } from '../hold/hold.entity.js';
import type { HoldService } from '../hold/hold.service.js';
import { Note } from '../note/note.entity.js';
import type { NoteService } from '../note/note.service.js';
import { mustBeOf } from '../owner/customer.service.js';
import { Customer } from '../owner/owner.entity.js';
import type { CustomerRead, OwnerService } from '../owner/owner.service.js';
import type { ProgramCommand, ProgramCommands } from '../platform/command/program-commands.js';
import type { Database } from '../platform/database/orm.js';
import { fieldNamesOf, pick } from '../platform/repository/fields.js';
import { Statement } from '../statement/statement.entity.js';
import type { StatementService } from '../statement/statement.service.js';
import { MAX_PAGE_SIZE, type CursorRequest, type Listing } from '../shared/page.js';
import type { Caller } from '../shared/caller.js';
import { UUID_TEXT } from '../shared/ids.js';
import { Transaction } from '../transaction/transaction.entity.js';
import type { TransactionService } from '../transaction/transaction.service.js';
import { Transfer } from '../transfer/transfer.entity.js';
import type { TransferService } from '../transfer/transfer.service.js';
import { EXPORT_CUSTOMER } from './subject-export.operations.js';

/** Whose data is exported, and why. */
export interface SubjectExportOrder {
  readonly customerId: string;
  readonly reason: string;
}

/** The services whose lists an export is made of. */
export interface ExportedServices {
  readonly database: Database;
  readonly owners: OwnerService;
  readonly accounts: AccountService;
  readonly beneficiaries: BeneficiaryService;
  readonly cards: CardService;
  readonly history: TransactionService;
  readonly holds: HoldService;
  readonly transfers: TransferService;
  readonly statements: StatementService;
  readonly notes: NoteService;
  readonly events: EventService;
}

type Class = new () => object;
type Items = AsyncIterable<object>;

/**
 * Everything that is on record about a customer, as one JSON document (GDPR, articles 15 and 20). The customer's own
 * data is whole; beneficiaries and other parties are masked, since it is their data.
 */
export class SubjectExportService {
  private readonly recording: ProgramCommand<SubjectExportOrder, { readonly customerId: string }>;

  constructor(
    private readonly of: ExportedServices,
    commands: ProgramCommands,
  ) {
    this.recording = commands.command<SubjectExportOrder, CustomerRead | null, { customerId: string }, null>(
      EXPORT_CUSTOMER,
      {
        repeats: true,
        know: (transaction, asked) =>
          of.owners.repository.each(
            transaction,
            asked.map(({ input: { customerId } }) => [UUID_TEXT.test(customerId) ? customerId : null]),
          ),
        permit: (_program, onFile, { caller }) => {
          const { customerId } = mustBeOf(caller, onFile);
          return { result: { customerId }, draft: null };
        },
        write: () => [],
        event: ({ result, input: { reason } }) => ({ object: `customer/${result.customerId}`, data: { reason } }),
      },
    );
  }

  /**
   * The parts of the document, read as they are taken, once the event of the export is recorded. Throws
   * `CustomerNotFound`.
   */
  async open(caller: Caller, order: SubjectExportOrder): Promise<AsyncGenerator<Buffer>> {
    const { customerId } = await this.recording(caller, order);
    return this.parts(caller, customerId);
  }

  private async *parts(caller: Caller, customerId: string): AsyncGenerator<Buffer> {
    const customer = mustBeOf(caller, await this.of.owners.repository.one(customerId));
    yield* text(`{"exportedAt":${JSON.stringify(new Date().toISOString())}`);
    yield* text(`,"customer":${JSON.stringify({ ...shown(Customer, customer), ...customer.secrets })}`);
    const accounts = listed(request => this.of.accounts.list(caller, request, { customerId }));
    yield* text(',"accounts":[');
    let isFirst = true;
    for await (const account of accounts) {
      yield* text(isFirst ? '\n' : ',\n');
      yield* this.account(caller, account, customerId);
      isFirst = false;
    }
    yield* text(']');
    const former = await this.of.database.em().find(FormerOwner, { customerId }, { orderBy: { ownedUntil: 'asc' } });
    const once = former.map(({ accountId, ownedUntil }) => ({ accountId, ownedUntil }));
    yield* text(`,"formerAccounts":${JSON.stringify(once)}`);
    yield* array(
      'notes',
      listed(request => this.of.notes.list(caller, request, { customerId })),
      Note,
    );
    yield* array(
      'events',
      listed(request => this.of.events.list(caller, request, { customerId }, null)),
      Event,
    );
    yield* text('}\n');
  }

  private async *account(caller: Caller, account: AccountView, customerId: string): AsyncGenerator<Buffer> {
    const { of } = this;
    const cards = await of.cards.list(caller, account);
    const held = cards.filter(({ cardHolderId }) => cardHolderId === customerId);
    yield* text(JSON.stringify(shown(Account, account)).slice(0, -1));
    yield* text(`,"cards":${JSON.stringify(held.map(card => pick(card, CARD_FIELDS)))}`);
    const lists: [string, Class, (request: CursorRequest) => Listing<object>][] = [
      ['beneficiaries', Beneficiary, request => of.beneficiaries.list(caller, account, request, { secrets: true })],
      ['transactions', Transaction, request => of.history.list(caller, account, request, {}, { lists: true })],
      ['holds', Hold, request => of.holds.list(caller, account, request, null)],
      ['transfers', Transfer, request => of.transfers.list(caller, account, request)],
      ['statements', Statement, request => of.statements.list(caller, account, request, null)],
      ['notes', Note, request => of.notes.list(caller, request, { accountId: account.accountId })],
      ['events', Event, request => of.events.list(caller, request, { accountId: account.accountId }, null)],
    ];
    for (const [name, type, list] of lists) yield* array(name, listed(list), type);
    yield* text('}');
  }
}

/** All of a list, page by page. */
async function* listed<Node extends object>(list: (request: CursorRequest) => Listing<Node>): AsyncGenerator<Node> {
  let after: string | null = null;
  do {
    const slice = await list({ first: MAX_PAGE_SIZE, after }).page();
    yield* slice.nodes;
    after = slice.hasNextPage ? slice.cursorAt(slice.nodes.length - 1) : null;
  } while (after !== null);
}

/** `,"name":[…]` */
async function* array(name: string, items: Items, type: Class): AsyncGenerator<Buffer> {
  let before = `,${JSON.stringify(name)}:[\n`;
  for await (const item of items) {
    yield* text(`${before}${JSON.stringify(shown(type, item))}`);
    before = ',\n';
  }
  yield* text(before === ',\n' ? ']' : `${before.trimEnd()}]`);
}

/** What GraphQL shows of a record without asking for anything else. */
function shown(type: Class, record: object): object {
  return pick(
    record,
    fieldNamesOf(type).filter(name => name in record),
  );
}

function* text(part: string): Generator<Buffer> {
  yield Buffer.from(part);
}
