import type { KnownEvent } from './generated/events.js';

/** The event that a webhook brings, with its id, which stays the same when it is sent again. */
export type WebhookEvent = KnownEvent & { readonly id: string };

/**
 * The request does not come from the gateway, was changed on its way, or is an old one that is sent again. Answer it
 * with 400.
 */
export class WebhookNotVerified extends Error {
  override readonly name = 'WebhookNotVerified';
}

export interface Webhook {
  /**
   * The headers of a `Request`, of Node's `IncomingMessage`, or of a function in a cloud: the case of names does not
   * matter.
   */
  readonly headers: Pick<Headers, 'get'> | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body as it came. JSON that was parsed and written again is other bytes. */
  readonly body: string | Uint8Array<ArrayBuffer> | ArrayBuffer;
  /**
   * The secrets of the endpoint (`whsec_`, HMAC) or its public keys (`whpk_`, Ed25519), at most ten. One of them has to
   * fit.
   */
  readonly secrets: string | readonly string[];
  /**
   * The most by which the time of the attempt may differ from now: more than 0 and at most 86,400, five minutes if
   * absent.
   */
  readonly toleranceSeconds?: number;
}

const TOLERANCE_SECONDS = 5 * 60;
/** A caught request can be sent again for so long, so a receiver has to remember ids for longer than that. */
const MAX_TOLERANCE_SECONDS = 24 * 60 * 60;
const MAX_SECRETS = 10;
/** A message has few signatures: one with each secret while it is replaced. */
const MAX_SIGNATURES = 10;

/**
 * The form of ids. The signed parts have dots between them: an id with a dot could pass for another id and timestamp.
 */
const ID = /^[\w-]{1,128}$/;
const TIMESTAMP = /^\d{1,12}$/;

/** The kinds of keys: the version of their signatures, the algorithm, and how many bytes a key has. */
const KINDS = {
  whsec_: { version: 'v1', algorithm: { name: 'HMAC', hash: 'SHA-256' }, least: 24, most: 64 },
  whpk_: { version: 'v1a', algorithm: { name: 'Ed25519' }, least: 32, most: 32 },
} as const;

/**
 * Verifies a webhook (Standard Webhooks 1.0.0), and gives its event. Throws `WebhookNotVerified`, and a `TypeError` for
 * what the receiver itself gets wrong: a key, the tolerance, a body that was parsed. An event may come more than once:
 * keep its `id` with what you do about it.
 */
export async function verifyWebhook({
  headers,
  body,
  secrets,
  toleranceSeconds = TOLERANCE_SECONDS,
}: Webhook): Promise<WebhookEvent> {
  // Written so that NaN is refused: each comparison with it is false.
  if (!(typeof toleranceSeconds === 'number' && toleranceSeconds > 0 && toleranceSeconds <= MAX_TOLERANCE_SECONDS)) {
    throw new TypeError('toleranceSeconds must be a number above 0 and at most 86400.');
  }
  const content = contentOf(body);
  const keys = await keysOf(secrets);
  const id = headerOf(headers, 'webhook-id');
  if (!ID.test(id)) throw new WebhookNotVerified('The header webhook-id is not an id of the gateway.');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  if (!TIMESTAMP.test(timestamp) || !(Math.abs(Date.now() / 1000 - Number(timestamp)) <= toleranceSeconds)) {
    throw new WebhookNotVerified('The timestamp is too old, or in the future.');
  }
  const signatures = headerOf(headers, 'webhook-signature').split(' ').slice(0, MAX_SIGNATURES);
  const prefix = new TextEncoder().encode(`${id}.${timestamp}.`);
  const signed = new Uint8Array(prefix.length + content.length);
  signed.set(prefix);
  signed.set(content, prefix.length);
  for (const verify of keys) {
    for (const signature of signatures) {
      // The id comes last: it is the one that was signed, whatever the body has.
      if (await verify(signature, signed)) return { ...eventIn(content), id };
    }
  }
  throw new WebhookNotVerified('No signature is right.');
}

function headerOf(headers: Webhook['headers'], name: string): string {
  const values = typeof headers.get === 'function' ? [headers.get(name)] : valuesOf(headers, name);
  // A header that is there twice could be read as one by a proxy, and as the other here.
  if (values.length > 1) throw new WebhookNotVerified(`The header ${name} is there more than once.`);
  const [value] = values;
  if (typeof value !== 'string') throw new WebhookNotVerified(`The header ${name} is missing.`);
  return value;
}

function valuesOf(headers: object, name: string): unknown[] {
  const all: (readonly [string, unknown])[] = Object.entries(headers);
  return all.filter(([key]) => key.toLowerCase() === name).flatMap(([, value]) => value);
}

function contentOf(body: unknown): Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  // The tag knows the bytes of another realm, such as that of a test or of a frame, which `instanceof` does not.
  const tag = Object.prototype.toString.call(body);
  if (tag === '[object Uint8Array]') return body as Uint8Array<ArrayBuffer>;
  if (tag === '[object ArrayBuffer]') return new Uint8Array(body as ArrayBuffer);
  throw new TypeError('body must be the text or the bytes of the request as they came, and not what was parsed of it.');
}

/** The event of a body that was signed. */
function eventIn(content: Uint8Array<ArrayBuffer>): KnownEvent {
  try {
    const event: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(content));
    if (event !== null && typeof event === 'object' && 'type' in event) return event as KnownEvent;
  } catch {
    // It is not JSON.
  }
  throw new WebhookNotVerified('The body is signed, and is not an event.');
}

type Verifier = (signature: string, signed: Uint8Array<ArrayBuffer>) => Promise<boolean>;

function keysOf(secrets: Webhook['secrets']): Promise<Verifier[]> {
  const list: readonly unknown[] = [secrets].flat();
  if (list.length === 0 || list.length > MAX_SECRETS) throw new TypeError('secrets must be one to ten keys.');
  return Promise.all(list.map(verifierOf));
}

/** WebCrypto compares in constant time. */
async function verifierOf(secret: unknown): Promise<Verifier> {
  const [, prefix, base64 = ''] = /^(whsec_|whpk_)(.+)$/.exec(typeof secret === 'string' ? secret : '') ?? [];
  const kind = prefix && KINDS[prefix as keyof typeof KINDS];
  const bytes = bytesOf(base64);
  if (!kind || !bytes || bytes.length < kind.least || bytes.length > kind.most) {
    throw new TypeError('A key must be whsec_ with the base64 of 24 to 64 bytes, or whpk_ with that of 32 bytes.');
  }
  const { version, algorithm } = kind;
  const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify']);
  return async (signature, signed) => {
    const [of, text = ''] = signature.split(',', 2);
    const given = bytesOf(text);
    return of === version && given !== undefined && crypto.subtle.verify(algorithm, key, given, signed);
  };
}

/** Undefined if it is not base64 as it is written: `atob` takes spaces, and does without padding. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const text = atob(base64);
    return text !== '' && btoa(text) === base64
      ? Uint8Array.from(text, character => character.charCodeAt(0))
      : undefined;
  } catch {
    return undefined;
  }
}
