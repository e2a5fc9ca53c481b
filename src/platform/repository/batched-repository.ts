import type { EntityClass } from '@mikro-orm/core';
import type { Statement, StatementPart } from '../../../lib/pg-wire/statement.js';
import type { KeyRing } from '../crypto/key-ring.js';
import type { Database } from '../database/orm.js';
import type { InsertedRows } from '../database/outgoing.js';
import type { StatementSender, SqlQuery } from '../database/transaction.js';
import { batcher } from './batcher.js';
import { byOrdinal, oneByOrdinal, transpose, type WithOrdinal } from './by-ordinal.js';
import { compiledRow, writtenColumns, type CompiledRow, type Draft } from './compiled-row.js';
import { foundRow } from './found-row.js';
import { Lists, type ListOf, type ListPage } from './lists.js';
import * as statements from './statements.js';
import { columnOf, selection, tableOf, type Table } from './table.js';

export type { Draft } from './compiled-row.js';

/**
 * Reads the rows of an entity for all requests of the process together, and writes many at once. Columns, their order
 * and their types come from MikroORM's metadata. Nothing is cached and there is no identity map: each answer is read
 * after it was asked for. Build one at start for each entity, since a repository of each unit of work would have
 * nothing to batch.
 */
export class BatchedRepository<Entity extends object, View extends object, Given extends object = never> {
  /** One row by its primary key, or null. */
  readonly one: (...key: readonly string[]) => Promise<View | null>;
  protected readonly table: Table;
  private readonly row: CompiledRow<View>;
  private readonly written: readonly string[];
  private readonly ones: Statement;
  private readonly inserting: Statement;
  private readonly insertingOne: Statement;
  private readonly deleting: Statement;
  private readonly list: Lists<View> | null;
  /** Makes the statements behind inserted rows where accounts are on many servers, if rows are copied there. */
  protected readonly behind: InsertedRows['behind'] = null;

  constructor(
    protected readonly database: Database,
    entity: EntityClass<Entity>,
    private readonly ring: KeyRing | null = null,
    list: ListOf<Entity> | null = null,
  ) {
    const meta = database.orm.getMetadata().get(entity);
    this.table = tableOf(meta);
    this.row = compiledRow<View>(meta, this.table);
    this.written = writtenColumns(this.table).map(({ name }) => name);
    const isSealed = this.table.columns.some(({ sealed }) => sealed?.as);
    if (isSealed && !ring) throw new Error(`${this.table.entity} needs keys`);
    this.ones = statements.ones(this.table);
    this.inserting = statements.insertMany(this.table, drafts => [
      ...this.insertionApart(drafts),
      ...(this.behind?.(drafts) ?? []),
    ]);
    this.insertingOne = statements.insertOne(this.table);
    this.deleting = statements.remove(this.table);
    const one = batcher<readonly string[], View | null>(async keys => {
      const rows = await database.queryTogether<WithOrdinal<unknown[]>>(this.ones, transpose(keys));
      return oneByOrdinal(rows, keys.length, row => this.read(row));
    });
    this.one = (...key) => one(key);
    this.list = list && new Lists(database, this.table, list, row => this.read(row));
  }

  /** The columns of a row `alias` for a statement of the noun's own, in the order of `read`. */
  columns(alias: string, includeLazy = 'true'): string {
    return selection(this.table, alias, includeLazy);
  }

  /**
   * A row that was read by `columns`, with the fields that the entity declares as `FromParent`. What stands behind
   * these columns is ignored.
   */
  read(row: readonly unknown[], given?: Given): View {
    return this.row.read(row, this.ring, given);
  }

  /** An entity that the EntityManager found, as `read` gives a row. */
  found(entity: object): View {
    return foundRow<View>(this.table, entity, this.ring);
  }

  /** A page of a parent that the caller sees. */
  page(page: ListPage): Promise<View[]> {
    return this.lists().page(page);
  }

  /**
   * The number of rows that a parent has, with one of these values of the list's filter, separated by commas, or with
   * any.
   */
  count(parent: string, filter: string | null = null): Promise<number> {
    return this.lists().count({ parent, filter });
  }

