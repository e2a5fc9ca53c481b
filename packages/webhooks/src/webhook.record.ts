import { nextVersion, pick, positionAt, type Caller } from 'tillgate/noun';
import { newKeyPair, newSecret } from '../../../lib/standard-webhooks/standard-webhooks.js';
import {
  WEBHOOK_ENDPOINT_FIELDS,
  type WebhookDisabledReason,
  type WebhookEndpoint,
  type WebhookEndpointRead,
  type WebhookEndpointView,
  type WebhookSigning,
} from './webhook.entity.js';
import { WebhookEndpointNotFound } from './webhook.errors.js';
import type { WebhookEndpointPatch } from './webhook.inputs.js';

/** Throws `WebhookEndpointNotFound` for another program's endpoint, too. */
export function mustBeOf({ program }: Caller, onFile: WebhookEndpointRead | null): WebhookEndpointRead {
  if (onFile?.program !== program) throw new WebhookEndpointNotFound();
  return onFile;
}

export function merged(
  onFile: WebhookEndpointRead,
  patch: WebhookEndpointPatch,
  reason: WebhookDisabledReason = 'OPERATOR',
): WebhookEndpointView {
  const { url = onFile.url, description, types, accountIds, status = onFile.status } = patch;
  const isDisabled = status === 'DISABLED';
  return {
    ...shown(onFile),
    url,
    description: description === undefined ? onFile.description : description || null,
    types: types === undefined ? onFile.types : (types ?? []),
    accountIds: accountIds === undefined ? onFile.accountIds : (accountIds ?? []),
    status,
    disabledReason: isDisabled ? (onFile.disabledReason ?? reason) : null,
    failingSince: patch.status === 'ENABLED' ? null : onFile.failingSince,
    ...nextVersion(onFile),
  };
}

/** An endpoint that was read or found, as plain data without its secrets. */
export function shown(endpoint: Pick<WebhookEndpoint, 'endpointId' | 'url' | 'status'>): WebhookEndpointView {
  return pick<WebhookEndpointView>(endpoint, WEBHOOK_ENDPOINT_FIELDS);
}

/** Makes the key that signs, and for V1A the one with which anybody may verify. */
export function newKeyOf(signing: WebhookSigning): { readonly secret: string; readonly publicKey: string | null } {
  if (signing === 'V1') return { secret: newSecret(), publicKey: null };
  const { secretKey, publicKey } = newKeyPair();
  return { secret: secretKey, publicKey };
}

export function shownSecret({ signing }: WebhookEndpointView, secret: string): string | null {
  return signing === 'V1' ? secret : null;
}

/** Where an endpoint stands in the list, as its cursor says. */
export function placeOf({ createdAt, endpointId }: WebhookEndpointView): string {
  return positionAt({ at: createdAt, id: endpointId });
}
