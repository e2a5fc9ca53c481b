import type { AccountView } from '../account/account.entity.js';
import type { AccountService } from '../account/account.service.js';
import { batcher } from '../platform/repository/batcher.js';
import type { Database } from '../platform/database/orm.js';
import type { Statement as Query } from '../../lib/pg-wire/statement.js';
import type { Caller } from '../shared/caller.js';
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
import type { StatementContent, TaxFormContent } from './statement.content.js';
import type { DocumentType, StatementView } from './statement.entity.js';
import { StatementNotFound } from './statement.errors.js';
import { STATEMENT_COLUMNS, statementViewOf, type StatementRow } from './statement.row.js';
import type { DocumentPart, StatementVault } from './statement.vault.js';

// Documents never change and never go, so the id of the last one that was read says where the list goes on.
const PAGES = {
  name: 'statement_pages',
  text: `SELECT k.n::int, s.*
    FROM unnest($1::text[], $2::text[], $3::uuid[], $4::int[], $5::int[]) WITH ORDINALITY k(account_id, document_type, after, skip, size, n)
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
  text: `SELECT k.n::int, ${STATEMENT_COLUMNS} FROM unnest($1::text[], $2::uuid[]) WITH ORDINALITY k(account_id, statement_id, n)
    JOIN statement s ON s.account_id = k.account_id AND s.statement_id = k.statement_id`,
};

const COUNTS = {
  name: 'statement_counts',
  text: `SELECT k.n::int, (SELECT count(*)::int FROM statement s
      WHERE s.account_id = k.account_id AND (k.document_type IS NULL OR s.document_type = k.document_type))
    FROM unnest($1::text[], $2::text[]) WITH ORDINALITY k(account_id, document_type, n)`,
};

const PARTS: Record<DocumentPart, Query> = {
  pdf: {
    name: 'statement_pdf',
    text: 'SELECT sealed_key, pdf FROM statement WHERE account_id = $1 AND statement_id = $2',
  },
  content: {
    name: 'statement_content',
    text: 'SELECT sealed_key, content FROM statement WHERE account_id = $1 AND statement_id = $2',
  },
};

interface Selection {
  readonly accountId: string;
  readonly documentType: DocumentType | null;
}

interface PageKey extends Selection {
  readonly after: string | null;
  readonly skip: number;
  readonly size: number;
}

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
    const pages: StatementView[][] = keys.map(() => []);
    const values = [
      keys.map(key => key.accountId),
      keys.map(key => key.documentType),
      keys.map(key => key.after),
      keys.map(key => key.skip),
      keys.map(key => key.size),
    ];
    for (const [n, ...row] of await this.database.queryTogether<[number, ...StatementRow]>(PAGES, values)) {
      pages[n - 1]?.push(statementViewOf(row));
    }
    return pages;
  });

  private readonly ones = batcher<{ accountId: string; statementId: string }, StatementView | null>(async keys => {
    const found: (StatementView | null)[] = keys.map(() => null);
    const values = [keys.map(key => key.accountId), keys.map(key => key.statementId)];
    for (const [n, ...row] of await this.database.queryTogether<[number, ...StatementRow]>(ONES, values)) {
      found[n - 1] = statementViewOf(row);
    }
    return found;
  });

  private readonly counts = batcher<Selection, number>(async keys => {
    const counts = keys.map(() => 0);
    const values = [keys.map(key => key.accountId), keys.map(key => key.documentType)];
    for (const [n, count] of await this.database.queryTogether<[number, number]>(COUNTS, values)) counts[n - 1] = count;
    return counts;
  });

  constructor(
    private readonly database: Database,
    private readonly accounts: AccountService,
    private readonly vault: StatementVault,
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
      this.pages({ accountId, documentType, after: null, skip: offset, size: limit }),
      this.counts({ accountId, documentType }),
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
        const rows = await this.pages({ accountId, documentType, after, skip: offset, size: limit + 1 });
        return sliceOf(rows, limit, after !== null || offset > 0, ({ statementId }) => statementId);
      },
      total: () => this.counts({ accountId, documentType }),
    };
  }

  /** One document of an account that the caller sees, or null. */
  async find(caller: Caller, { accountId }: AccountView, statementId: string): Promise<StatementView | null> {
    caller.require('statements.read');
    const id = statementId.toLowerCase();
    return UUID_TEXT.test(id) ? this.ones({ accountId, statementId: id }) : null;
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

  private async part({ accountId, statementId }: StatementView, part: DocumentPart): Promise<Buffer> {
    const [row] = await this.database.query<[Buffer, Buffer]>(PARTS[part], [accountId, statementId]);
    if (!row) throw new Error('a document vanished while it was being read');
    const [sealedKey, encrypted] = row;
    return this.vault.open(accountId, statementId, sealedKey, part, encrypted);
  }
}
