import type { Statement, StatementContent, TaxFormContent } from '../generated/rest.js';
import type { Listing } from '../listing.js';
import type { AnswerOf, Filters, Rest } from '../rest.js';
import type { CallOptions, WriteOptions } from '../transport.js';

type Download = 'GET /accounts/{accountId}/{docType}/{statement}';
type StatementKey = Pick<Statement, 'accountId' | 'statementId' | 'documentType'>;

export interface Document {
  readonly bytes: Uint8Array;
  /** Such as `application/pdf`. */
  readonly contentType: string;
  /** Under which to save it; empty if the gateway gives none. */
  readonly fileName: string;
}

export class Statements {
  constructor(private readonly rest: Rest) {}

  /** Statements and tax forms, the newest first. */
  list(
    accountId: string,
    filters?: Filters<'GET /accounts/{accountId}/statements'>,
    options?: CallOptions,
  ): Listing<Statement> {
    const call = { path: { accountId }, query: { ...filters }, ...options };
    return this.rest.list('GET /accounts/{accountId}/statements', call, page => page.statements);
  }

  /** The document of an element of the list, as a PDF or in another format. */
  async download(
    statement: StatementKey,
    format: 'pdf' | 'csv' | 'camt.053' | 'ofx' | 'ofx1' | 'bai2' | 'json' = 'pdf',
    options?: CallOptions,
  ): Promise<Document> {
    const call = { path: pathOf(statement), query: { format }, ...options };
    const { headers, body } = await this.rest.send(DOWNLOAD, call, { isDocument: true });
    const [, fileName = ''] = /filename="([^"]*)"/.exec(headers.get('content-disposition') ?? '') ?? [];
    const bytes = new Uint8Array(body as ArrayBuffer);
    return { bytes, contentType: headers.get('content-type') ?? '', fileName };
  }

  /** Returns the content of the document as a record. */
  content(statement: StatementKey, options?: CallOptions): Promise<StatementContent | TaxFormContent> {
    return this.rest.call(DOWNLOAD, { path: pathOf(statement), query: { format: 'json' }, ...options });
  }

  /** Adds the statement of a partner, a PDF. */
  add(
    accountId: string,
    pdf: Blob | Uint8Array<ArrayBuffer>,
    about: { readonly statementDate: string; readonly description?: string },
    options?: WriteOptions,
  ): Promise<AnswerOf<'POST /accounts/{accountId}/statements'>> {
    const body = new Blob([pdf], { type: 'application/pdf' });
    const call = { path: { accountId }, query: about, body, ...options };
    return this.rest.call('POST /accounts/{accountId}/statements', call);
  }
}

const DOWNLOAD: Download = 'GET /accounts/{accountId}/{docType}/{statement}';

function pathOf({ accountId, documentType, statementId }: StatementKey) {
  return { accountId, docType: documentType, statement: statementId };
}
