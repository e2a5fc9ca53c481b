import type { AccountView } from '../account/account.entity.js';
import type { AccountService } from '../account/account.service.js';
import type { ListPage } from '../platform/repository/batched-repository.js';
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
import type { StatementRepository } from './statement.repository.js';
import { statementViewOf } from './statement.row.js';
import type { DocumentPart, StatementVault } from './statement.vault.js';

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

/** A document that the caller may see. Its parts are read and decrypted when they are asked for. */
export interface OpenDocument {
  readonly view: StatementView;
  pdf(): Promise<Buffer>;
  /** Only documents issued here have a content. */
  content(): Promise<StatementContent | TaxFormContent>;
}

/** The documents of accounts, for those who see the account. */
export class StatementService {
  constructor(
    private readonly database: Database,
    private readonly repository: StatementRepository,
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
    const [rows, total] = await Promise.all([
      this.repository.page(listPage(accountId, documentType, null, offset, limit)),
      this.repository.count(accountId, documentType),
    ]);
    return { items: rows.map(statementViewOf), total };
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
        const rows = await this.repository.page(listPage(accountId, documentType, after, offset, limit + 1));
        return sliceOf(
          rows.map(statementViewOf),
          limit,
          after !== null || offset > 0,
          ({ statementId }) => statementId,
        );
      },
      total: () => this.repository.count(accountId, documentType),
    };
  }

  /** One document of an account that the caller sees, or null. */
  async find(caller: Caller, { accountId }: AccountView, statementId: string): Promise<StatementView | null> {
    caller.require('statements.read');
    const id = statementId.toLowerCase();
    const found = UUID_TEXT.test(id) ? await this.repository.one(accountId, id) : null;
    return found && statementViewOf(found);
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

function listPage(
  parent: string,
  filter: DocumentType | null,
  after: string | null,
  skip: number,
  size: number,
): ListPage {
  return { parent, filter, after, skip, size, lazy: false };
}
