import { createHash, randomUUID } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { AccountView } from '../account/account.entity.js';
import type { AccountService } from '../account/account.service.js';
import { batcher } from '../platform/repository/batcher.js';
import { byOrdinal, columnsOf, oneByOrdinal, type WithOrdinal } from '../platform/repository/by-ordinal.js';
import { insertRow } from '../platform/repository/insert-row.js';
import type { Database } from '../platform/database/orm.js';
import { MAX_PDF_BYTES } from '../../lib/pdf-check/pdf-check.js';
import type { Statement as Query } from '../../lib/pg-wire/statement.js';
import type { Caller } from '../shared/caller.js';
import { TooLarge } from '../shared/errors.js';
import { UUID_TEXT } from '../shared/ids.js';
import {
  pageRequestOf,
  positionOf,
  sliceOf,
  type CursorRequest,
  type Page,
  type Listing,
  type PageRequest,
} from '../shared/page.js';
import type { DocumentThreads } from './document-threads.js';
import type { StatementContent, TaxFormContent } from './statement.content.js';
import type { DocumentType, StatementView } from './statement.entity.js';
import { StatementNotFound, StatementOfTheFuture, UnfitDocument } from './statement.errors.js';
import type { StatementDetails } from './statement.inputs.js';
import { STATEMENT_COLUMNS, shown, statementViewOf, type StatementRow } from './statement.row.js';
import type { DocumentPart, StatementVault } from './statement.vault.js';

// Documents never change and never go, so the id of the last one that was read says where the list goes on.
const PAGES = {
  name: 'statement_pages',
  text: `SELECT s.*, k.n::int
    FROM unnest($1::text[], $2::text[], $3::uuid[], $4::int[], $5::int[])
      WITH ORDINALITY k(account_id, document_type, after, skip, size, n)
    CROSS JOIN LATERAL (
      SELECT ${STATEMENT_COLUMNS} FROM statement s
      WHERE s.account_id = k.account_id AND (k.document_type IS NULL OR s.document_type = k.document_type)
        AND (k.after IS NULL OR (s.statement_date, s.issued_at, s.statement_id) < (
          SELECT a.statement_date, a.issued_at, a.statement_id FROM statement a
          WHERE a.account_id = k.account_id AND a.statement_id = k.after))
      ORDER BY s.statement_date DESC, s.issued_at DESC, s.statement_id DESC OFFSET k.skip LIMIT k.size
    ) s ORDER BY k.n, s.statement_date DESC, s.issued_at DESC, s.statement_id DESC`,
};

const ONES = {
  name: 'statements',
  text: `SELECT ${STATEMENT_COLUMNS}, k.n::int
    FROM unnest($1::text[], $2::uuid[]) WITH ORDINALITY k(account_id, statement_id, n)
    JOIN statement s ON s.account_id = k.account_id AND s.statement_id = k.statement_id`,
};

const COUNTS = {
  name: 'statement_counts',
  text: `SELECT (SELECT count(*)::int FROM statement s
      WHERE s.account_id = k.account_id AND (k.document_type IS NULL OR s.document_type = k.document_type)), k.n::int
    FROM unnest($1::text[], $2::text[]) WITH ORDINALITY k(account_id, document_type, n)`,
};

const partOf = (part: DocumentPart): Query => ({
  name: `statement_${part}`,
  text: `SELECT sealed_key, ${part} FROM statement WHERE account_id = $1 AND statement_id = $2`,
});
const PARTS: Readonly<Record<DocumentPart, Query>> = { pdf: partOf('pdf'), content: partOf('content') };

const CLOCK = `SELECT (now() AT TIME ZONE ?)::date::text AS today,
  to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS now`;

type Selection = readonly [accountId: string, documentType: DocumentType | null];
type PageKey = readonly [...Selection, after: string | null, skip: number, size: number];

/** A document that the caller may see. Its parts are read and decrypted when they are asked for. */
export interface OpenDocument {
  readonly view: StatementView;
  pdf(): Promise<Buffer>;
  /** Only documents issued here have a content. */
  content(): Promise<StatementContent | TaxFormContent>;
}

/** The documents of accounts, for those who see the account. */
export class StatementService {
  private readonly pages = batcher<PageKey, StatementView[]>(async keys => {
    const rows = await this.database.queryTogether<WithOrdinal<StatementRow>>(PAGES, columnsOf(keys));
    return byOrdinal(rows, keys.length, statementViewOf);
  });

  private readonly ones = batcher<readonly [accountId: string, statementId: string], StatementView | null>(
    async keys => {
      const rows = await this.database.queryTogether<WithOrdinal<StatementRow>>(ONES, columnsOf(keys));
      return oneByOrdinal(rows, keys.length, statementViewOf);
    },
  );

