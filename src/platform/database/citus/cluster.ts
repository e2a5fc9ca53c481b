import type pg from 'pg';
import type { Statement, StatementPart } from '../../../../lib/pg-wire/statement.js';
import { ask } from '../ask.js';
import type { Query } from '../outgoing.js';
import { isAhead, KEPT_WITH_ACCOUNT, partsOf } from './dialect.js';
import { hasDistributedTables } from './engine.js';
import { transactOnNode, type First } from './node-transaction.js';
import { CitusNodes, type Server } from './nodes.js';

/**
 * What the server is, which it is asked once: a cluster whose nodes have the accounts, or a plain one, where everything
 * stays as it is.
 */
export class Cluster {
  private distributes: boolean | null = null;
  private nodes: CitusNodes | null = null;

  constructor(private readonly coordinator: Server) {}

  get pool(): pg.Pool {
    return this.coordinator.pool;
  }

  /** Whether the server was asked. */
  get isKnown(): boolean {
    return this.distributes !== null;
  }

  /** Whether it is known that the server is a plain one. */
  get isPlain(): boolean {
    return this.distributes === false;
  }

  /** Whether Citus distributes the tables, as far as the server was asked. */
  get isApart(): boolean {
    return this.distributes ?? false;
  }

  /** Whether the table has a column `account_id` here that its entity lacks, first in its primary key. */
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

  /** What a statement is on this server: itself, or one statement for each account. */
  partsOf(statement: Statement, values: readonly unknown[]): readonly StatementPart[] | null {
    return this.distributes ? partsOf(statement, values) : null;
  }

  /** The rows of the parts of a read, each from the node that has its account, or by way of the coordinator. */
  async read<Row extends unknown[]>(
    statement: Statement,
    parts: readonly StatementPart[],
    byCoordinator: (part: StatementPart) => Promise<Row[]>,
  ): Promise<Row[]> {
    const fallBack = isAhead(statement) ? async () => [] : byCoordinator;
    const rows = await Promise.all(parts.map(part => this.nodes?.read<Row>(part, fallBack) ?? fallBack(part)));
    return rows.flat();
  }

  /** What is the same for accounts of one node. On a plain server it is the same for all. */
  placeOf(accountId: string): string {
    return this.nodes ? (this.nodes.shardOf(accountId)?.node ?? accountId) : '';
  }

  /** A transaction on the node that has all its accounts; null where there is none, so nothing has been done. */
  async transact<Plan>(
    first: First<Plan>,
    last: (plan: Plan) => readonly Query[],
  ): Promise<{ readonly plan: Plan } | null> {
    return this.nodes && transactOnNode(this, this.nodes, first, last);
  }

  async close(): Promise<void> {
    await this.nodes?.close();
  }

  private async look(client: pg.PoolClient): Promise<void> {
    const distributes = await hasDistributedTables(client);
    if (distributes) {
      const nodes = new CitusNodes(this.coordinator);
      await nodes.placements.read((statement, values) => ask(client, statement, values));
      this.nodes ??= nodes;
    }
    this.distributes = distributes;
  }
}
