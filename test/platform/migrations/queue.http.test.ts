import { expect, test } from '@jest/globals';
import { startTestGateway } from '../../support/gateway.js';
import { freshDatabase, onServer } from '../../support/postgres.js';
import { until } from '../../support/until.js';

test('a start without migrations to apply still brings the tables of the queue up to date', async () => {
  const fresh = await freshDatabase();
  // As it is where a release brings another queue, and no migrations of its own.
  await onServer(fresh.url, 'DROP SCHEMA graphile_worker CASCADE');
  const gateway = await startTestGateway({ databaseUrl: fresh.url });
  try {
    await until(async () => {
      const { rows } = await gateway.sql.query(`SELECT to_regclass('graphile_worker.jobs') IS NOT NULL AS there`);
      return rows[0].there;
    });
    expect(gateway.log.filter(line => line.includes('"level":"error"'))).toEqual([]);
  } finally {
    await gateway.stop();
    await fresh.drop();
  }
});