  private readonly counts = batcher<Selection, number>(async keys => {
    const rows = await this.database.queryTogether<WithOrdinal<[count: number]>>(COUNTS, columnsOf(keys));
    return oneByOrdinal(rows, keys.length, ([count]) => count).map(count => count ?? 0);
  });

  constructor(
    private readonly database: Database,
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
    caller.require('statements.read');
    await this.accounts.mustSee(caller, accountId);
    const [items, total] = await Promise.all([
      this.pages([accountId, documentType, null, offset, limit]),
      this.counts([accountId, documentType]),
    ]);
    return { items, total };
  }

  /** The same by cursor, for an account that the caller sees. Throws `InvalidInput`. */
  list(
    caller: Caller,
    { accountId }: AccountView,
    request: CursorRequest,
    documentType: DocumentType | null,
  ): Listing<StatementView> {
    caller.require('statements.read');
    const { limit, offset } = pageRequestOf(request);
    const after = request.after ? positionOf(request.after, UUID_TEXT) : null;
    return {
      page: async () => {
        const rows = await this.pages([accountId, documentType, after, offset, limit + 1]);
        return sliceOf(rows, limit, after !== null || offset > 0, ({ statementId }) => statementId);
      },
      total: () => this.counts([accountId, documentType]),
    };
  }

  /** One document of an account that the caller sees, or null. */
  async find(caller: Caller, { accountId }: AccountView, statementId: string): Promise<StatementView | null> {
    caller.require('statements.read');
    const id = statementId.toLowerCase();
    return UUID_TEXT.test(id) ? this.ones([accountId, id]) : null;
  }

  /** A document of a type, to be read. Throws `AccountNotFound`, `StatementNotFound`. */
  async open(caller: Caller, accountId: string, documentType: DocumentType, id: string): Promise<OpenDocument> {
    caller.require('statements.read');
    const view = await this.find(caller, await this.accounts.mustSee(caller, accountId), id);
    if (!view || view.documentType !== documentType) throw new StatementNotFound();
    return {
      view,
      pdf: () => this.part(view, 'pdf'),
      content: async () =>
        JSON.parse((await this.part(view, 'content')).toString()) as StatementContent | TaxFormContent,
    };
  }

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
    this.accounts.allow(caller, 'statement.add', 'operations', accountId);
    if (document.length > MAX_PDF_BYTES) {
      throw new TooLarge(`The document is larger than ${MAX_PDF_BYTES} bytes. Send a smaller PDF.`);
    }
    const problem = await this.threads.check(document);
    if (problem) throw new UnfitDocument(problem, pointer);
    const details = { accountId, statementDate, description: description ?? statementDate };
    // The digest shows whether a retry sends the same PDF, so the PDF itself is not recorded a second time.
    const input = { ...details, sha256: createHash('sha256').update(document).digest('hex') };
    const command = { name: 'statement.add', scope: 'operations' as const, accountId, input, event: eventOf };
    return this.accounts.change(caller, command, (em, account) =>
      this.keep(em, caller.program, account, details, document),
    );
  }

  private async keep(
    em: EntityManager,
    program: string,
    { accountId, timeZone }: AccountView,
    { statementDate, description }: { readonly statementDate: string; readonly description: string },
    document: Buffer,
  ): Promise<StatementView> {
    const [clock] = await em.execute<{ today: string; now: string }[]>(CLOCK, [timeZone]);
    const { today, now: issuedAt } = clock as { today: string; now: string };
    if (statementDate > today) throw new StatementOfTheFuture();
    const statementId = randomUUID();
    const { sealedKey, pdf, content, sizeBytes, sha256 } = this.vault.keep(accountId, statementId, document, null);
    const source = 'PARTNER';
    const documentType = 'STATEMENTS';
    await insertRow(em, 'statement', {
      account_id: accountId,
      statement_id: statementId,
      program,
      document_type: documentType,
      source,
      statement_date: statementDate,
      description,
      issued_at: issuedAt,
      size_bytes: sizeBytes,
      sha256,
      sealed_key: sealedKey,
      pdf,
      content,
    });
    const described = { accountId, statementId, documentType, source, statementDate, description, issuedAt } as const;
    return shown({ ...described, correctsStatementId: null, sizeBytes, sha256: sha256.toString('hex') });
  }

  private async part({ accountId, statementId }: StatementView, part: DocumentPart): Promise<Buffer> {
    const [row] = await this.database.query<[Buffer, Buffer]>(PARTS[part], [accountId, statementId]);
    if (!row) throw new Error('a document vanished while it was being read');
    const [sealedKey, encrypted] = row;
    return this.vault.open(accountId, statementId, sealedKey, part, encrypted);
  }
}

/** The description is the partner's free text, so it stays out of the record of events. */
function eventOf({ statementId, statementDate, sizeBytes, sha256 }: StatementView) {
  return { object: `statement/${statementId}`, data: { statementDate, sizeBytes, sha256 } };
}
