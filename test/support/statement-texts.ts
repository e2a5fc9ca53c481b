import type pg from 'pg';
import { Pipeline } from '../../lib/pg-wire/pipeline.js';

/** The texts of all statements from now on. */
export function textsOf(pool: pg.Pool): string[] {
  const texts: string[] = [];
  const watched = new WeakSet<object>();
  pool.on('acquire', client => {
    if (watched.has(client)) return;
    watched.add(client);
    const connection = client as unknown as { query(...args: unknown[]): unknown };
    const query = connection.query.bind(client);
    connection.query = (...args) => {
      const [sent] = args as [string | Pipeline | pg.QueryConfig];
      if (sent instanceof Pipeline) texts.push(...sent.queries.map(({ statement }) => statement.text));
      else texts.push(typeof sent === 'string' ? sent : sent.text);
      return query(...args);
    };
  });
  return texts;
}
