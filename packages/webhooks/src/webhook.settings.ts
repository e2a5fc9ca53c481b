import type { SettingGroup, Settings } from 'tillgate/noun';
import { AddressGuard } from '../../../lib/guarded-connect/address-guard.js';
import { RETRY_SECONDS } from './delivery/schedule.js';

/** The settings of the delivery of events to webhook endpoints. */
export interface WebhookSettings {
  /** True if this process takes part in delivering. */
  readonly takesPart: boolean;
  /** True if endpoints may be on this machine, also without TLS. */
  readonly allowLoopback: boolean;
  /** Private nets that endpoints may be in. */
  readonly allowNets: readonly string[];
  /** The address of a proxy that connects to endpoints in place of this process. */
  readonly proxyUrl: string | null;
  /** The pauses between the attempts of a delivery. */
  readonly retrySeconds: readonly number[];
}

export const WEBHOOK_SETTINGS = {
  heading: 'Webhooks',
  settings: {
    WEBHOOKS: {
      flag: true,
      about:
        'Lets this process take part in delivering events to webhook endpoints. At least one of all processes has to.',
    },
    WEBHOOK_ALLOW_NETS: {
      list: 100,
      areValid: areNets,
      problem:
        'must be a list of nets, separated by commas. Set a list such as 10.20.0.0/16,fd00:20::/32, or unset it.',
      about: 'The private nets that webhook endpoints may be in, separated by commas.',
      unset: 'public addresses alone',
      example: '10.20.0.0/16,fd00:20::/32',
    },
    WEBHOOK_ALLOW_LOOPBACK: {
      flag: false,
      refusedInProduction: 'webhooks to this machine are',
      about:
        'Allows webhook endpoints on this machine, also by http. It is for development, and refused in production.',
    },
    WEBHOOK_PROXY_URL: {
      text: null,
      isValid: isProxy,
      problem:
        'must be the address of an HTTP proxy without a path. Set an address such as http://user:password@proxy.internal:3128, with special characters percent-encoded, or unset it.',
      about:
        'An HTTP proxy that connects to webhook endpoints (CONNECT). It resolves their names, so it must refuse private addresses itself.',
      example: 'http://user:password@proxy.internal:3128',
    },
  },
} as const satisfies SettingGroup;

export function readWebhookSettings(settings: Settings): WebhookSettings {
  const read = settings.read(WEBHOOK_SETTINGS);
  return {
    takesPart: read.WEBHOOKS,
    allowLoopback: read.WEBHOOK_ALLOW_LOOPBACK,
    allowNets: read.WEBHOOK_ALLOW_NETS,
    proxyUrl: read.WEBHOOK_PROXY_URL,
    retrySeconds: RETRY_SECONDS,
  };
}

function areNets(nets: readonly string[]): boolean {
  try {
    AddressGuard.check(nets);
    return true;
  } catch {
    return false;
  }
}

function isProxy(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url !== null && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.hash;
}
