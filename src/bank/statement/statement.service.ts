import { createHash, randomUUID } from 'node:crypto';
import type { AccountView } from '../account/account.entity.js';
import { clocksOf, type AccountService } from '../account/account.service.js';
import type { CommandRequest, EventFacts } from '../../platform/command/command.js';
import type { StatementSender } from '../../platform/database/transaction.js';
import { listing, type Cursors } from '../../platform/repository/listing.js';
import type { Database } from '../../platform/database/orm.js';
import { MAX_PDF_BYTES } from '../../../lib/pdf-check/pdf-check.js';
import type { Caller } from '../../shared/caller.js';
import { UUID_TEXT } from '../../shared/ids.js';
import type { CursorRequest, Listing, Page, PageRequest } from '../../shared/page.js';
import type { DocumentThreads } from './document-threads.js';
import type { DocumentType, StatementView } from './statement.entity.js';
import { StatementNotFound, StatementOfTheFuture, UnfitDocument, PdfTooLarge } from './statement.errors.js';
import type { StatementDetails } from './statement.inputs.js';
import { openDocument, type OpenDocument } from './statement.parts.js';
import type { StatementRepository } from './statement.repository.js';
import { shown, statementViewOf, type StatementRead } from './statement.row.js';
import type { StatementVault } from './statement.vault.js';
import { ADD_STATEMENT, DOWNLOAD_STATEMENT, READ_STATEMENTS } from './statement.operations.js';

/** The length of `YYYY-MM-DD`, with which a local time begins. */
const DAY_LENGTH = 10;

interface Clock {
  /** The day where the account is. */
  readonly today: string;
  readonly now: string;
}

interface PartnerDocument {
  readonly statementDate: string;
  readonly description: string;
  readonly document: Buffer;
}

const CURSORS: Cursors<StatementRead> = { form: UUID_TEXT, placeOf: ({ statementId }) => statementId };

/** A document may be as large as all other commands of a group together. */
const WEIGHT = 32;

/** The documents of accounts, for those who see the account. */
export class StatementService {
  constructor(
    private readonly database: Database,
    readonly repository: StatementRepository,
    private readonly accounts: AccountService,
    private readonly vault: StatementVault,
    private readonly threads: DocumentThreads,
  ) {}

  /** A page of an account's documents, of one type or of all, newest first. Throws `AccountNotFound`. */
  async page(
    caller: Caller,
    accountId: string,
    { offset, limit }: PageRequest,
    documentType: DocumentType | null,
  ): Promise<Page<StatementView>> {
    caller.require(READ_STATEMENTS);
    await this.accounts.mustSee(caller, accountId);
    const page = { parent: accountId, skip: offset, size: limit, includeLazyColumns: false, filter: documentType };
    const [rows, total] = await Promise.all([
      this.repository.page(page),
      this.repository.count(accountId, documentType),
    ]);
    return { items: rows.map(statementViewOf), total };
  }

  /** A page by cursor of the statements of an account that the caller sees. Throws `InvalidInput`. */
  list(
    caller: Caller,
    { accountId }: AccountView,
    request: CursorRequest,
    documentTypes: readonly DocumentType[] | null,
  ): Listing<StatementView> {
    caller.require(READ_STATEMENTS);
    const part = { parent: accountId, request, filter: documentTypes?.join() ?? null };
    return listing(this.repository, CURSORS, part, statementViewOf);
  }

  /** One document of an account that the caller sees, or null. */
  async find(
    caller: Caller,
    { accountId }: Pick<AccountView, 'accountId'>,
    statementId: string,
  ): Promise<StatementView | null> {
    caller.require(READ_STATEMENTS);
    const id = statementId.toLowerCase();
    const found = UUID_TEXT.test(id) ? await this.repository.one(accountId, id) : null;
    return found && statementViewOf(found);
  }

  /** The id of the document that corrects one which the caller sees, or null. */
  correctionOf(caller: Caller, { accountId, statementId, source }: StatementView): Promise<string | null> {
    caller.require(READ_STATEMENTS);
    // Only what was issued here is corrected.
    return source === 'PLATFORM' ? this.repository.correctionOf([accountId, statementId]) : Promise.resolve(null);
  }

  /** A document of a type, to be read. Throws `AccountNotFound`, `StatementNotFound`. */
  async open(caller: Caller, accountId: string, documentType: DocumentType, id: string): Promise<OpenDocument> {
    caller.require(DOWNLOAD_STATEMENT);
    const view = await this.find(caller, await this.accounts.mustSee(caller, accountId), id);
    if (!view || view.documentType !== documentType) throw new StatementNotFound();
    return openDocument(this.database, this.vault, view);
  }

  private readonly adding = this.accounts.command<PartnerDocument, Clock, StatementView, object>(ADD_STATEMENT, {
    // The digest tells whether a retry sends the same PDF, so the PDF itself is not on record a second time.
    recorded: ({ accountId, input: { document, ...details } }) => ({
      accountId,
      ...details,
      sha256: hexDigest(document),
    }),
    weight: () => WEIGHT,
    readFacts,
    permit: (_account, { today, now: issuedAt }, { caller: { program }, accountId, input }) => {
      const { statementDate, description, document } = input;
      if (statementDate > today) throw new StatementOfTheFuture();
      const statementId = randomUUID();
      const storedDocument = this.vault.keep(accountId, statementId, document, null);
      const [source, documentType] = ['PARTNER', 'STATEMENTS'] as const;
      const corrects = { correctsStatementId: null, correctionKind: null };
      const details = { documentType, source, statementDate, description, issuedAt, ...corrects };
      const { sizeBytes } = storedDocument;
      const result = shown({
        accountId,
        statementId,
        ...details,
        sizeBytes,
        sha256: storedDocument.sha256.toString('hex'),
      });
      return { result, draft: { accountId, statementId, program, ...details, ...storedDocument } };
    },
    write: accepted => accepted.map(({ draft }) => this.repository.insertionOfOne(draft)),
    event,
  });

  /**
   * Stores a partner's PDF unchanged. `pointer` is where the PDF is in the input. A closed account takes documents as
   * well, since the last statement comes after the account is closed. Throws `TooLarge`, `UnfitDocument`,
   * `AccountNotFound`, `StatementOfTheFuture`.
   */
  async add(
    caller: Caller,
    accountId: string,
    { statementDate, description, document }: StatementDetails & { readonly document: Buffer },
    pointer = '/document',
  ): Promise<StatementView> {
    this.adding.allow(caller, accountId);
    if (document.length > MAX_PDF_BYTES) {
      throw new PdfTooLarge();
    }
    const problem = await this.threads.check(document);
    if (problem) throw new UnfitDocument(problem, pointer);
    return await this.adding(caller, accountId, { statementDate, description: description ?? statementDate, document });
  }
}

async function readFacts(
  transaction: StatementSender,
  requests: readonly CommandRequest<PartnerDocument>[],
): Promise<Clock[]> {
  const clocks = await clocksOf(
    transaction,
    requests.map(({ accountId }) => accountId),
  );
  return clocks.map(clock => clock && { today: clock.local.slice(0, DAY_LENGTH), now: clock.realNow }) as Clock[];
}

function hexDigest(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The description is the partner's free text, so it stays out of the record of events. */
function event({ result }: { readonly result: StatementView }): EventFacts {
  const { statementId, statementDate, sizeBytes, sha256 } = result;
  return { object: `statement/${statementId}`, data: { statementDate, sizeBytes, sha256 } };
}
