import { raw } from '@mikro-orm/core';
import type { RevokedToken } from '../../platform/auth/revoked-tokens.js';
import type { Database } from '../../platform/database/orm.js';
import type { StatementSender } from '../../platform/database/transaction.js';
import { BatchedRepository } from '../../platform/repository/batched-repository.js';
import { pick } from '../../platform/repository/fields.js';
import { cursorOptions, inReadingOrder } from '../../platform/repository/find-options.js';
import { sweepRows } from '../../platform/repository/sweep-rows.js';
import { statementOf } from '../../../lib/pg-wire/statement.js';
import type { Page, PageRequest, Window } from '../../shared/page.js';
import {
  TOKEN_REVOCATION_FIELDS,
  TokenRevocation,
  type TokenRevocationRead,
  type TokenRevocationView,
} from './token-revocation.entity.js';

/** Where a revocation stands in the list of its program. */
export type RevocationPlace = Pick<TokenRevocation, 'revokedAt' | 'revocationId'>;

/** The key of a revocation beside its program. */
export type RevocationKey = Pick<TokenRevocation, 'kind' | 'value'>;

/** No token lives so long. */
export const KEPT_DAYS = 400;
const SWEEP_ROWS = 1000;
/** The newest first. */
const LISTED = { orderBy: { revokedAt: 'desc', revocationId: 'desc' } } as const;
// Commands of a group read theirs together.
const COUNTS = statementOf(
  'SELECT (SELECT count(*)::int FROM token_revocation r WHERE r.program = k.program) FROM unnest($1::text[]) WITH ORDINALITY k(program, n) ORDER BY k.n',
);

// Asked every second on the connection of the feed, which knows no entities.
const SINCE = statementOf(
  `SELECT program, kind, value, latest_issued_at, revoked_at FROM token_revocation WHERE revoked_at >= coalesce($1, '-infinity'::timestamptz)`,
);

type RevokedRow = [
  program: string,
  kind: RevokedToken['kind'],
  value: string,
  latestIssuedAt: string | null,
  revokedAt: string,
];

export class TokenRevocationRepository extends BatchedRepository<TokenRevocation, TokenRevocationRead> {
  constructor(database: Database) {
    super(database, TokenRevocation);
  }

  /** Counts the revocations of each of the programs. */
  async counts(transaction: StatementSender, programs: readonly string[]): Promise<number[]> {
    const rows = await transaction.query<[number]>(COUNTS, [programs]);
    return rows.map(([count]) => count);
  }

  /** A part of the revocations of a program, in the order in which `sliceOf` takes them. */
  async between(program: string, window: Window<RevocationPlace>): Promise<TokenRevocationView[]> {
    const found = await this.database.em().find(TokenRevocation, { program }, { ...LISTED, ...cursorOptions(window) });
    return inReadingOrder(found, window).map(shown);
  }

  async at(program: string, { offset, limit }: PageRequest): Promise<Page<TokenRevocationView>> {
    const [found, total] = await this.database
      .em()
      .findAndCount(TokenRevocation, { program }, { ...LISTED, offset, limit });
    return { items: found.map(shown), total };
  }

  total(program: string): Promise<number> {
    return this.database.em().count(TokenRevocation, { program });
  }

  /** Those of all programs that were asked for since an instant; all where it is null. */
  async since(asking: Pick<StatementSender, 'query'>, instant: Date | null): Promise<RevokedToken[]> {
    const rows = await asking.query<RevokedRow>(SINCE, [instant?.toISOString() ?? null]);
    return rows.map(([program, kind, value, latestIssuedAt, revokedAt]) => ({
      program,
      kind,
      value,
      latestIssuedAt,
      revokedAt,
    }));
  }

  /** Forgets some revocations of tokens that have expired. Gives how many. */
  sweep(): Promise<number> {
    return sweepRows(this.database.primary(), TokenRevocation, 'revocationId', {
      where: { revokedAt: { $lt: raw(`now() - interval '${KEPT_DAYS} days'`) } },
      orderBy: { revokedAt: 'asc' },
      limit: SWEEP_ROWS,
    });
  }
}

/** A revocation that was found, as plain data. */
function shown(found: Pick<TokenRevocation, 'revocationId'>): TokenRevocationView {
  return pick<TokenRevocationView>(found, TOKEN_REVOCATION_FIELDS);
}
