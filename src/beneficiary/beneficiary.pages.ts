import { VISIBLE_TO_EACH, type Sight } from '../account/account.service.js';
import type { KeyRing } from '../platform/crypto/key-ring.js';
import { batcher } from '../platform/repository/batcher.js';
import { byOrdinal, type WithOrdinal } from '../platform/repository/by-ordinal.js';
import type { Database } from '../platform/database/orm.js';
import type { Statement } from '../../lib/pg-wire/statement.js';
import { BeneficiaryRead, beneficiaryColumns, type BeneficiaryRow } from './beneficiary.row.js';

/** `size` beneficiaries of an account behind position `after`, without the first `skip` of them, with their secrets or without. */
export interface BeneficiaryPage {
  readonly accountId: string;
  readonly after: number;
  readonly skip: number;
  readonly size: number;
  readonly secrets: boolean;
}

/** A page of an account of which nobody knows yet whether the caller sees it. */
export type PageToCome = BeneficiaryPage & Sight;

/** Such a page while it is being read; null where the caller does not see the account. */
export interface PageAhead extends PageToCome {
  readonly rows: Promise<BeneficiaryRead[] | null>;
}

const selected = (from: string, join: string): string =>
  `SELECT ${beneficiaryColumns('k.secrets')}, k.n::int FROM ${from} ${join} JOIN LATERAL (
    SELECT * FROM beneficiary b WHERE b.account_id = k.account_id AND b.position > k.after ORDER BY b.position OFFSET k.skip LIMIT k.size
  ) b ON true`;

const KNOWN: Statement = {
  name: 'beneficiary_pages',
  text: selected(
    'unnest($1::text[], $2::int[], $3::int[], $4::int[], $5::bool[]) WITH ORDINALITY k(account_id, after, skip, size, secrets, n)',
    'INNER',
  ),
};

// An account that its caller sees has one row at least, so that an empty page is told from none.
const TO_COME: Statement = {
  name: 'beneficiary_pages_ahead',
  text: selected(
    `unnest($1::text[], $2::int[], $3::int[], $4::int[], $5::bool[], $6::text[], $7::uuid[])
      WITH ORDINALITY k(account_id, after, skip, size, secrets, program, customer_id, n)
    JOIN account a ON a.account_id = k.account_id AND ${VISIBLE_TO_EACH}`,
    'LEFT',
  ),
};

/** Reads pages of beneficiaries, in the order in which they were added. */
export class BeneficiaryPages {
  private readonly known = batcher<BeneficiaryPage, BeneficiaryRead[]>(async pages =>
    this.deal(await this.database.queryTogether(KNOWN, columnsOf(pages)), pages.length),
  );

  private readonly toCome = batcher<PageToCome, BeneficiaryRead[] | null>(async pages => {
    const values = [...columnsOf(pages), pages.map(page => page.program), pages.map(page => page.customerId)];
    const rows = await this.database.queryTogether<WithOrdinal<BeneficiaryRow>>(TO_COME, values);
    const seen = new Set(rows.map(row => row[12]));
    return this.deal(rows.filter(isThere), pages.length).map((page, index) => (seen.has(index + 1) ? page : null));
  });

  constructor(
    private readonly database: Database,
    private readonly keys: KeyRing,
  ) {}

  /** A page of an account that the caller sees. What was read `ahead` is taken over if it is this page, else it is read now. */
  async read(page: BeneficiaryPage, ahead: PageAhead | null): Promise<BeneficiaryRead[]> {
    const begun = ahead && isSame(page, ahead) ? await ahead.rows : null;
    // Null where the caller sees the account only since then.
    return begun ?? this.known(page);
  }

  begin(page: PageToCome): PageAhead {
    const rows = this.toCome(page);
    // Who asks for them is told what became of them. Where the account turns out not to be there, nobody asks.
    rows.catch(() => undefined);
    return { ...page, rows };
  }

  private deal(rows: readonly WithOrdinal<BeneficiaryRow>[], pages: number): BeneficiaryRead[][] {
    return byOrdinal(rows, pages, row => new BeneficiaryRead(row, this.keys));
  }
}

function columnsOf(pages: readonly BeneficiaryPage[]): unknown[] {
  return [
    pages.map(page => page.accountId),
    pages.map(page => page.after),
    pages.map(page => page.skip),
    pages.map(page => page.size),
    pages.map(page => page.secrets),
  ];
}

/** Where a page has no beneficiaries, what its one row has of a beneficiary is null. */
function isThere(row: WithOrdinal<BeneficiaryRow>): boolean {
  return (row[1] as string | null) !== null;
}

function isSame(one: BeneficiaryPage, other: BeneficiaryPage): boolean {
  return (
    one.accountId === other.accountId &&
    one.after === other.after &&
    one.skip === other.skip &&
    one.size === other.size &&
    one.secrets === other.secrets
  );
}
