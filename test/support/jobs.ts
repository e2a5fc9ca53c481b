import type pg from 'pg';
import { until } from './until.js';

/** Resolves once no job waits or runs. Takes its time as long as there are fewer and fewer. */
export async function jobsDone(sql: Pick<pg.Pool, 'query'>): Promise<void> {
  const count = async () => (await sql.query('SELECT FROM graphile_worker.jobs')).rowCount ?? 0;
  for (let left = await count(); left > 0;) {
    const before = left;
    await until(async () => {
      left = await count();
      return left < before;
    });
  }
}
