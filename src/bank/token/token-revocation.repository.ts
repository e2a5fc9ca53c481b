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

/** No token lives so long. */
export const KEPT_DAYS = 400;
const SWEEP_ROWS = 1000;
/** The newest first. */
const LISTED = { orderBy: { revokedAt: 'desc', revocationId: 'desc' } } as const;
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
    const counting = this.database
      .em()
      .createQueryBuilder(TokenRevocation)
      .select(['program', raw('count(*)::int')])
      .where({ program: [...new Set(programs)] })
      .groupBy('program');
    const { statement, values } = this.database.queryOf(counting);
    const counts = new Map(await transaction.query<[program: string, count: number]>(statement, values));
    return programs.map(program => counts.get(program) ?? 0);
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
