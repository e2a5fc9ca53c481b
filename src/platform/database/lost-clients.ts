import type pg from 'pg';

/**
 * Gives the places of dead connections back to the pool while somebody still holds them. Kysely, below MikroORM, does not release a
 * connection whose ROLLBACK fails (kysely-org/kysely#1990), which is what happens to a transaction when its connection dies: each
 * would take one place of the pool for ever, and `pool.end()` would wait for it.
 */
export function releaseLostClients(pool: pg.Pool): void {
  const held = new WeakSet<pg.PoolClient>();
  pool.on('acquire', client => held.add(client));
  pool.on('release', (_error, client) => held.delete(client));
  pool.on('connect', client => {
    client.once('end', () => {
      if (!held.has(client)) return;
      client.release(true);
      // The holder may release it as well, and the pool takes a second release for a mistake.
      client.release = () => {};
    });
  });
}
