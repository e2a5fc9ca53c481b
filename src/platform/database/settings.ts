import type { SettingGroup } from '../settings/setting.js';
import type { Settings } from '../settings/settings.js';
import { addressProblem, hasPassword, hostsOf, TARGET, withPassword } from './address.js';
import type { ReplicaSettings } from './replicas.js';

const MAX_REPLICAS = 16;

export const DATABASE_SETTINGS = {
  heading: 'Data',
  settings: {
    DATABASE_URL: {
      text: null,
      problemOf: addressProblem,
      about:
        'The address of a PostgreSQL server, version 15 or newer, with special characters percent-encoded. It may name [several hosts](run.md#failover), of which one takes writes.',
      unset: 'an embedded PostgreSQL in `DATA_DIR`',
      example: 'postgres://tillgate:password@127.0.0.1:5432/tillgate',
    },
    DATABASE_PASSWORD: {
      text: null,
      about: 'The password as it is, with any characters, for the addresses of databases that have none.',
      isSecret: true,
    },
    DATABASE_DIRECT_URL: {
      text: null,
      problemOf: addressProblem,
      about:
        'The address of the same database without a [pooler](run.md#poolers) of transactions, if `DATABASE_URL` goes through one. Migrations, jobs and locks of sessions use it.',
      unset: '`DATABASE_URL`',
      example: 'postgres://tillgate:password@127.0.0.1:5432/tillgate',
    },
    POOL_SIZE: {
      number: 10,
      range: [1, 1000],
      about: 'The maximum number of connections to the database, of each process.',
    },
  },
} as const satisfies SettingGroup;

export const REPLICA_SETTINGS = {
  heading: 'Data',
  settings: {
    DATABASE_REPLICA_URLS: {
      text: null,
      about:
        'The addresses of streaming [replicas](run.md#replicas) of that server, separated by commas. Requests that change nothing are read from them.',
      example:
        'postgres://tillgate:password@10.0.0.11:5432/tillgate,postgres://tillgate:password@10.0.0.12:5432/tillgate',
    },
    REPLICA_MAX_LAG_MS: {
      number: 5000,
      range: [100, 3_600_000],
      about:
        'The longest time, in milliseconds, that a replica may be behind. Nothing is read from one that is further behind.',
    },
    REPLICA_WAIT_MS: {
      number: 100,
      range: [0, 10_000],
      about: 'The longest time, in milliseconds, that a read waits for a replica to have what its client wrote.',
    },
  },
} as const satisfies SettingGroup;

/** Where the database is, and how many connections it gets. */
export interface DatabaseAddresses {
  /** null: the gateway runs its own PostgreSQL. */
  readonly databaseUrl: string | null;
  /** Where connections have sessions of their own, if `databaseUrl` goes through a pooler. null: at `databaseUrl`. */
  readonly databaseDirectUrl: string | null;
  readonly poolSize: number;
}

export function readDatabaseSettings(settings: Settings): DatabaseAddresses {
  const read = settings.read(DATABASE_SETTINGS);
  const { DATABASE_URL: address, DATABASE_DIRECT_URL: directAddress, DATABASE_PASSWORD: password } = read;
  const isSet = settings.isSet('DATABASE_URL');
  if (settings.production && !isSet) {
    settings.refuse(
      'DATABASE_URL',
      'is not set, and the embedded database is refused in production. Set the address of a PostgreSQL server.',
    );
  }
  if (password !== null && (!isSet || (address !== null && hasPassword(address)))) {
    settings.refuse(
      'DATABASE_PASSWORD',
      'is set, and DATABASE_URL is not, or has a password of its own. Set DATABASE_URL to the address without a password.',
    );
  }
  if (settings.isSet('DATABASE_DIRECT_URL') && !isSet) {
    settings.refuse(
      'DATABASE_DIRECT_URL',
      'is set, and DATABASE_URL is not. Set DATABASE_URL as well, or unset both for the embedded database.',
    );
  }
  return {
    databaseUrl: address && completed(address, password),
    databaseDirectUrl: directAddress && completed(directAddress, password),
    poolSize: read.POOL_SIZE,
  };
}

/** Reads the settings of replicas; null where there are none. */
export function readReplicaSettings(settings: Settings): ReplicaSettings | null {
  const { DATABASE_URL: address, DATABASE_PASSWORD: password } = settings.read(DATABASE_SETTINGS);
  const read = settings.read(REPLICA_SETTINGS);
  const text = read.DATABASE_REPLICA_URLS;
  if (text === null) return null;
  const urls = text.split(',').map(url => url.trim());
  const problem = settings.isSet('DATABASE_URL')
    ? problemOf(urls, address)
    : 'is set, and DATABASE_URL is not. Set the address of their primary in DATABASE_URL.';
  if (problem) settings.refuse('DATABASE_REPLICA_URLS', problem);
  return {
    urls: urls.map(url => completed(url, password)),
    maxLagMs: read.REPLICA_MAX_LAG_MS,
    waitMs: read.REPLICA_WAIT_MS,
  };
}

/** The address with the password of `DATABASE_PASSWORD`, where it has none. */
function completed(address: string, password: string | null): string {
  return password ? withPassword(address, password) : address;
}

function problemOf(urls: readonly string[], primaryUrl: string | null): string | null {
  if (urls.length > MAX_REPLICAS) return `has more than ${MAX_REPLICAS} addresses. Set the nearest replicas only.`;
  const targeted = urls.findIndex(url => url.includes(TARGET));
  if (targeted >= 0) {
    return `has ${TARGET} in address ${targeted + 1}, which is for DATABASE_URL alone. Remove it.`;
  }
  const bad = urls.findIndex(url => addressProblem(url) !== null);
  if (bad >= 0) {
    return `must be PostgreSQL addresses, comma-separated, and address ${bad + 1} is none. Set postgres://user:password@host:5432/database for each, with special characters percent-encoded.`;
  }
  // One of several hosts of DATABASE_URL is the primary, and the others are its replicas.
  const primary = primaryUrl !== null && hostsOf(primaryUrl).length === 1 ? placeOf(primaryUrl) : null;
  const places = [primary, ...urls.map(placeOf)];
  const repeated = places.findIndex((place, index) => places.indexOf(place) < index);
  if (repeated < 0) return null;
  const first = places.indexOf(places[repeated] ?? null);
  return first === 0
    ? `must be the addresses of replicas, and address ${repeated} is that of DATABASE_URL. Remove it.`
    : `has the same server twice: address ${first} and address ${repeated}. Remove one of them.`;
}

/** The server and the database of an address, which distinguish it from others. */
function placeOf(url: string): string {
  if (!URL.canParse(url)) return url;
  const { hostname, port, pathname } = new URL(url);
  return `${hostname}:${port || '5432'}${pathname}`;
}
