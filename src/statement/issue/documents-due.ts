import type { OwnerService } from '../../owner/owner.service.js';
import { SealBroken } from '../../platform/crypto/key-ring.js';
import type { Database } from '../../platform/database/orm.js';
import { canonicalJson } from '../../shared/json.js';
import { MAX_ENTRIES, type StatementContent, type TaxFormContent } from '../statement.content.js';
import type { StatementVault } from '../statement.vault.js';
import { ownersOf, readAccounts, type AccountBatch, type IssueAccount } from './accounts.js';
import { boxesOf, isStatementDue, monthlyContent, taxFormContent } from './contents.js';
import type { IssueFailure } from './issue-run.entity.js';
import type { Issuers } from './issuers.js';
import { readMonths, readYears, type LedgerYear } from './ledger.js';

/** What is asked about the accounts. */
export interface Sources {
  readonly database: Database;
  readonly owners: OwnerService;
  readonly vault: StatementVault;
  readonly issuers: Issuers;
}

/** A document that is due, without its PDF. */
export interface DueDocument {
  readonly account: IssueAccount;
  readonly content: StatementContent | TaxFormContent;
  /** The number, in ledger order, of the last entry that it knows. */
  readonly throughSeq: bigint;
  /** The closing balance of a statement, the interest of a form. */
  readonly amountMinor: bigint;
  readonly correctsStatementId: string | null;
}

export interface DueDocuments {
  readonly accounts: number;
  /** Accounts whose period is not over in their time zone. */
  readonly early: number;
  readonly documents: readonly DueDocument[];
  readonly failures: readonly IssueFailure[];
}

/** At most so many entries are read at a time. */
const MAX_READ = 4 * MAX_ENTRIES;

/**
 * Finds the documents that a batch of accounts is due, and what they say. Writes nothing. Due are the statements that
 * are missing, for every account with a balance or with entries; or the forms that are missing, and those that correct
 * one that differs from the ledger.
 */
export async function findDocumentsDue(sources: Sources, batch: AccountBatch): Promise<DueDocuments> {
  const accounts = await readAccounts(sources.database, batch);
  const ready = accounts.filter(({ isOver }) => isOver);
  const documents: DueDocument[] = [];
  const failures: IssueFailure[] = [];
  for (const few of readTogether(ready)) {
    for (const found of await findEach(sources, batch, few)) {
      if ('code' in found) failures.push(found);
      else documents.push(found);
    }
  }
  return { accounts: accounts.length, early: accounts.length - ready.length, documents, failures };
}

type Finding = DueDocument | IssueFailure;

/** An account whose data cannot be decrypted fails alone. */
async function findEach(sources: Sources, batch: AccountBatch, accounts: readonly IssueAccount[]): Promise<Finding[]> {
  try {
    return await (batch.documentType === 'STATEMENTS' ? statements : forms)(sources, batch, accounts);
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    if (accounts.length === 1) return accounts.map(({ accountId }) => ({ accountId, code: 'unreadable' }));
    const found: Finding[] = [];
    for (const account of accounts) found.push(...(await findEach(sources, batch, [account])));
    return found;
  }
}

async function statements(
  { database, owners, issuers }: Sources,
  { period }: AccountBatch,
  accounts: readonly IssueAccount[],
): Promise<Finding[]> {
  const months = (await readMonths(database, accounts, period)).filter(isStatementDue);
  const addressees = await ownersOf(database, owners, months, null);
  return months.map((month, index) => {
    const { account, throughSeq } = month;
    if (month.entries.length > MAX_ENTRIES) return { accountId: account.accountId, code: 'too_many_entries' };
    const issuer = issuers.of(account.program);
    const { content, closingMinor } = monthlyContent(issuer, addressees[index] ?? [], period, month);
    return { account, content, throughSeq, amountMinor: closingMinor, correctsStatementId: null };
  });
}

async function forms(
  { database, owners, vault, issuers }: Sources,
  { period }: AccountBatch,
  accounts: readonly IssueAccount[],
): Promise<Finding[]> {
  const years = (await readYears(database, accounts, period)).filter(year => isFormDue(vault, year));
  const addressees = await ownersOf(database, owners, years, period.end);
  return years.map((year, index) => {
    const { account, interestMinor } = year;
    const [recipient] = addressees[index] ?? [];
    if (!recipient) return { accountId: account.accountId, code: 'recipient_unknown' };
    const payer = issuers.payerOf(account.program);
    if (!payer) return { accountId: account.accountId, code: 'payer_unknown' };
    const content = taxFormContent(payer, recipient, period, year);
    const { correctedStatementId: correctsStatementId } = content;
    return { account, content, throughSeq: account.lastSeq, amountMinor: interestMinor, correctsStatementId };
  });
}

function isFormDue(vault: StatementVault, year: LedgerYear): boolean {
  if (!year.last) return year.interestMinor > 0n;
  const { statementId, sealedKey, content } = year.last;
  const opened = vault.open(year.account.accountId, statementId, sealedKey, 'content', content);
  const issued = JSON.parse(opened.toString()) as TaxFormContent;
  return canonicalJson({ ...issued.boxes }) !== canonicalJson({ ...boxesOf(year) });
}

/** Accounts that are read together: a few of many entries, or many of few. */
function readTogether(accounts: readonly IssueAccount[]): IssueAccount[][] {
  const groups: IssueAccount[][] = [];
  let left = 0;
  for (const account of accounts) {
    const entries = Math.min(Number(account.lastSeq), MAX_ENTRIES);
    if (left < entries || groups.length === 0) {
      groups.push([]);
      left = MAX_READ;
    }
    groups.at(-1)?.push(account);
    left -= entries;
  }
  return groups;
}
