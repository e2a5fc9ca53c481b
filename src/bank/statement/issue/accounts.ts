import { dayOf, startOfDay } from '../../../shared/days.js';
import { Account, type AccountType } from '../../account/account.entity.js';
import type { CustomerRead, OwnerService } from '../../owner/owner.service.js';
import { keyed } from '../../../platform/database/keyed.js';
import type { Database } from '../../../platform/database/orm.js';
import type { StatementSender } from '../../../platform/database/transaction.js';
import { oneByOrdinal, transpose, type WithOrdinal } from '../../../platform/repository/by-ordinal.js';
import { statementOf } from '../../../../lib/pg-wire/statement.js';
import type { Address } from '../../person/person.entity.js';
import type { TaxFormPerson } from '../statement.content.js';
import type { DocumentType } from '../statement.entity.js';
import { addressLines } from './address-lines.js';
import type { IssueJob } from './issue-run.js';
import type { Period } from './period.js';

/** An account for which a document may be due. */
export interface IssueAccount extends Readonly<
  Pick<Account, 'accountId' | 'program' | 'accountType' | 'currency' | 'timeZone' | 'openedOn'>
> {
  /** The end of the ledger. No read goes further, so all of them see the same entries. */
  readonly lastSeq: bigint;
  /** True if the period is over in the time zone of the account. */
  readonly isOver: boolean;
  /** True if it was opened by the end of the period, and is not closed. */
  readonly isOpen: boolean;
  /** The day where the account is, by the clock of its program. */
  readonly today: string;
  /**
   * The number of documents of the type that were issued to it. One more means that everything has to be read again.
   */
  readonly issuedCount: number;
}

type AccountRow = [string, string, AccountType, string, string, bigint, boolean, string, number, boolean, string];

/** Accounts from one id to another, those of the programs, and what may be due to them. */
export interface AccountBatch extends Omit<IssueJob, 'runId'> {
  readonly programs: readonly string[];
  /** These alone, or null for all from the first to the last. */
  readonly only: readonly string[] | null;
  readonly documentType: DocumentType;
  /** True if forms that lack something are issued all the same. */
  readonly issueIncomplete: boolean;
  readonly period: Period;
}

/** The accounts of a job of a run. */
export type RunBatch = AccountBatch & IssueJob;

const issuedCount = (accountId: string, documentType: string): string =>
  `(SELECT count(*)::int FROM statement s
    WHERE s.account_id = ${accountId} AND s.document_type = ${documentType} AND s.source = 'PLATFORM')`;

// Issuing works on sets: each statement reads what all accounts of a batch need.
const ISSUED = keyed(
  null,
  { account_id: 'text', type: 'text' },
  ({ k, each }) => `SELECT ${issuedCount(k.account_id, k.type)}, now()::timestamptz(3)
   FROM ${each}(SELECT 1) one ORDER BY ${k.n}`,
);

/** The documents that were issued to an account, and the present. */
export interface IssuedDocuments {
  /** As `IssueAccount.issuedCount`. */
  readonly count: number;
  readonly now: string;
}

/** Counts the documents that were issued to each account, of each type, in the order of `of`. */
export async function issuedOf(
  transaction: StatementSender,
  of: readonly [string, DocumentType][],
): Promise<IssuedDocuments[]> {
  const rows = await transaction.query<[count: number, now: string]>(ISSUED, transpose(of));
  return rows.map(([count, now]) => ({ count, now }));
}

// The present is a column of the accounts: Citus refuses a joined one beside the count.
const accountsWhere = (condition: string) =>
  statementOf(
    `SELECT a.account_id, a.program, a.account_type, a.currency, a.time_zone, a.last_seq,
     ${startOfDay('$1::date + 1', 'a.time_zone')} <= a.now, ${dayOf('a.now', 'a.time_zone')}::text, ${issuedCount('a.account_id', '$2')},
     a.opened_on <= $1::date AND a.status <> 'CLOSED', a.opened_on::text
   FROM (SELECT *, program_now(program) AS now FROM account) a WHERE ${condition} ORDER BY a.account_id`,
  );
const ACCOUNTS = accountsWhere(
  `a.account_id BETWEEN $3 AND $4 AND a.program = ANY($5::text[]) AND ($6::text[] IS NULL OR a.account_id = ANY($6))`,
);
const ACCOUNTS_BY_ID = accountsWhere('a.account_id = ANY($3::text[])');

/** An account of a batch that could not be read. */
export type UnreadAccount = Pick<IssueAccount, 'accountId' | 'program'>;

