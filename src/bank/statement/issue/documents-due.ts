import type { OwnerService } from '../../owner/owner.service.js';
import { SealBroken } from '../../../platform/crypto/key-ring.js';
import type { Database } from '../../../platform/database/orm.js';
import type { Logger } from '../../../platform/logging/logger.js';
import { isConnectionLost, isLockTimeout, isRetryable } from '../../../../lib/pg-wire/pg-errors.js';
import { canonicalJson } from '../../../shared/json.js';
import { MAX_ENTRIES, type KeptTaxForm, type StatementContent } from '../statement.content.js';
import type { StatementVault } from '../statement.vault.js';
import { TaxFormService, isSameReturn } from '../tax-form.service.js';
import {
  ownersOf,
  readAccountIds,
  readAccounts,
  type AccountBatch,
  type Addressee,
  type IssueAccount,
  type UnreadAccount,
} from './accounts.js';
import { isStatementDue, monthlyContent } from './contents.js';
import { correctionOf } from './corrections.js';
import type { Issuers } from './issuers.js';
import { lacksOf, type AccountLeftOut, type LeftOutCode } from './left-out.js';
import { readMonths, readYears, type LedgerYear } from './ledger.js';
import { reportablePayees } from './payees.js';
import { boxAmountsOf, boxesOf, hasAmounts, isForeignAt, isTakenBack, taxFormContent } from './tax-form.js';

/** The services and records from which due documents are found and made. */
export interface Sources {
  readonly database: Database;
  readonly owners: OwnerService;
  readonly vault: StatementVault;
  readonly issuers: Issuers;
  readonly log: Logger;
}

/** A document that is due, without its PDF. */
export interface DueDocument {
  readonly account: IssueAccount;
  readonly content: StatementContent | KeptTaxForm;
  /** The number, in ledger order, of the last entry that it knows. */
  readonly throughSeq: bigint;
  /** The closing balance of a statement, the interest of a form. */
  readonly amountMinor: bigint;
  /** The earlier form that says the same to the IRS; absent where none does. */
  readonly sameReturnAs?: string;
  /** True if its PDF has letters that no installed font can print; absent until it is made. */
  readonly isFlawed?: boolean;
}

export interface DueDocuments {
  readonly accounts: readonly BatchAccount[];
  readonly documents: readonly DueDocument[];
  readonly leftOut: readonly AccountLeftOut[];
}

/** At most so many entries are read at a time. */
const MAX_READ = 4 * MAX_ENTRIES;

/**
 * Finds the documents that a batch of accounts is due, and what they say. Writes nothing. Due are the statements that
 * are missing, for every account with entries, and for others as their program says; or the forms that are missing, and
 * those that correct one which would say something else now. A form that would lack something is left out, unless the
 * run issues these.
 */
export async function findDocumentsDue(sources: Sources, batch: AccountBatch): Promise<DueDocuments> {
  const { accounts, leftOut } = await accountsOf(sources, batch);
  const documents: DueDocument[] = [];
  for (const few of readTogether(accounts.filter(isRead).filter(({ isOver }) => isOver))) {
    for (const found of await findEach(sources, batch, few)) {
      if ('reasons' in found) leftOut.push(found);
      else documents.push(found);
    }
  }
  return { accounts, documents, leftOut };
}

type Finding = DueDocument | AccountLeftOut;

/** An account that gets no document. */
export function without({ accountId, program }: BatchAccount, ...reasons: readonly LeftOutCode[]): AccountLeftOut {
  return { accountId, program, reasons };
}

/** An account of a batch, which could be read or not. */
export type BatchAccount = IssueAccount | UnreadAccount;

function isRead(account: BatchAccount): account is IssueAccount {
  return 'isOver' in account;
}

/**
 * The accounts of a batch. One that cannot be read, for example in a time zone that the database lacks, fails alone.
 */
async function accountsOf(
  sources: Sources,
  batch: AccountBatch,
): Promise<{ accounts: BatchAccount[]; leftOut: AccountLeftOut[] }> {
  try {
    return { accounts: await readAccounts(sources.database, batch), leftOut: [] };
  } catch (error) {
    mustBeOfAccounts(error);
  }
  const accounts: BatchAccount[] = [];
  const leftOut: AccountLeftOut[] = [];
  for (const unread of await readAccountIds(sources.database, batch)) {
    try {
      accounts.push(...(await readAccounts(sources.database, { ...batch, only: [unread.accountId] })));
    } catch (error) {
      accounts.push(unread);
      leftOut.push(failed(sources.log, unread, error));
    }
  }
  return { accounts, leftOut };
}

/** Why an account gets no document, from the error that it met. Rethrows what is no fault of the account. */
export function failed(log: Logger, account: BatchAccount, error: unknown): AccountLeftOut {
  mustBeOfAccounts(error);
  if (error instanceof SealBroken) return without(account, 'unreadable');
  log.error({ accountId: account.accountId, err: error }, 'an account gets no document because of an error');
  return without(account, 'failed');
}

