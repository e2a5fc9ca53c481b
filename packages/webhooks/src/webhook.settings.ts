import { AddressGuard } from '../../../lib/guarded-connect/address-guard.js';
import { RETRY_SECONDS } from './delivery/schedule.js';

/** Whether and how events are delivered to webhook endpoints. */
export interface WebhookSettings {
  /** Whether this process takes part in delivering. */
  readonly takesPart: boolean;
  /** Whether endpoints may be on this machine, also without TLS. */
  readonly allowLoopback: boolean;
  /** Private nets that endpoints may be in. */
  readonly allowNets: readonly string[];
  /** What connects to endpoints in place of this process. */
  readonly proxyUrl: string | null;
  /** The pauses between the attempts of a delivery. */
  readonly retrySeconds: readonly number[];
}

interface Reader {
  text(name: string): string | null;
  choice<T extends string>(name: string, choices: readonly T[], fallback: T): T;
  refuse(name: string, problem: string): void;
}

const MAX_NETS = 100;

export function readWebhookSettings(settings: Reader, production: boolean): WebhookSettings {
  const allowLoopback = settings.choice('WEBHOOK_ALLOW_LOOPBACK', ['true', 'false'], 'false') === 'true';
  if (allowLoopback && production) {
    settings.refuse(
      'WEBHOOK_ALLOW_LOOPBACK',
      'is true, and webhooks to this machine are refused in production. Unset it.',
    );
  }
  return {
    takesPart: settings.choice('WEBHOOKS', ['true', 'false'], 'true') === 'true',
    allowLoopback,
    allowNets: readNets(settings),
    proxyUrl: readProxyUrl(settings),
    retrySeconds: RETRY_SECONDS,
  };
}

function readNets(settings: Reader): readonly string[] {
  const nets = (settings.text('WEBHOOK_ALLOW_NETS') ?? '')
    .split(',')
    .map(net => net.trim())
    .filter(net => net !== '');
  try {
    if (nets.length > MAX_NETS) throw new RangeError('there are too many');
    AddressGuard.check(nets);
    return nets;
  } catch {
    settings.refuse(
      'WEBHOOK_ALLOW_NETS',
      `must be a list of at most ${MAX_NETS} nets, separated by commas. Set a list such as 10.20.0.0/16,fd00:20::/32, or unset it.`,
    );
    return [];
  }
}

function readProxyUrl(settings: Reader): string | null {
  const text = settings.text('WEBHOOK_PROXY_URL');
  if (text === null) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  const isProxy = url !== null && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.hash;
  if (isProxy) return text;
  settings.refuse(
    'WEBHOOK_PROXY_URL',
    'must be the address of an HTTP proxy without a path. Set an address such as http://user:password@proxy.internal:3128, with special characters percent-encoded, or unset it.',
  );
  return null;
}
