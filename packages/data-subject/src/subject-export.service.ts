import {
  Account,
  Beneficiary,
  Card,
  Customer,
  Event,
  FormerOwner,
  Hold,
  MAX_PAGE_SIZE,
  Note,
  Statement,
  Transaction,
  Transfer,
  UUID_TEXT,
  fieldNamesOf,
  mustBeOf,
  pick,
  type AccountService,
  type AccountView,
  type BeneficiaryService,
  type Caller,
  type CardService,
  type CursorRequest,
  type CustomerRead,
  type Database,
  type EventService,
  type ExportTally,
  type HoldService,
  type Listing,
  type NoteService,
  type OwnerService,
  type ProgramCommands,
  type StatementService,
  type TransactionService,
  type TransferService,
} from 'tillgate/noun';
import { ApiRequest } from '../../requests/src/request.entity.js';
import type { ApiRequestService } from '../../requests/src/request.service.js';
import { EXPORT_CUSTOMER } from './subject-export.operations.js';

/** The person whose data is exported, and the reason. */
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
  readonly apiRequests: ApiRequestService;
}

type Class = new () => object;

/**
 * Everything that is on record about a customer, as one JSON document (GDPR, articles 15 and 20). The customer's own
 * data is whole; beneficiaries and other parties are masked, since it is their data.
 */
export class SubjectExportService {
  constructor(
    private readonly of: ExportedServices,
    private readonly commands: ProgramCommands,
  ) {}

  private readonly recording = this.commands.command<
    SubjectExportOrder,
    CustomerRead | null,
    { customerId: string },
    null
  >(EXPORT_CUSTOMER, {
    repeats: true,
    readFacts: (transaction, requests) =>
      this.of.owners.repository.each(
        transaction,
        requests.map(({ input: { customerId } }) => [UUID_TEXT.test(customerId) ? customerId : null]),
      ),
    permit: (_program, onFile, { caller }) => {
      const { customerId } = mustBeOf(caller, onFile);
      return { result: { customerId }, draft: null };
    },
    write: () => [],
    event: ({ result, input: { reason } }) => ({ object: `customer/${result.customerId}`, data: { reason } }),
  });

  /**
   * The parts of the document, read as they are taken, once the event of the export is recorded. `tally` counts its
   * records. Throws `CustomerNotFound`.
   */
  async open(caller: Caller, order: SubjectExportOrder, tally: ExportTally): Promise<AsyncGenerator<Buffer>> {
    const { customerId } = await this.recording(caller, order);
    return bytesOf(this.document(caller, customerId), tally);
  }

  private async *document(caller: Caller, customerId: string): Document {
    const { of } = this;
    const customer = mustBeOf(caller, await of.owners.repository.one(customerId));
    yield `{"exportedAt":${JSON.stringify(new Date().toISOString())}`;
    yield `,"customer":${JSON.stringify({ ...shown(Customer, customer), ...customer.secrets })}`;
    yield* array('cards', recordsOf(Card, await of.cards.heldBy(caller, customerId)));
    yield* array('accounts', this.accounts(caller, customerId));
    const former = await of.database.em().find(FormerOwner, { customerId }, { orderBy: { ownedUntil: 'asc' } });
    const once = former.map(({ accountId, ownedUntil }) => ({ accountId, ownedUntil }));
    yield `,"formerAccounts":${JSON.stringify(once)}`;
    yield* array(
      'notes',
      recordsOf(
        Note,
        listed(request => of.notes.list(caller, request, { customerId })),
      ),
    );
    yield* array(
      'events',
      recordsOf(
        Event,
        listed(request => of.events.list(caller, request, { customerId }, null)),
      ),
    );
    yield* array(
      'requests',
      recordsOf(
        ApiRequest,
        listed(request => of.apiRequests.list(caller, request, { customerId })),
      ),
    );
    yield '}\n';
  }

  private async *accounts(caller: Caller, customerId: string): Elements {
    for await (const account of listed(request => this.of.accounts.list(caller, request, { customerId }))) {
      yield this.account(caller, account);
    }
  }

  private async *account(caller: Caller, account: AccountView): Document {
    const { of } = this;
    const { accountId } = account;
    const lists: [string, Class, (request: CursorRequest) => Listing<object>][] = [
      ['beneficiaries', Beneficiary, request => of.beneficiaries.list(caller, account, request, { secrets: true })],
      ['transactions', Transaction, request => of.history.list(caller, account, request, {}, { lists: true })],
      ['holds', Hold, request => of.holds.list(caller, account, request, {})],
      ['transfers', Transfer, request => of.transfers.list(caller, account, request)],
      ['statements', Statement, request => of.statements.list(caller, account, request, null)],
      ['notes', Note, request => of.notes.list(caller, request, { accountId })],
      ['events', Event, request => of.events.list(caller, request, { accountId }, null)],
    ];
    yield JSON.stringify(shown(Account, account)).slice(0, -1);
    for (const [name, type, list] of lists) yield* array(name, recordsOf(type, listed(list)));
    yield '}';
  }
}

/** A record, of which each is counted, or the text between records. */
type Piece = string | { readonly record: object };
type Document = AsyncGenerator<Piece>;
/** The elements of an array: a record, or a document of its own. */
type Elements = AsyncGenerator<Piece | Document>;

async function* bytesOf(document: Document, tally: ExportTally): AsyncGenerator<Buffer> {
  for await (const piece of document) {
    if (typeof piece === 'string') yield Buffer.from(piece);
    else {
      tally.rows += 1;
      yield Buffer.from(JSON.stringify(piece.record));
    }
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
async function* array(name: string, elements: Elements): Document {
  yield `,${JSON.stringify(name)}:[`;
  let before = '\n';
  for await (const element of elements) {
    yield before;
    if (typeof element === 'object' && Symbol.asyncIterator in element) yield* element;
    else yield element;
    before = ',\n';
  }
  yield ']';
}

async function* recordsOf(type: Class, records: AsyncIterable<object> | Iterable<object>): AsyncGenerator<Piece> {
  for await (const record of records) yield { record: shown(type, record) };
}

/** Returns what GraphQL shows of a record without asking for anything else. */
function shown(type: Class, record: object): object {
  return pick(
    record,
    fieldNamesOf(type).filter(name => name in record),
  );
}
