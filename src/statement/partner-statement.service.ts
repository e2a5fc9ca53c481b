import { createHash, randomUUID } from 'node:crypto';
import type { AccountCommand, AccountService } from '../account/account.service.js';
import type { Asked, EventFacts } from '../platform/command/command.js';
import type { Asking } from '../platform/database/query.js';
import { oneByOrdinal, type WithOrdinal } from '../platform/repository/by-ordinal.js';
import type { Caller } from '../shared/caller.js';
import { TooLarge } from '../shared/errors.js';
import { MAX_PDF_BYTES } from '../../lib/pdf-check/pdf-check.js';
import type { DocumentThreads } from './document-threads.js';
import type { StatementView } from './statement.entity.js';
import { StatementOfTheFuture, UnfitDocument } from './statement.errors.js';
import type { StatementRepository } from './statement.repository.js';
import { shown } from './statement.row.js';
import type { StatementVault } from './statement.vault.js';

const CLOCKS = {
  name: 'statement_clocks',
  text: `SELECT (now() AT TIME ZONE a.time_zone)::date::text, now(), k.n::int FROM unnest($1::text[]) WITH ORDINALITY k(account_id, n)
    JOIN account a ON a.account_id = k.account_id`,
};

interface Clock {
  /** The day where the account is. */
  readonly today: string;
  readonly now: string;
}

interface Document {
  readonly statementDate: string;
  readonly description: string;
  readonly document: Buffer;
}

/** A document may be as large as all others of a group together. */
const WEIGHT = 32;

/** A document that a partner sends. */
export interface PartnerDocument {
  readonly statementDate: string;
  /** The statement date when absent. */
  readonly description?: string | null;
  readonly document: Buffer;
}

/** Takes the statements that partners make. */
export class PartnerStatementService {
  private readonly adding: AccountCommand<Document, StatementView>;

  constructor(
    accounts: AccountService,
    repository: StatementRepository,
    vault: StatementVault,
    private readonly threads: DocumentThreads,
  ) {
    this.adding = accounts.command<Document, Clock, StatementView, object>('statement.add', 'operations', {
      // The digest tells whether a retry sends the same PDF, so the PDF itself is not on record a second time.
      recorded: ({ accountId, input: { document, ...details } }) => ({
        accountId,
        ...details,
        sha256: hexDigest(document),
      }),
      weight: () => WEIGHT,
      know,
      permit: (_account, { today, now: issuedAt }, { caller: { program }, accountId, input }) => {
        const { statementDate, description, document } = input;
        if (statementDate > today) throw new StatementOfTheFuture();
        const statementId = randomUUID();
        const kept = vault.keep(accountId, statementId, document, null);
        const [source, documentType, correctsStatementId] = ['PARTNER', 'STATEMENTS', null] as const;
        const details = { documentType, source, statementDate, description, issuedAt, correctsStatementId };
        const { sizeBytes } = kept;
        const result = shown({ accountId, statementId, ...details, sizeBytes, sha256: kept.sha256.toString('hex') });
        return { result, draft: { accountId, statementId, program, ...details, ...kept } };
      },
      write: done => done.map(({ draft }) => repository.insertionOfOne(draft)),
      event,
    });
  }

  /** As `AccountCommand.allow`. */
  allow(caller: Caller, accountId: string): void {
    this.adding.allow(caller, accountId);
  }

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
    this.allow(caller, accountId);
    if (document.length > MAX_PDF_BYTES) {
      throw new TooLarge(`The document is larger than ${MAX_PDF_BYTES} bytes. Send a smaller PDF.`);
    }
    const problem = await this.threads.check(document);
    if (problem) throw new UnfitDocument(problem, pointer);
    return this.adding(caller, accountId, { statementDate, description: description ?? statementDate, document });
  }
}

async function know(transaction: Asking, asked: readonly Asked<Document>[]): Promise<Clock[]> {
  const rows = await transaction.query<WithOrdinal<[today: string, now: string]>>(CLOCKS, [
    asked.map(({ accountId }) => accountId),
  ]);
  return oneByOrdinal(rows, asked.length, ([today, now]) => ({ today, now })) as Clock[];
}

function hexDigest(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The description is the partner's free text, so it stays out of the record of events. */
function event({ result }: { readonly result: StatementView }): EventFacts {
  const { statementId, statementDate, sizeBytes, sha256 } = result;
  return { object: `statement/${statementId}`, data: { statementDate, sizeBytes, sha256 } };
}
