import type { KnownEvent } from './generated/events.js';

/** What a webhook brings, with the id of the event, which stays the same when it is sent again. */
export type WebhookEvent = KnownEvent & { readonly id: string };

/** The request is not one of the gateway, or somebody changed it, or sends an old one again. Answer it with 400. */
export class WebhookNotVerified extends Error {
  override readonly name = 'WebhookNotVerified';
}

export interface Webhook {
  /** Of a `Request`, or of Node's `IncomingMessage`. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body as it came. JSON that was parsed and written again is other bytes. */
  readonly body: string | Uint8Array<ArrayBuffer> | ArrayBuffer;
  /** The secrets of the endpoint (`whsec_`) or its public keys (`whpk_`). One of them has to fit. */
  readonly secrets: string | readonly string[];
  /** How far the time of the attempt may be from now. */
  readonly toleranceSeconds?: number;
}

const TOLERANCE_SECONDS = 5 * 60;
/** A message has few signatures: one with each secret while it is replaced. */
const MAX_SIGNATURES = 10;

/**
 * Verifies a webhook (Standard Webhooks 1.0.0), and gives its event. Throws `WebhookNotVerified`, and a `TypeError` if a secret is
 * none. An event may come more than once: keep its `id` with what you do about it.
 */
export async function verifyWebhook({
  headers,
  body,
  secrets,
  toleranceSeconds = TOLERANCE_SECONDS,
}: Webhook): Promise<WebhookEvent> {
  const header = (name: string): string => {
    const value = headers instanceof Headers ? headers.get(name) : headers[name];
    if (typeof value !== 'string') throw new WebhookNotVerified(`The header ${name} is missing.`);
    return value;
  };
  const id = header('webhook-id');
  const timestamp = header('webhook-timestamp');
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(Date.now() / 1000 - Number(timestamp)) > toleranceSeconds) {
    throw new WebhookNotVerified('The timestamp is too old, or in the future.');
  }
  const content = typeof body === 'string' ? new TextEncoder().encode(body) : new Uint8Array(body);
  const prefix = new TextEncoder().encode(`${id}.${timestamp}.`);
  const signed = new Uint8Array(prefix.length + content.length);
  signed.set(prefix);
  signed.set(content, prefix.length);
  const signatures = header('webhook-signature').split(' ').slice(0, MAX_SIGNATURES);
  for (const secret of [secrets].flat()) {
    const verify = await verifierOf(secret);
    for (const signature of signatures) {
      if (!(await verify(signature, signed))) continue;
      return { id, ...(JSON.parse(new TextDecoder().decode(content)) as KnownEvent) };
    }
  }
  throw new WebhookNotVerified('No signature is right.');
}

/** WebCrypto compares in constant time. */
async function verifierOf(secret: string) {
  const [, kind, base64 = ''] = /^(whsec|whpk)_(.+)$/.exec(secret) ?? [];
  const bytes = bytesOf(base64);
  if (!kind || !bytes) throw new TypeError('A secret must begin with whsec_ or whpk_, and base64 must follow.');
  const [version, algorithm] =
    kind === 'whsec' ? ['v1', { name: 'HMAC', hash: 'SHA-256' }] : ['v1a', { name: 'Ed25519' }];
  const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify']);
  return async (signature: string, signed: Uint8Array<ArrayBuffer>): Promise<boolean> => {
    const [of, text = ''] = signature.split(',', 2);
    const given = bytesOf(text);
    return of === version && given !== undefined && crypto.subtle.verify(algorithm, key, given, signed);
  };
}

/** Undefined if it is no base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), character => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