/** A database that went away, and transactions in conflict, are the fault of no account: the job is done again. */
function mustBeOfAccounts(error: unknown): void {
  if (isConnectionLost(error) || isRetryable(error) || isLockTimeout(error)) throw error;
}

/** An account that meets an error fails alone. */
async function findEach(sources: Sources, batch: AccountBatch, accounts: readonly IssueAccount[]): Promise<Finding[]> {
  try {
    return await (batch.documentType === 'STATEMENTS' ? statements : forms)(sources, batch, accounts);
  } catch (error) {
    if (accounts.length === 1) return accounts.map(account => failed(sources.log, account, error));
    mustBeOfAccounts(error);
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
  const months = (await readMonths(database, accounts, period)).filter(month =>
    isStatementDue(month, period, issuers.withoutActivityOf(month.account.program)),
  );
  const addressees = await ownersOf(database, owners, months, null);
  return months.map((month, index) => {
    const { account, throughSeq } = month;
    if (month.entries.length > MAX_ENTRIES) return without(account, 'too_many_entries');
    const issuer = issuers.of(account.program);
    const { content, closingMinor } = monthlyContent(issuer, addressees[index] ?? [], period, month);
    return { account, content, throughSeq, amountMinor: closingMinor };
  });
}

async function forms(sources: Sources, batch: AccountBatch, accounts: readonly IssueAccount[]): Promise<Finding[]> {
  const { database, owners } = sources;
  const read = await readYears(database, accounts, batch.period);
  const years = read.filter(year => year.last !== null || hasAmounts(year) || isTakenBack(year));
  const addressees = await ownersOf(database, owners, years, batch.period.end);
  const recipients = addressees.map(([recipient]) => recipient);
  const payees = years.map((year, index) => ({ year, recipient: recipients[index] ?? null }));
  const reportable = await reportablePayees(sources, batch.period, payees);
  const found = years.flatMap(
    (year, index) => formOf(sources, batch, year, recipients[index], reportable[index] ?? false) ?? [],
  );
  return withSameReturns(sources, batch, found);
}

/** Marks corrections that say what an earlier form said, so that the IRS may have nothing new to be told. */
async function withSameReturns(
  { database, vault }: Sources,
  { period }: AccountBatch,
  found: readonly Finding[],
): Promise<Finding[]> {
  const corrections = found.flatMap(one =>
    'content' in one && 'boxes' in one.content && one.content.correctedStatementId !== null ? [one.account] : [],
  );
  const ids = corrections.map(({ accountId }) => accountId);
  const earlier = await new TaxFormService(database, vault).allOfAccounts(ids, period.end);
  return found.map(one => {
    if (!('content' in one) || !('boxes' in one.content)) return one;
    const { account, content } = one;
    const same = earlier.get(account.accountId)?.find(({ form }) => isSameReturn(form, content));
    return same ? { ...one, sameReturnAs: same.statementId } : one;
  });
}

/** The form that an account is due, why it has none, or null if none is due. */
function formOf(
  { vault, issuers }: Sources,
  { period, issueIncomplete }: AccountBatch,
  year: LedgerYear,
  recipient: Addressee | undefined,
  isReportablePayee: boolean,
): Finding | null {
  const { account, interestMinor } = year;
  const issued = year.last && openedForm(vault, account, year.last);
  const payer = issuers.payerOf(account.program);
  if (!recipient) {
    const boxes = boxesOf(boxAmountsOf(year), account.currency, payer);
    const isDue = issued ? canonicalJson(issued.boxes) !== canonicalJson(boxes) : hasAmounts(year);
    return isDue ? without(account, 'recipient_unknown') : null;
  }
  if (!issued && isForeignAt(recipient, period.end)) return hasAmounts(year) ? without(account, 'foreign_payee') : null;
  if (!issued && !hasAmounts(year)) return without(account, 'taken_back');
  const now = taxFormContent(payer, recipient, period, year, { isReportablePayee, issued });
  const correctionKind = issued && correctionOf(issued, now);
  if (issued && correctionKind === null) return null;
  const reasons = issueIncomplete ? [] : lacksOf(now, recipient);
  if (reasons.length > 0) return without(account, ...reasons);
  const content: KeptTaxForm = { ...now, correctedStatementId: issued?.statementId ?? null, correctionKind };
  return { account, content, throughSeq: account.lastSeq, amountMinor: interestMinor };
}

function openedForm(
  vault: StatementVault,
  { accountId }: IssueAccount,
  { statementId, sealedKey, content }: NonNullable<LedgerYear['last']>,
): KeptTaxForm {
  return JSON.parse(vault.open(accountId, statementId, sealedKey, 'content', content).toString()) as KeptTaxForm;
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
