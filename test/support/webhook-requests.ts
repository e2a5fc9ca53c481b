import { headersOf, newKeyPair, newSecret, signerOf } from '../../lib/standard-webhooks/standard-webhooks.js';

export interface WebhookRequest {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer<ArrayBuffer>;
}

export const EVENT = {
  type: 'card.frozen',
  timestamp: '2026-03-31T18:05:00.000Z',
  data: { last4: '1111', note: 'Ünal €' },
};

/** A request as the gateway signs it: `evt_1042` and now, unless the changes say otherwise. */
export function signedRequest(
  keys: readonly string[],
  { body = Buffer.from(JSON.stringify(EVENT)), timestampSeconds = Math.floor(Date.now() / 1000) } = {},
): WebhookRequest {
  return { headers: headersOf({ id: 'evt_1042', timestampSeconds, body }, keys.map(signerOf)), body };
}

/**
 * A request whose id and timestamp are any texts, signed all the same: by somebody who knows the key, or a signer with
 * a mistake.
 */
export function carelesslySigned(
  key: string,
  { id = 'evt_1042', timestamp = String(Math.floor(Date.now() / 1000)), body = Buffer.from(JSON.stringify(EVENT)) },
): WebhookRequest {
  const [first = '', ...rest] = `${id}.${timestamp}`.split('.');
  // The library signs no such id: what it signs is the same text, cut at another dot.
  const [seconds = '', ...others] = rest;
  const shifted = Buffer.concat([Buffer.from(others.length > 0 ? `${others.join('.')}.` : ''), body]);
  const signature = signerOf(key).sign({ id: first, timestampSeconds: Number(seconds), body: shifted });
  return { headers: { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature }, body };
}

const DAY_SECONDS = 86_400;

/** Requests that no receiver may believe, for a `whsec_` and a `whsk_` key alike. */
export const FALSE_REQUESTS: readonly (readonly [what: string, make: (key: string) => WebhookRequest])[] = [
  ['another body', key => ({ ...signedRequest([key]), body: Buffer.from('{"type":"card.closed","data":{}}') })],
  [
    'a body with a byte more',
    key => changed(key, ({ headers, body }) => ({ headers, body: Buffer.concat([body, Buffer.from(' ')]) })),
  ],
  ['another id', key => withHeaders(key, { 'webhook-id': 'evt_1043' })],
  ['another time', key => withHeaders(key, { 'webhook-timestamp': String(Math.floor(Date.now() / 1000) - 1) })],
  ['no id', key => withHeaders(key, { 'webhook-id': undefined })],
  ['no time', key => withHeaders(key, { 'webhook-timestamp': undefined })],
  ['no signature', key => withHeaders(key, { 'webhook-signature': undefined })],
  ['an empty signature', key => withHeaders(key, { 'webhook-signature': '' })],
  ['a signature without its text', key => withHeaders(key, { 'webhook-signature': 'v1, v1a, v1 ,' })],
  ['a short signature', key => withHeaders(key, { 'webhook-signature': 'v1,AAAA v1a,AAAA' })],
  ['the signature of another key', () => signedRequest([newSecret(), newKeyPair().secretKey])],
  ['the signature of another version', key => withSignature(key, text => text.replace(/^v1a?/, 'v2'))],
  ['a signature whose version has another case', key => withSignature(key, text => text.replace('v', 'V'))],
  ['a signature that is cut', key => withSignature(key, text => text.slice(0, -4))],
  ['a signature after ten others', key => withSignature(key, text => `${'v1,AAAA '.repeat(10)}${text}`)],
  ['a time of 1970', key => signedRequest([key], { timestampSeconds: 0 })],
  ['a time a day ago', key => signedRequest([key], { timestampSeconds: Math.floor(Date.now() / 1000) - DAY_SECONDS })],
  ['a time in a day', key => signedRequest([key], { timestampSeconds: Math.floor(Date.now() / 1000) + DAY_SECONDS })],
  ['a time that is none', key => withHeaders(key, { 'webhook-timestamp': 'now' })],
  [
    'a time in another form',
    key =>
      changed(key, one => ({
        ...one,
        headers: { ...one.headers, 'webhook-timestamp': `${one.headers['webhook-timestamp']}.0` },
      })),
  ],
  [
    'a time with a sign',
    key =>
      changed(key, one => ({
        ...one,
        headers: { ...one.headers, 'webhook-timestamp': `+${one.headers['webhook-timestamp']}` },
      })),
  ],
  ['an id with a dot', key => carelesslySigned(key, { id: `evt_1042.${Math.floor(Date.now() / 1000)}` })],
];

function changed(key: string, change: (request: WebhookRequest) => WebhookRequest): WebhookRequest {
  return change(signedRequest([key]));
}

function withHeaders(key: string, headers: WebhookRequest['headers']): WebhookRequest {
  return changed(key, request => ({ ...request, headers: { ...request.headers, ...headers } }));
}

function withSignature(key: string, change: (signature: string) => string): WebhookRequest {
  return changed(key, ({ headers, body }) => ({
    headers: { ...headers, 'webhook-signature': change(String(headers['webhook-signature'])) },
    body,
  }));
}

const base64 = (bytes: number): string => Buffer.alloc(bytes, 7).toString('base64');

/** What is no key to verify with. */
export const FALSE_KEYS = [
  '',
  'secret',
  'whsec_',
  'whsec_%%%',
  'whpk_',
  `whsk_${base64(64)}`,
  `WHSEC_${base64(32)}`,
  base64(32),
  ...[1, 16, 23, 65, 1024].map(bytes => `whsec_${base64(bytes)}`),
  ...[1, 31, 33, 64].map(bytes => `whpk_${base64(bytes)}`),
  `whsec_${base64(32).replace('=', '')}`,
  `whsec_ ${base64(32)}`,
  `whsec_${base64(32)}\n`,
  `whsec_${base64(33)}\n`,
  `whsec_${base64(33).replaceAll('B', '-')}`,
];
