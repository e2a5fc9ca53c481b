import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { trustOf } from '../platform/http/client-address.js';
import { isSafeAddress } from '../platform/settings/safe-address.js';
import type { SettingGroup } from '../platform/settings/setting.js';
import type { Settings } from '../platform/settings/settings.js';

/** The settings of who may use HTTP, how, and how much of it. */
export interface HttpSettings {
  host: string;
  /** 0 lets the system pick a free port. */
  port: number;
  /** The number of processes that serve behind the port. With 1 the process serves itself. */
  workers: number;
  /** null: plain HTTP, for a proxy that ends TLS in front. Absolute paths of PEM files. */
  tls: { certFile: string; keyFile: string } | null;
  /** Where clients find the gateway: an origin such as `https://gateway.bank.example`; null if it is not said. */
  publicUrl: string | null;
  /** Addresses and ranges of proxies whose `X-Forwarded-For` is believed. */
  trustedProxies: readonly string[];
  /** Origins of web pages that may read answers. */
  corsOrigins: readonly string[];
  /**
   * The time for which a gateway that is told to stop still accepts, so that a load balancer can see that it is not
   * ready.
   */
  shutdownGraceMs: number;
  /** Units that a client may use a second, sustained, and at once. */
  ratePerSecond: number;
  rateBurst: number;
  /** Where the units are counted: in each process, or in the database for all of them together. */
  rateStore: 'memory' | 'database';
  /** Access tokens that do not hold, from one address. */
  failedAuthPerMinute: number;
  /** The number of requests that may wait for the database, or be late, before new ones are refused. */
  maxWaiting: number;
  /** The time after which a request counts as late. */
  maxDelayMs: number;
}

const MAX_WORKERS = 64;
const MAX_LISTED = 100;
const BURST_SECONDS = 5;
/**
 * The time that a load balancer takes to see that a process is not ready: Kubernetes asks, and tells its nodes, within
 * seconds.
 */
const PRODUCTION_GRACE_MS = 5000;
const TLS = ['TLS_CERT', 'TLS_KEY'];

export const ADDRESS_SETTINGS = {
  heading: 'Address, TLS and proxies',
  settings: {
    HOST: {
      text: '127.0.0.1',
      isValid: host => /^[A-Za-z0-9.:_%-]{1,253}$/.test(host),
      problem: 'must be a host name or an IP address. Set the address to listen on, such as 127.0.0.1, 0.0.0.0 or ::.',
      about: 'The address to listen on, such as `0.0.0.0` for every address of the machine.',
    },
    PORT: {
      number: 4000,
      range: [0, 65_535],
      about:
        'The port to listen on; 0 picks a free one. The first line on standard output that starts with `http` is the address; in production with a port of your own it is in the line of the log with the message `serving`.',
    },
    WORKERS: {
      parsed: 1,
      parse: workersOf,
      problem: `must be auto or a whole number from 1 to ${MAX_WORKERS}. Set auto for one process a CPU, or unset it for 1.`,
      about: `The number of processes that serve [behind the port](run.md#workers): from 1 to ${MAX_WORKERS}, or \`auto\` for one for each CPU. They are replaced one by one after SIGHUP, and when the file of the settings, or one that a setting names, has changed.`,
    },
    TLS_CERT: {
      text: null,
      about: 'The PEM file of the certificate with its chain. Set it together with `TLS_KEY`.',
      unset: 'plain HTTP, for a proxy with TLS',
      example: '/run/secrets/tls.crt',
    },
    TLS_KEY: {
      text: null,
      about: 'The PEM file of the private key of that certificate.',
      example: '/run/secrets/tls.key',
    },
    PUBLIC_URL: {
      text: null,
      isValid: url => isSafeAddress(url) && isWebOrigin(url),
      problem:
        'must be the https address at which clients find the gateway, without a path, such as https://gateway.bank.example. http is allowed for a loopback host only.',
      about:
        'The origin at which clients find the gateway, https except on a loopback host. Proofs of DPoP are compared with it.',
      example: 'https://gateway.bank.example',
    },
    TRUSTED_PROXIES: {
      list: MAX_LISTED,
      areValid: areProxies,
      problem:
        'must be a list of IP addresses and ranges, separated by commas. Set a list such as 10.0.0.0/8,fd00::/8, or unset it.',
      about:
        'The addresses and ranges of proxies whose `X-Forwarded-For` is trusted, separated by commas, so that limits apply to clients and not to the proxy.',
      example: '10.0.0.0/8,fd00::/8',
    },
    CORS_ORIGINS: {
      list: MAX_LISTED,
      areValid: origins => origins.every(isWebOrigin),
      problem:
        'must be a list of origins without paths, separated by commas. Set a list such as https://app.example.com,https://admin.example.com, or unset it.',
      about: 'The origins of web pages that may read answers, separated by commas.',
      example: 'https://app.example.com',
    },
    SHUTDOWN_GRACE_MS: {
      number: production => (production ? PRODUCTION_GRACE_MS : 0),
      range: [0, 60_000],
      about:
        'The time, in milliseconds, for which a process still accepts connections after SIGTERM, so that load balancers can notice.',
      unset: `${PRODUCTION_GRACE_MS} in production, else 0`,
      example: String(PRODUCTION_GRACE_MS),
    },
  },
} as const satisfies SettingGroup;

