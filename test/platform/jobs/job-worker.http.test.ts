import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { Shelf } from '../database/shelf.entity.js';
import { openDatabase, type Database } from '../../../src/platform/database/orm.js';
import { JobHealth } from '../../../src/platform/jobs/job-health.js';
import { JobWorker } from '../../../src/platform/jobs/job-worker.js';
import { createLogger } from '../../../src/platform/logging/logger.js';
import { directly, freshDatabase, onServer, type FreshDatabase } from '../../support/postgres.js';
import { until } from '../../support/until.js';

let fresh: FreshDatabase;
let database: Database;
beforeAll(async () => {
  fresh = await freshDatabase();
  database = await openDatabase({
    url: fresh.url,
    poolSize: 4,
    entities: [Shelf],
    applicationName: 'tillgate-jobs',
  });
});
afterAll(async () => {
  await database.close();
  await fresh.drop();
});

const TASKS = 'graphile_worker._private_tasks';

test('a worker whose first look into the queue failed takes jobs once it can', async () => {
  // graphile-worker prints what ends one of its workers by itself, beside the log.
  const printed = jest.spyOn(console, 'trace').mockReturnValue();
  await onServer(directly(fresh.url), `ALTER TABLE ${TASKS} RENAME TO away`);
  const health = new JobHealth();
  const done: unknown[] = [];
  const worker = new JobWorker({
    database,
    tasks: { note: payload => void done.push(payload) },
    concurrency: 1,
    health,
    log: createLogger({ level: 'silent' }),
  });
  try {
    await until(() => health.isFailing);
    await onServer(directly(fresh.url), `ALTER TABLE graphile_worker.away RENAME TO _private_tasks`);
    await onServer(directly(fresh.url), `SELECT graphile_worker.add_job('note', '{"n": 1}')`);
    await until(() => done.length > 0);
    expect([done, health.isFailing]).toEqual([[{ n: 1 }], false]);
    expect(printed).toHaveBeenCalledTimes(1);
  } finally {
    await worker.stop();
  }
});