  /** The row of each key in a transaction, or null. */
  async each(transaction: StatementSender, keys: readonly (readonly (string | null)[])[]): Promise<(View | null)[]> {
    if (keys.length === 0) return [];
    const rows = await transaction.query<WithOrdinal<unknown[]>>(this.ones, transpose(keys));
    return oneByOrdinal(rows, keys.length, row => this.read(row));
  }

  /**
   * The draft of an entity as it is written, with its sealed values sealed. Columns that it lacks may be added by their
   * names before it is written.
   */
  draft(entity: object): Draft {
    return this.row.draft(entity, this.ring);
  }

  /** The draft of some properties of an entity, of which none is sealed, for `updating` of these. */
  draftOf(entity: object, properties: readonly string[]): Draft {
    const values = entity as Readonly<Record<string, unknown>>;
    const columns = this.table.columns.filter(({ path, isKey }) => isKey || properties.includes(path[0]));
    return Object.fromEntries(columns.map(({ name, path }) => [name, values[path[0]]]));
  }

  insertion(drafts: readonly Draft[]): SqlQuery {
    return {
      statement: this.inserting,
      rows: { table: this.table.name, columns: this.written, drafts, behind: this.behind },
      get values() {
        return [JSON.stringify(drafts)];
      },
    };
  }

  /** Inserts one entity whose values are too large for a JSON text. */
  insertionOfOne(entity: object): SqlQuery {
    return { statement: this.insertingOne, values: this.row.values(entity, this.ring) };
  }

  /** Makes what writes drafts over the rows that have their keys: these properties, or all. */
  updating(properties: readonly string[] | null = null): (drafts: readonly Draft[]) => SqlQuery {
    const columns = this.table.columns.filter(
      ({ path, isKey, isWritten }) => isWritten && !isKey && (properties === null || properties.includes(path[0])),
    );
    const statement = statements.update(this.table, columns);
    return drafts => ({ statement, values: [JSON.stringify(drafts)] });
  }

  /**
   * Makes what locks rows until the transaction ends, and gives those that exist, by their ids. The primary key is one
   * column.
   */
  protected locking(
    strength: statements.LockStrength = 'NO KEY UPDATE',
  ): (transaction: StatementSender, ids: readonly string[]) => Promise<Map<string, View>> {
    const statement = statements.lock(this.table, strength);
    const place = (this.table.key[0] as Table['key'][number]).index as number;
    return async (transaction, ids) => {
      const rows = await transaction.query<unknown[]>(statement, [[...new Set(ids)]]);
      return new Map(rows.map(row => [row[place] as string, this.read(row)]));
    };
  }

  /** The statement that finds a row by properties that are unique together. */
  protected onesBy(properties: readonly (keyof Entity & string)[]): Statement {
    return statements.ones(
      this.table,
      properties.map(property => columnOf(this.table, property)),
    );
  }

  /** Makes what reads all rows of each parent in a transaction, in their order, without lazy columns. */
  children(
    parent: keyof Entity & string,
    ...order: readonly (keyof Entity & string)[]
  ): (transaction: StatementSender, parents: readonly string[]) => Promise<View[][]> {
    const ordered = order.map(property => columnOf(this.table, property));
    const statement = statements.children(this.table, columnOf(this.table, parent), ordered);
    return async (transaction, parents) => {
      const rows = await transaction.query<WithOrdinal<unknown[]>>(statement, [parents]);
      return byOrdinal(rows, parents.length, row => this.read(row));
    };
  }

  /** Makes what sets these properties of rows: of each the values of its primary key, and theirs behind them. */
  setting(properties: readonly (keyof Entity & string)[]): (rows: readonly (readonly unknown[])[]) => SqlQuery {
    const columns = properties.map(property => columnOf(this.table, property));
    const statement = statements.setColumns(this.table, columns);
    return rows => ({ statement, values: transpose(rows) });
  }

  deletion(keys: readonly (readonly string[])[]): SqlQuery {
    return { statement: this.deleting, values: transpose(keys) };
  }

  /** Makes the statements that insert rows where accounts are on many servers. */
  protected insertionApart(drafts: readonly Draft[]): StatementPart[] {
    return statements.partsOf(this.insertingOne, writtenColumns(this.table), drafts);
  }

  private lists(): Lists<View> {
    if (!this.list) throw new Error(`${this.table.entity} has no lists`);
    return this.list;
  }
}
