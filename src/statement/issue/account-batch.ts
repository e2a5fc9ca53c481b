import { SealBroken } from '../../platform/crypto/key-ring.js';
import type { Database } from '../../platform/database/orm.js';
import type { StatementContent, TaxFormContent } from '../statement.content.js';
import type { DocumentType } from '../statement.entity.js';
import { accountsBetween, type IssueAccount } from './issue-accounts.js';
import type { IssueFailure } from './issue-run.entity.js';
import { MAX_ENTRIES } from './monthly.ledger.js';
import type { Period } from './period.js';

/** The accounts from one id to another, of a program or of all. */
export interface AccountRange {
  readonly from: string;
  readonly to: string;
  readonly program: string | null;
}

/** A document that is due, as far as it can be made without its PDF. */
export interface DueDocument {
  readonly account: IssueAccount;
  readonly statementId: string;
  readonly documentType: DocumentType;
  readonly content: StatementContent | TaxFormContent;
  readonly statementDate: string;
  readonly throughSeq: bigint;
  readonly amountMinor: bigint;
  readonly correctsStatementId: string | null;
  /** How many documents of the kind the account had when it was read. */
  readonly known: number;
}

/** What accounts are due, and those whose document cannot be made. */
export interface Found {
  readonly due: readonly DueDocument[];
  readonly failures: readonly IssueFailure[];
}

/** Finds out what a few accounts are due. */
export type Look = (accounts: readonly IssueAccount[]) => Promise<Found>;

/** What came of a batch of accounts. */
export interface Batch extends Found {
  readonly accounts: number;
  /** Accounts whose period is not over where they are. */
  readonly early: number;
}

/** So many entries are read at a time, at most, however many accounts that is. */
const MAX_READ = 4 * MAX_ENTRIES;

/** Looks at the accounts whose period is over. One whose data cannot be opened fails alone. */
export async function lookAtBatch(database: Database, range: AccountRange, period: Period, look: Look): Promise<Batch> {
  const accounts = await accountsBetween(database, { ...range, end: period.end });
  const ready = accounts.filter(({ isOver }) => isOver);
  const found: Found[] = [];
  for (const few of readTogether(ready)) {
    const together = await unlessBroken(look, few);
    if (together) found.push(together);
    else for (const account of few) found.push((await unlessBroken(look, [account])) ?? unreadable(account));
  }
  return {
    accounts: accounts.length,
    early: accounts.length - ready.length,
    due: found.flatMap(({ due }) => due),
    failures: found.flatMap(({ failures }) => failures),
  };
}

/** null where data of one of the accounts cannot be opened. */
async function unlessBroken(look: Look, accounts: readonly IssueAccount[]): Promise<Found | null> {
  try {
    return await look(accounts);
  } catch (error) {
    if (error instanceof SealBroken) return null;
    throw error;
  }
}

function unreadable({ accountId }: IssueAccount): Found {
  return { due: [], failures: [{ accountId, code: 'unreadable' }] };
}

/** Accounts that are read together: a few of many entries, or many of few. */
function readTogether(accounts: readonly IssueAccount[]): IssueAccount[][] {
  const groups: IssueAccount[][] = [];
  let room = 0;
  for (const account of accounts) {
    const entries = Math.min(Number(account.lastSeq), MAX_ENTRIES);
    if (room < entries || groups.length === 0) {
      groups.push([]);
      room = MAX_READ;
    }
    groups.at(-1)?.push(account);
    room -= entries;
  }
  return groups;
}