export const RATE_SETTINGS = {
  heading: 'Rate limits and overload',
  settings: {
    RATE_LIMIT_PER_SECOND: {
      number: 1000,
      range: [1, 1_000_000],
      about: 'The units that a client may use per second: a read is 1, a write 5, a document 10.',
    },
    RATE_LIMIT_BURST: {
      number: null,
      range: [1, 100_000_000],
      about: 'The units that a client may use at once.',
      unset: 'five times RATE_LIMIT_PER_SECOND',
      example: '5000',
    },
    RATE_LIMIT_STORE: {
      choice: 'memory',
      of: ['memory', 'database'],
      about: 'The place where units are counted: `database` counts for all gateways together.',
    },
    RATE_LIMIT_FAILED_AUTH_PER_MINUTE: {
      number: 100,
      range: [1, 1_000_000],
      about:
        'The number of invalid access tokens and secrets that one address may send in a minute. More get 429; valid tokens are accepted all the same.',
    },
    OVERLOAD_MAX_WAITING: {
      number: 100,
      range: [1, 100_000],
      about: 'The number of requests that may wait for the database before new ones are refused with 503.',
    },
    OVERLOAD_MAX_DELAY_MS: {
      number: 300,
      range: [10, 60_000],
      about:
        'The longest time, in milliseconds, that a request should take. New ones are refused with 503 while a tenth of the accepted ones take longer.',
    },
  },
} as const satisfies SettingGroup;

export function readHttpSettings(settings: Settings): HttpSettings {
  const address = settings.read(ADDRESS_SETTINGS);
  const rate = settings.read(RATE_SETTINGS);
  const { TLS_CERT: certFile, TLS_KEY: keyFile } = address;
  settings.areSet(TLS, `is not set, but ${TLS.join(' and ')} must be set together. Set both, or neither.`);
  const { RATE_LIMIT_PER_SECOND: ratePerSecond } = rate;
  const rateBurst = rate.RATE_LIMIT_BURST ?? ratePerSecond * BURST_SECONDS;
  if (rateBurst < ratePerSecond) {
    settings.refuse(
      'RATE_LIMIT_BURST',
      'must not be less than RATE_LIMIT_PER_SECOND. Set a larger number, or unset it for five times RATE_LIMIT_PER_SECOND.',
    );
  }
  return {
    host: address.HOST,
    port: address.PORT,
    workers: address.WORKERS,
    tls: certFile && keyFile ? { certFile: resolve(certFile), keyFile: resolve(keyFile) } : null,
    publicUrl: address.PUBLIC_URL,
    trustedProxies: address.TRUSTED_PROXIES,
    corsOrigins: address.CORS_ORIGINS,
    shutdownGraceMs: address.SHUTDOWN_GRACE_MS,
    ratePerSecond,
    rateBurst,
    rateStore: rate.RATE_LIMIT_STORE,
    failedAuthPerMinute: rate.RATE_LIMIT_FAILED_AUTH_PER_MINUTE,
    maxWaiting: rate.OVERLOAD_MAX_WAITING,
    maxDelayMs: rate.OVERLOAD_MAX_DELAY_MS,
  };
}

function workersOf(text: string): number | null {
  if (text === 'auto') return Math.min(MAX_WORKERS, availableParallelism());
  const number = /^\d{1,2}$/.test(text) ? Number(text) : NaN;
  return number >= 1 && number <= MAX_WORKERS ? number : null;
}

function areProxies(proxies: readonly string[]): boolean {
  try {
    trustOf(proxies);
    return true;
  } catch {
    return false;
  }
}

function isWebOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}
