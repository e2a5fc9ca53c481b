import pg from 'pg';

const TIMEOUT_MS = 30_000;
/** Somebody else created it just now: seen by name, or only by the catalogue's unique index. */
const CREATED_MEANWHILE = new Set(['42P04', '23505']);

/** Creates an empty database on the server at `serverUrl` unless it is there. Several processes may do so at the same time. */
export async function createDatabaseIfMissing(serverUrl: string, name: string): Promise<void> {
  const client = new pg.Client({
    connectionString: serverUrl,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  });
  client.on('error', () => {});
  await client.connect();
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (rowCount) return;
    // template1 cannot be copied while somebody is connected to it; template0 takes no connections.
    await client.query(`create database ${client.escapeIdentifier(name)} template template0`);
  } catch (error) {
    if (!CREATED_MEANWHILE.has((error as { code?: string }).code ?? '')) throw error;
  } finally {
    await client.end();
  }
}
