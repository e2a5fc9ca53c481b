import { isRaw, type DriverException } from '@mikro-orm/core';
import { NativeQueryBuilder, PostgreSqlConnection, PostgreSqlDriver, PostgreSqlPlatform } from '@mikro-orm/postgresql';
import { CompiledQuery, type Kysely } from 'kysely';
import { Refusal } from '../../shared/errors.js';

/** A statement as PostgreSQL gets it: with `$1` and so on in its text, and the values beside it. */
export interface SentStatement {
  readonly text: string;
  readonly values: unknown[];
}

/** MikroORM's platform, where the values of a statement can be kept out of its text. */
export class Platform extends PostgreSqlPlatform {
  private values: unknown[] | null = null;

  /** Numbers and Booleans stay in the text, by which PostgreSQL knows their types. */
  sent(text: string, params: readonly unknown[]): SentStatement {
    const values: unknown[] = [];
    this.values = values;
    try {
      return { text: this.formatQuery(text, params), values };
    } finally {
      this.values = null;
    }
  }

  override escape(value: unknown): string {
    if (!this.values) return super.escape(value);
    if (typeof value === 'bigint') return this.escape(String(value));
    if (value instanceof Date) return this.escape(this.formatDate(value));
    if (typeof value !== 'string' && !ArrayBuffer.isView(value)) return super.escape(value);
    return `$${this.values.push(value)}`;
  }
}

type Execute = PostgreSqlConnection['execute'];

/**
 * MikroORM's connection. It writes the values of `find`, `nativeUpdate` and the QueryBuilder into the texts of their
 * statements, and a server logs the texts of those that fail or take long. Here they are parameters.
 */
class Connection extends PostgreSqlConnection {
  override execute: Execute = (async (
    query: Parameters<Execute>[0],
    params: readonly unknown[] = [],
    method: Parameters<Execute>[2],
    transaction: Parameters<Execute>[3],
    context: Parameters<Execute>[4],
  ) => {
    const statement = query instanceof NativeQueryBuilder ? query.toRaw() : query;
    const { text, values } = (this.platform as Platform).sent(
      ...(isRaw(statement) ? ([statement.sql, statement.params] as const) : ([statement, params] as const)),
    );
    await this.ensureConnection();
    const client = (transaction ?? this.getClient()) as Kysely<unknown>;
    const sending = {
      executeQuery: ({ sql }: CompiledQuery, options?: Parameters<Kysely<unknown>['executeQuery']>[1]) =>
        client.executeQuery(CompiledQuery.raw(sql, [...values]), options),
    };
    return super.execute(text, [], method, sending, context);
  }) as Execute;
}

/** MikroORM's driver. A refusal, such as that of a request whose time is over, stays what it is. */
export class Driver extends PostgreSqlDriver {
  protected override readonly platform = new Platform();
  protected override readonly connection = new Connection(this.config);
  protected override readonly replicas = this.createReplicas(options => new Connection(this.config, options, 'read'));

  override getPlatform(): Platform {
    return this.platform;
  }

  override convertException(error: Error): DriverException {
    return error instanceof Refusal ? error : super.convertException(error);
  }
}
