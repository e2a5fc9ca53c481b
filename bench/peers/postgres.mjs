// What the peers share with each other: connections as the gateway has them, and how they start and end.
import pg from 'pg';

export const POOL_SIZE = 10;

/**
 * Every statement is a range of one index whatever the values, so none is planned again; the gateway has the same
 * setting. With `PLANS=default` PostgreSQL decides, as it does for whoever sets nothing.
 */
const PLANS = process.env.PLANS === 'default' ? '' : ' -c plan_cache_mode=force_generic_plan';
export const DATABASE_URL = withOptions(process.env.DATABASE_URL, `-c timezone=UTC${PLANS}`);

function withOptions(url, options) {
  const address = new URL(url);
  address.searchParams.set('options', options);
  return address.toString();
}

const { INT8, TIMESTAMP, TIMESTAMPTZ } = pg.types.builtins;

/** Reads what JSON has no type for: counts and minor units as numbers, times as ISO 8601. */
function parser(type, format) {
  if (type === INT8) return Number;
  if (type === TIMESTAMP) return text => text.replace(' ', 'T');
  // '2026-01-31 23:59:59.25+00', since the session is in UTC.
  if (type === TIMESTAMPTZ) return text => `${text.slice(0, 10)}T${fraction(text.slice(11, -3))}Z`;
  return pg.types.getTypeParser(type, format);
}

function fraction(time) {
  return time.length === 8 ? `${time}.000` : time.padEnd(12, '0');
}

export const pool = new pg.Pool({
  connectionString: DATABASE_URL,
  max: POOL_SIZE,
  idleTimeoutMillis: 0,
  types: { getTypeParser: parser },
});

/** Runs a named statement, which the server plans once a connection. */
export async function rowsOf({ name, text }, values) {
  return (await pool.query({ name, text, values })).rows;
}

/** Says where a `node:http` server listens, on a line of its own. */
export function announce(server) {
  console.log(`http://127.0.0.1:${server.address().port}`);
}

/** Has a `node:http` server listen on a free port. */
export function listen(server) {
  server.listen(0, '127.0.0.1', () => announce(server));
}

// The bench holds the other end: when it is gone, however it went, a peer has nobody to serve.
process.stdin.on('end', () => process.exit()).resume();
process.on('SIGTERM', () => process.exit());
