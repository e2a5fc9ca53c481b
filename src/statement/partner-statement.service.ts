import { createHash, randomUUID } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { AccountView } from '../account/account.entity.js';
import type { AccountService } from '../account/account.service.js';
import { insertRow } from '../platform/repository/insert-row.js';
import type { Caller } from '../shared/caller.js';
import { TooLarge } from '../shared/errors.js';
import { MAX_PDF_BYTES } from '../../lib/pdf-check/pdf-check.js';
import type { DocumentThreads } from './document-threads.js';
import type { StatementView } from './statement.entity.js';
import { StatementOfTheFuture, UnfitDocument } from './statement.errors.js';
import { shown } from './statement.row.js';
import type { StatementVault } from './statement.vault.js';

const CLOCK = `SELECT (now() AT TIME ZONE ?)::date::text AS today,
  to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS now`;

/** A document that a partner sends. */
export interface PartnerDocument {
  readonly statementDate: string;
  /** The statement date when absent. */
  readonly description?: string | null;
  readonly document: Buffer;
}

/** Takes the statements that partners make. */
export class PartnerStatementService {
  constructor(
    private readonly accounts: AccountService,
    private readonly vault: StatementVault,
    private readonly threads: DocumentThreads,
  ) {}

  /**
   * Keeps a partner's PDF as it is. `pointer` is where the PDF stands in what was sent.
   * A closed account takes documents too: the last statement comes after the account is closed.
   * Throws `TooLarge`, `UnfitDocument`, `AccountNotFound`, `StatementOfTheFuture`.
   */
  async add(
    caller: Caller,
    accountId: string,
    { statementDate, description, document }: PartnerDocument,
    pointer = '/document',
  ): Promise<StatementView> {
    this.accounts.allow(caller, 'statement.add', 'operations', accountId);
    if (document.length > MAX_PDF_BYTES) {
      throw new TooLarge(`The document is larger than ${MAX_PDF_BYTES} bytes. Send a smaller PDF.`);
    }
    const problem = await this.threads.check(document);
    if (problem) throw new UnfitDocument(problem, pointer);
    const details = { accountId, statementDate, description: description ?? statementDate };
    // The digest tells whether a retry sends the same PDF, so the PDF itself is not on record a second time.
    const input = { ...details, sha256: createHash('sha256').update(document).digest('hex') };
    const command = { name: 'statement.add', scope: 'operations' as const, accountId, input, event };
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
      ...{ account_id: accountId, statement_id: statementId, program, document_type: documentType, source },
      ...{ statement_date: statementDate, description, issued_at: issuedAt },
      ...{ size_bytes: sizeBytes, sha256, sealed_key: sealedKey, pdf, content },
    });
    return shown({
      ...{ accountId, statementId, documentType, source, statementDate, description, issuedAt },
      ...{ correctsStatementId: null, sizeBytes, sha256: sha256.toString('hex') },
    });
  }
}

/** The description is the partner's free text, so it stays out of the record of events. */
function event({ statementId, statementDate, sizeBytes, sha256 }: StatementView) {
  return { object: `statement/${statementId}`, data: { statementDate, sizeBytes, sha256 } };
}
