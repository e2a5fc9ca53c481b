import { raw } from '@mikro-orm/core';
import { sealIdentity, type Database, type KeyRing } from 'tillgate/noun';
import { signerOf, type Signer } from '../../../../lib/standard-webhooks/standard-webhooks.js';
import {
  WebhookEndpoint,
  type WebhookEndpointRead,
  type WebhookEndpointStatus,
  type WebhookSecrets,
} from '../webhook.entity.js';
import type { WebhookRepository } from '../webhook.repository.js';

/** The part of an endpoint that sending needs to know. */
export interface Endpoint {
  readonly endpointId: string;
  readonly program: string;
  readonly url: string;
  readonly status: WebhookEndpointStatus;
  readonly version: number;
  readonly current: Signer;
  /** Signs as well until `previousUntilMs`. */
  readonly previous: Signer | null;
  readonly previousUntilMs: number;
  /** On record; null if the last attempt succeeded. In milliseconds since 1970. */
  readonly failingSinceMs: number | null;
}

/** Reads endpoints by their ids. One whose secrets cannot be opened is left out, and told of. */
export async function readEndpoints(
  database: Database,
  repository: WebhookRepository,
  endpointIds: readonly string[],
  unreadable: (endpointId: string, error: unknown) => void,
): Promise<Endpoint[]> {
  if (endpointIds.length === 0) return [];
  const endpoints = await repository.each(
    database,
    endpointIds.map(endpointId => [endpointId]),
  );
  return endpoints.flatMap(read => {
    if (!read) return [];
    try {
      return [endpointOf(read)];
    } catch (error) {
      unreadable(read.endpointId, error);
      return [];
    }
  });
}

/** Returns the signers of a message now. */
export function signersOf({ current, previous, previousUntilMs }: Endpoint, nowMs: number): Signer[] {
  return previous && nowMs < previousUntilMs ? [current, previous] : [current];
}

function endpointOf(read: WebhookEndpointRead): Endpoint {
  const { endpointId, program, url, status, version, secrets, previousValidUntil, failingSince } = read;
  return {
    endpointId,
    program,
    url,
    status,
    version,
    current: signerOf(secrets.current),
    previous: secrets.previous === null ? null : signerOf(secrets.previous),
    previousUntilMs: previousValidUntil === null ? 0 : Date.parse(previousValidUntil),
    failingSinceMs: failingSince === null ? null : Date.parse(failingSince),
  };
}

/** Records since when endpoints fail. */
export async function writeFailing(
  database: Database,
  failing: readonly Pick<Endpoint, 'endpointId' | 'failingSinceMs'>[],
): Promise<void> {
  const em = database.primary();
  for (const { endpointId, failingSinceMs: ms } of failing) {
    const failingSince = ms === null ? null : new Date(ms);
    await em.nativeUpdate(WebhookEndpoint, { endpointId, status: 'ENABLED' }, { failingSince });
  }
}

const MAX_FORGOTTEN_AT_ONCE = 100;

/**
 * Erases secrets that were replaced and sign no longer. Those of a row that changed meanwhile stay until the next time.
 */
export async function forgetReplacedSecrets(database: Database, keys: KeyRing): Promise<void> {
  const em = database.primary();
  const replaced = { previousValidUntil: { $lt: raw('now()') } };
  const found = await em.find(WebhookEndpoint, replaced, {
    fields: ['endpointId', 'sealed'],
    limit: MAX_FORGOTTEN_AT_ONCE,
  });
  for (const { endpointId, sealed } of found) {
    const identity = sealIdentity('webhook_endpoint', [endpointId]);
    const secrets: WebhookSecrets = { ...keys.open<WebhookSecrets>(identity, sealed), previous: null };
    const kept = { sealed: keys.seal(identity, secrets), previousValidUntil: null };
    await em.nativeUpdate(WebhookEndpoint, { endpointId, sealed }, kept);
  }
}