/** The ids of the accounts of a batch, which can be read whatever is wrong with one of them. */
export async function readAccountIds(database: Database, batch: AccountBatch): Promise<UnreadAccount[]> {
  const { from, to, programs, only } = batch;
  const accountId = { $gte: from, $lte: to, ...(only && { $in: [...only] }) };
  const which = { accountId, program: { $in: [...programs] } };
  const found = await database
    .primary()
    .find(Account, which, { fields: ['accountId', 'program'], orderBy: { accountId: 'asc' } });
  return found.map(({ accountId: id, program }) => ({ accountId: id, program }));
}

export async function readAccounts(database: Database, batch: AccountBatch): Promise<IssueAccount[]> {
  const { from, to, programs, only, documentType, period } = batch;
  const values = [period.end, documentType, from, to, programs, only];
  return (await database.query<AccountRow>(ACCOUNTS, values)).map(accountOf);
}

/** Accounts that matter for forms of others, in the order of their ids. */
export async function readAccountsById(
  database: Database,
  { end }: Period,
  accountIds: readonly string[],
): Promise<IssueAccount[]> {
  const documentType: DocumentType = 'TAX_1099';
  return (await database.query<AccountRow>(ACCOUNTS_BY_ID, [end, documentType, accountIds])).map(accountOf);
}

function accountOf([accountId, program, accountType, ...row]: AccountRow): IssueAccount {
  const [currency, timeZone, lastSeq, isOver, today, count, isOpen, openedOn] = row;
  const ledger = { lastSeq, isOver, isOpen, today, issuedCount: count };
  return { accountId, program, accountType, currency, timeZone, openedOn, ...ledger };
}

/** A person to whom a document is addressed. */
export interface Addressee extends Pick<
  CustomerRead,
  'customerId' | 'taxStatus' | 'taxStatusOn' | 'secondTinNoticeOn'
> {
  readonly name: string;
  /** `name` in its parts, as returns have it. */
  readonly person: TaxFormPerson;
  /** The address of which the lines are made; null where there is none. */
  readonly address: Address | null;
  /** With asterisks for all but the last four characters, as it is on record. */
  readonly maskedTaxId: string | null;
  /** Whole. */
  readonly taxId: string | null;
  readonly taxIdCountry: string | null;
  readonly addressLines: readonly string[];
}

// The owners at the end of a day are the present owners and those who left later. Positions only grow while the account
// has owners, so the lowest one was the primary owner; an owner who left comes before a present one who took the same
// position.
const PRIMARY_OWNERS_AT = keyed(
  null,
  { account_id: 'text' },
  ({ k, each, value }) => `SELECT DISTINCT ON (${k.n}) o.customer_id, ${k.n}::int FROM ${each}account a
   CROSS JOIN LATERAL (
     SELECT f.customer_id, f.position, f.owned_until FROM former_owner f
       WHERE f.account_id = ${k.account_id} AND f.owned_until >= ${startOfDay(`${value(0)}::date + 1`, 'a.time_zone')}
     UNION ALL SELECT o.customer_id, o.position, 'infinity' FROM account_owner o WHERE o.account_id = ${k.account_id}) o
   WHERE a.account_id = ${k.account_id} ORDER BY ${k.n}, o.position, o.owned_until`,
);

/**
 * The owners of each account, the primary one first. With a day: only the primary owner at the end of that day, or
 * nobody. Throws `SealBroken`.
 */
export async function ownersOf(
  database: Database,
  owners: OwnerService,
  of: readonly { readonly account: Pick<IssueAccount, 'accountId'> }[],
  day: string | null,
): Promise<Addressee[][]> {
  const ids = of.map(({ account }) => account.accountId);
  const { repository } = owners;
  if (day === null) return (await repository.ofAccounts(ids)).map(customers => customers.map(addresseeOf));
  const rows = await database.query<WithOrdinal<[customerId: string]>>(PRIMARY_OWNERS_AT, [ids, day]);
  const primary = oneByOrdinal(rows, ids.length, ([customerId]) => customerId);
  const customers = await repository.each(
    database,
    primary.map(customerId => [customerId]),
  );
  return customers.map(customer => (customer ? [addresseeOf(customer)] : []));
}

function addresseeOf(customer: CustomerRead): Addressee {
  const { customerId, name, taxId: maskedTaxId, taxIdCountry, secrets } = customer;
  const { taxStatus, taxStatusOn, secondTinNoticeOn } = customer;
  const { addresses, taxId } = secrets;
  const address = addresses.find(({ type }) => type === 'MAILING') ?? addresses[0] ?? null;
  return {
    customerId,
    taxStatus,
    taxStatusOn,
    secondTinNoticeOn,
    person: { first: name.first, middle: name.middle, last: name.last },
    address,
    name: [name.first, name.middle, name.last].filter(Boolean).join(' '),
    maskedTaxId,
    taxId,
    taxIdCountry,
    addressLines: address ? addressLines(address) : [],
  };
}
