import { resolve } from 'node:path';
import { isSafeAddress } from '../platform/auth/settings.js';
import { trustOf } from '../platform/http/client-address.js';
import type { Settings } from './settings.js';

/** Who may use HTTP, how, and how much of it. */
export interface HttpSettings {
  /** null: plain HTTP, for a proxy that ends TLS in front. Absolute paths of PEM files. */
  tls: { certFile: string; keyFile: string } | null;
  /** Where clients find the gateway: an origin such as `https://gateway.bank.example`; null if it is not said. */
  publicUrl: string | null;
  /** Addresses and ranges of proxies whose `X-Forwarded-For` is believed. */
  trustedProxies: readonly string[];
  /** Origins of web pages that may read answers. */
  corsOrigins: readonly string[];
  /** How long a gateway that is told to stop still accepts, so that a load balancer can see that it is not ready. */
  shutdownGraceMs: number;
  /** Units that a client may use a second, sustained, and at once. */
  ratePerSecond: number;
  rateBurst: number;
  /** Where the units are counted: in each process, or in the database for all of them together. */
  rateStore: 'memory' | 'database';
  /** Access tokens that do not hold, from one address. */
  failedAuthPerMinute: number;
  /** How many requests may wait for the database, or be late, before new ones are refused. */
  maxWaiting: number;
  /** How late a request may be before it counts as such. */
  maxDelayMs: number;
}

const MAX_LISTED = 100;
const BURST_SECONDS = 5;
/**
 * How long a load balancer takes to see that a process is not ready: Kubernetes asks, and tells its nodes, within
 * seconds.
 */
const PRODUCTION_GRACE_MS = 5000;

export function readHttpSettings(settings: Settings, production: boolean): HttpSettings {
  return {
    tls: readTls(settings),
    publicUrl: readPublicUrl(settings),
    trustedProxies: readTrustedProxies(settings),
    corsOrigins: readCorsOrigins(settings),
    shutdownGraceMs: settings.wholeNumber('SHUTDOWN_GRACE_MS', {
      fallback: production ? PRODUCTION_GRACE_MS : 0,
      least: 0,
      most: 60_000,
    }),
    ...readRate(settings),
    failedAuthPerMinute: settings.wholeNumber('RATE_LIMIT_FAILED_AUTH_PER_MINUTE', {
      fallback: 100,
      least: 1,
      most: 1_000_000,
    }),
    maxWaiting: settings.wholeNumber('OVERLOAD_MAX_WAITING', { fallback: 100, least: 1, most: 100_000 }),
    maxDelayMs: settings.wholeNumber('OVERLOAD_MAX_DELAY_MS', { fallback: 300, least: 10, most: 60_000 }),
  };
}

function readRate(settings: Settings): Pick<HttpSettings, 'ratePerSecond' | 'rateBurst' | 'rateStore'> {
  const ratePerSecond = settings.wholeNumber('RATE_LIMIT_PER_SECOND', { fallback: 1000, least: 1, most: 1_000_000 });
  const rateBurst = settings.wholeNumber('RATE_LIMIT_BURST', {
    fallback: ratePerSecond * BURST_SECONDS,
    least: 1,
    most: 100_000_000,
  });
  if (rateBurst < ratePerSecond) {
    settings.refuse(
      'RATE_LIMIT_BURST',
      'must not be less than RATE_LIMIT_PER_SECOND. Set a larger number, or unset it for five times RATE_LIMIT_PER_SECOND.',
    );
  }
  return { ratePerSecond, rateBurst, rateStore: settings.choice('RATE_LIMIT_STORE', ['memory', 'database'], 'memory') };
}

function readTls(settings: Settings): HttpSettings['tls'] {
  const names = ['TLS_CERT', 'TLS_KEY'] as const;
  const [certFile, keyFile] = names.map(name => settings.text(name));
  for (const name of names) {
    if (settings.text(name) === null && (certFile || keyFile)) {
      settings.refuse(name, `is not set, but ${names.join(' and ')} must be set together. Set both, or neither.`);
    }
  }
  return certFile && keyFile ? { certFile: resolve(certFile), keyFile: resolve(keyFile) } : null;
}

function readPublicUrl(settings: Settings): string | null {
  const url = settings.text('PUBLIC_URL');
  if (url !== null && !(isSafeAddress(url) && isWebOrigin(url))) {
    settings.refuse(
      'PUBLIC_URL',
      'must be the https address at which clients find the gateway, without a path, such as https://gateway.bank.example. http is allowed for a loopback host only.',
    );
  }
  return url;
}

function readTrustedProxies(settings: Settings): readonly string[] {
  const proxies = readList(settings, 'TRUSTED_PROXIES');
  try {
    trustOf(proxies);
  } catch {
    settings.refuse(
      'TRUSTED_PROXIES',
      'must be a list of IP addresses and ranges, separated by commas. Set a list such as 10.0.0.0/8,fd00::/8, or unset it.',
    );
  }
  return proxies;
}

function readCorsOrigins(settings: Settings): readonly string[] {
  const origins = readList(settings, 'CORS_ORIGINS');
  if (!origins.every(isWebOrigin)) {
    settings.refuse(
      'CORS_ORIGINS',
      'must be a list of origins without paths, separated by commas. Set a list such as https://app.example.com,https://admin.example.com, or unset it.',
    );
  }
  return origins;
}

function isWebOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

function readList(settings: Settings, name: string): readonly string[] {
  const entries = (settings.text(name) ?? '')
    .split(',')
    .map(entry => entry.trim())
    .filter(entry => entry !== '');
  if (entries.length > MAX_LISTED) {
    settings.refuse(name, `must have at most ${MAX_LISTED} entries. Remove some entries.`);
  }
  return entries;
}
