import type pg from 'pg';
import type { Statement, StatementPart } from '../../../../lib/pg-wire/statement.js';
import { hasDistributedTables } from './engine.js';

/**
 * Tables that have a column `account_id` on Citus alone, where it comes first in their primary key: an idempotency key
 * is committed with its command, on the node of the account.
 */
const KEPT_WITH_ACCOUNT: ReadonlySet<string> = new Set(['idempotency_key']);

/**
 * Tells if Citus distributes the tables of the server, which is asked once, and how statements differ there. All of
 * them name tables as clients do and are sent to the coordinator: Citus locks and moves its shards by these names.
 */
export class Cluster {
  private distributes: boolean | null = null;

  /** True if the server was asked. */
  get isKnown(): boolean {
    return this.distributes !== null;
  }

  /** True if it is known that the server is a plain one. */
  get isPlain(): boolean {
    return this.distributes === false;
  }

  /** True if Citus distributes the tables, as far as the server was asked. */
  get isApart(): boolean {
    return this.distributes ?? false;
  }

  /** True if the table has a column `account_id` here that its entity lacks, first in its primary key. */
  isKeptWithAccount(table: string): boolean {
    return this.isApart && KEPT_WITH_ACCOUNT.has(table);
  }

  /** Asks the server whether Citus distributes the tables, unless that is known. */
  recognise(client: pg.PoolClient): Promise<void> | undefined {
    return this.distributes === null ? this.look(client) : undefined;
  }

  /** Forgets what the server has said: tables were distributed meanwhile. */
  forget(): void {
    this.distributes = null;
  }

  /** Gives what a statement is on this server: those that are sent in its place, or null where it stays as it is. */
  partsOf(statement: Statement, values: readonly unknown[]): readonly StatementPart[] | null {
    return (this.distributes && statement.apart?.(values)) || null;
  }

  private async look(client: pg.PoolClient): Promise<void> {
    this.distributes = await hasDistributedTables(client);
  }
}
