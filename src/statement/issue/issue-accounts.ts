import type { AccountType } from '../../account/account.entity.js';
import type { OwnerService } from '../../owner/owner.service.js';
import type { Address } from '../../person/person.entity.js';
import type { Database } from '../../platform/database/orm.js';
import { statementOf } from '../../../lib/pg-wire/statement.js';

/** An account for which a document may be due. Its ledger is read up to `lastSeq`: what is posted later is not seen by any of the reads. */
export interface IssueAccount {
  readonly accountId: string;
  readonly program: string;
  readonly accountType: AccountType;
  readonly currency: string;
  readonly timeZone: string;
  readonly lastSeq: bigint;
  /** Whether the period is over where the account is. */
  readonly isOver: boolean;
}

type AccountRow = [string, string, AccountType, string, string, bigint, boolean];

const ACCOUNTS = statementOf(
  `SELECT a.account_id, a.program, a.account_type, a.currency, a.time_zone, a.last_seq,
     ($4::date + 1)::timestamp AT TIME ZONE a.time_zone <= now()
   FROM account a WHERE a.account_id BETWEEN $1 AND $2 AND ($3::text IS NULL OR a.program = $3) ORDER BY a.account_id`,
);

/** The accounts from one id to another, of a program or of all. `end` is the last day of the period. */
export async function accountsBetween(
  database: Database,
  { from, to, program, end }: { from: string; to: string; program: string | null; end: string },
): Promise<IssueAccount[]> {
  const rows = await database.query<AccountRow>(ACCOUNTS, [from, to, program, end]);
  return rows.map(([accountId, ofProgram, accountType, currency, timeZone, lastSeq, isOver]) => ({
    ...{ accountId, program: ofProgram, accountType, currency, timeZone, lastSeq, isOver },
  }));
}

/** Somebody to whom a document is addressed. */
export interface Addressee {
  readonly name: string;
  /** With asterisks for all but the last four characters, as it is on record. */
  readonly maskedTaxId: string | null;
  readonly addressLines: readonly string[];
}

type OwnerRow = [
  n: number,
  customerId: string,
  first: string,
  middle: string | null,
  last: string,
  taxId: string | null,
  sealed: Buffer,
];

const COLUMNS = 'c.customer_id, c.name_first, c.name_middle, c.name_last, c.tax_id, c.sealed';

const OWNERS = statementOf(
  `SELECT k.n::int, ${COLUMNS} FROM unnest($1::text[]) WITH ORDINALITY k(account_id, n)
   JOIN account_owner o ON o.account_id = k.account_id JOIN customer c ON c.customer_id = o.customer_id ORDER BY k.n, o.position`,
);

// Who owned the account at the end of a day: the present owners, and those who left later. Positions only grow while somebody owns
// it, so of both the lowest was the primary owner; one who left comes before a present one who took the same place.
const OWNERS_AT = statementOf(
  `SELECT DISTINCT ON (k.n) k.n::int, ${COLUMNS}
   FROM unnest($1::text[]) WITH ORDINALITY k(account_id, n) JOIN account a ON a.account_id = k.account_id
   CROSS JOIN LATERAL (
     SELECT f.customer_id, f.position, f.owned_until FROM former_owner f
       WHERE f.account_id = k.account_id AND f.owned_until >= ($2::date + 1)::timestamp AT TIME ZONE a.time_zone
     UNION ALL SELECT o.customer_id, o.position, 'infinity' FROM account_owner o WHERE o.account_id = k.account_id) o
   JOIN customer c ON c.customer_id = o.customer_id ORDER BY k.n, o.position, o.owned_until`,
);

/** The owners of accounts, the primary one of each first. */
export async function ownersOf(
  database: Database,
  owners: OwnerService,
  accountIds: readonly string[],
): Promise<Addressee[][]> {
  const found: Addressee[][] = accountIds.map(() => []);
  for (const row of await database.query<OwnerRow>(OWNERS, [accountIds])) {
    found[row[0] - 1]?.push(addresseeOf(owners, row));
  }
  return found;
}

/** Who was the primary owner of each account when a day ended; null where nobody owned it. */
export async function primaryOwnersAt(
  database: Database,
  owners: OwnerService,
  accountIds: readonly string[],
  day: string,
): Promise<(Addressee | null)[]> {
  const found: (Addressee | null)[] = accountIds.map(() => null);
  for (const row of await database.query<OwnerRow>(OWNERS_AT, [accountIds, day])) {
    found[row[0] - 1] = addresseeOf(owners, row);
  }
  return found;
}

function addresseeOf(owners: OwnerService, [, customerId, first, middle, last, taxId, sealed]: OwnerRow): Addressee {
  const secrets = owners.repository.secretsOf(customerId, sealed);
  const address = secrets.addresses.find(({ type }) => type === 'MAILING') ?? secrets.addresses[0];
  return {
    name: [first, middle, last].filter(Boolean).join(' '),
    maskedTaxId: taxId,
    addressLines: address ? linesOf(address) : [],
  };
}

const COUNTRIES = new Intl.DisplayNames('en', { type: 'region' });

/** The lines of an address as an envelope has them. The country is said where it is not the United States. */
function linesOf({ line1, line2, line3, city, state, postalCode, country }: Address): string[] {
  const place = [city, [state, postalCode].filter(Boolean).join(' '), country === 'US' ? '' : COUNTRIES.of(country)];
  return [line1, line2, line3, place.filter(Boolean).join(', ')].filter(
    (line): line is string => line !== null && line !== '',
  );
}
