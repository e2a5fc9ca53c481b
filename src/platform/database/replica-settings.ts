import { addressProblem, hostsOf, TARGET, withPassword } from './address.js';
import type { ReplicaSettings } from './replicas.js';

interface Reader {
  text(name: string): string | null;
  wholeNumber(name: string, range: { fallback: number; least: number; most: number }): number;
  refuse(name: string, problem: string): void;
}

const NAME = 'DATABASE_REPLICA_URLS';
const MAX_REPLICAS = 16;

/** Null where there are no replicas. `databaseUrl`: the primary's. */
export function readReplicaSettings(settings: Reader, databaseUrl: string | null): ReplicaSettings | null {
  const maxLagMs = settings.wholeNumber('REPLICA_MAX_LAG_MS', { fallback: 5000, least: 100, most: 3_600_000 });
  const waitMs = settings.wholeNumber('REPLICA_WAIT_MS', { fallback: 100, least: 0, most: 10_000 });
  const text = settings.text(NAME);
  if (text === null) return null;
  const urls = text.split(',').map(url => url.trim());
  const problem = problemOf(urls, databaseUrl);
  if (problem) settings.refuse(NAME, problem);
  const password = settings.text('DATABASE_PASSWORD');
  return { urls: password ? urls.map(url => withPassword(url, password)) : urls, maxLagMs, waitMs };
}

function problemOf(urls: readonly string[], databaseUrl: string | null): string | null {
  if (databaseUrl === null) return 'is set, and DATABASE_URL is not. Set the address of their primary in DATABASE_URL.';
  if (urls.length > MAX_REPLICAS) return `has more than ${MAX_REPLICAS} addresses. Set the nearest replicas only.`;
  const targeted = urls.findIndex(url => url.includes(TARGET));
  if (targeted >= 0) {
    return `has ${TARGET} in address ${targeted + 1}, which is for DATABASE_URL alone. Remove it.`;
  }
  const bad = urls.findIndex(url => addressProblem(url) !== null);
  if (bad >= 0) {
    return `must be PostgreSQL addresses, comma-separated, and address ${bad + 1} is none. Set postgres://user:password@host:5432/database for each, with special characters percent-encoded.`;
  }
  // Of several hosts of DATABASE_URL one is the primary, and the others are its replicas.
  const primary = hostsOf(databaseUrl).length === 1 ? placeOf(databaseUrl) : null;
  const places = [primary, ...urls.map(placeOf)];
  const repeated = places.findIndex((place, index) => places.indexOf(place) < index);
  if (repeated < 0) return null;
  const first = places.indexOf(places[repeated] ?? null);
  return first === 0
    ? `must be the addresses of replicas, and address ${repeated} is that of DATABASE_URL. Remove it.`
    : `has the same server twice: address ${first} and address ${repeated}. Remove one of them.`;
}

/** What tells one server and database from another. */
function placeOf(url: string): string {
  if (!URL.canParse(url)) return url;
  const { hostname, port, pathname } = new URL(url);
  return `${hostname}:${port || '5432'}${pathname}`;
}
