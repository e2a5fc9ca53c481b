import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import cors from 'cors';
import helmet, { type HelmetOptions } from 'helmet';
import Negotiator from 'negotiator';
import { Refusal } from '../../shared/errors.js';
import { isLoopback } from '../settings/safe-address.js';

/** True if a browser asks for a page: programs prefer JSON, or like it as well. */
export function asksForPage(request: IncomingMessage): boolean {
  const { method } = request;
  if (method !== 'GET' && method !== 'HEAD') return false;
  return new Negotiator(request).mediaType(['application/json', 'text/html']) === 'text/html';
}

/** True if a page sent the request, not a program: browsers send the page's origin with all but plain reads. */
export function isOfPage({ headers }: IncomingMessage): boolean {
  return headers.origin !== undefined;
}

/** The `Host` of the request is a foreign name that leads to this machine. */
export class Misdirected extends Refusal {
  readonly code = 'misdirected';
  constructor() {
    super(
      'Pages with a token of the development issuer are served only at localhost, at an IP address, and at the name in HOST. Use one of these.',
    );
  }
}

/**
 * Throws `Misdirected` unless the request's `Host` is an IP address, a name of this machine, or `listening`. A foreign
 * page can make its own name lead here and so share our origin (DNS rebinding), but it cannot change that name.
 */
export function requireOwnHost({ headers }: IncomingMessage, listening: string): void {
  const address = `http://${headers.host ?? ''}`;
  const hostname = URL.canParse(address) ? new URL(address).hostname : '';
  const isAddress = isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0;
  if (isAddress || isLoopback(hostname) || hostname === listening.toLowerCase()) return;
  throw new Misdirected();
}

/** A page of an origin that is not allowed opened a WebSocket. */
export class OriginNotAllowed extends Refusal {
  readonly code = 'origin_not_allowed';
  constructor() {
    super('Pages of this origin may not open a WebSocket. The operator of the gateway allows origins by CORS_ORIGINS.');
  }
}

/** Throws `OriginNotAllowed`. Browsers let every page open a WebSocket and read it, and only tell us its origin. */
export function refuseForeignPage({ headers }: IncomingMessage, origins: readonly string[]): void {
  const { origin, host } = headers;
  if (origin === undefined || origins.includes(origin)) return;
  if (URL.canParse(origin) && new URL(origin).host === host) return;
  throw new OriginNotAllowed();
}

/** Another page than one of the gateway's own sent the request, or a program did. */
class ForeignPage extends Refusal {
  readonly code = 'foreign_page';
  constructor() {
    super('The request must come from the console itself. Open `/console`, or use the API with an access token.');
  }
}

const READING = ['GET', 'HEAD'];

/**
 * Throws `ForeignPage` unless a page of this very host sent the request, or it only reads and no page of another host
 * sent it. Browsers say it by `Sec-Fetch-Site`, which no page can forge, and older ones by `Origin`.
 */
export function requireOwnPage({ method = '', headers }: IncomingMessage): void {
  const { origin, host, 'sec-fetch-site': site } = headers;
  if (site === 'same-origin') return;
  const isOwn = origin !== undefined && URL.canParse(origin) && new URL(origin).host === host;
  if (site === undefined && isOwn) return;
  // The address was typed, or a page without an origin links to it.
  if (READING.includes(method) && (site === 'none' || (site === undefined && origin === undefined))) return;
  throw new ForeignPage();
}

const PREFLIGHT_SECONDS = 600;
const READABLE_HEADERS =
  'X-Request-Id Idempotent-Replayed Retry-After RateLimit RateLimit-Policy Location ETag Content-Disposition WWW-Authenticate DPoP-Nonce x-fapi-interaction-id Tillgate-Position';

/**
 * CORS for these origins, and null for none: sets the headers, and gives true for a preflight, which it answers. A page
 * sends its token itself, so credentials such as cookies are never allowed. A preflight has no token and needs none.
 */
export function crossOriginOf(
  origins: readonly string[],
): ((request: IncomingMessage, response: ServerResponse) => boolean) | null {
  if (origins.length === 0) return null;
  const apply = cors<IncomingMessage>({
    origin: [...origins],
    methods: ['GET', 'QUERY', 'POST', 'PATCH', 'DELETE'],
    allowedHeaders: [
      'Authorization',
      'DPoP',
      'Content-Type',
      'X-Idempotency-Key',
      'Idempotency-Key',
      'X-Request-Id',
      'x-fapi-interaction-id',
      'Tillgate-Position',
      'If-Match',
      'If-None-Match',
      'Apollo-Require-Preflight',
      'X-Apollo-Operation-Name',
    ],
    exposedHeaders: READABLE_HEADERS.split(' '),
    maxAge: PREFLIGHT_SECONDS,
    preflightContinue: true,
  });
  return (request, response) => {
    apply(request, response, () => undefined);
    // Without the name of a method it is no preflight (Fetch, 4.8), and asks what the path allows.
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return false;
    response.writeHead(204, { 'Content-Length': 0 }).end();
    return true;
  };
}

const YEAR_SECONDS = 365 * 24 * 3600;

const COMMON: HelmetOptions = {
  // For a browser over TLS, here or at a proxy. Other names of the operator are not ours to decide about.
  strictTransportSecurity: { maxAge: YEAR_SECONDS, includeSubDomains: false },
  xFrameOptions: { action: 'deny' },
  // These serve browsers that are gone, or pages with links.
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
};

const NOTHING = { defaultSrc: ["'none'"], baseUri: ["'none'"], formAction: ["'none'"], frameAncestors: ["'none'"] };

/**
 * For data: no browser may run, frame or guess anything in it. Data has no links, forms and relative addresses, so what
 * is said of those would be of no use. Made once, as every answer has them.
 */
export const API_HEADERS: Readonly<Record<string, string>> = headersOf({
  ...COMMON,
  crossOriginOpenerPolicy: false,
  referrerPolicy: false,
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
});

/**
 * For a document that a page of ours shows in a frame. Browsers show a PDF by a page of their own, whose style and
 * plug-in the policy of the document decides about.
 */
export const FRAMED_HEADERS: Readonly<Record<string, string>> = headersOf({
  ...COMMON,
  crossOriginOpenerPolicy: false,
  xFrameOptions: { action: 'sameorigin' },
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { ...NOTHING, frameAncestors: ["'self'"], objectSrc: ["'self'"], styleSrc: ["'unsafe-inline'"] },
  },
});

/** Where a page may load its scripts, styles and the rest from. */
export interface PageRights {
  readonly scriptSrc?: readonly string[];
  readonly styleSrc?: readonly string[];
  readonly imgSrc?: readonly string[];
  readonly fontSrc?: readonly string[];
  readonly workerSrc?: readonly string[];
  readonly frameSrc?: readonly string[];
  readonly connectSrc?: readonly string[];
  readonly formAction?: readonly string[];
  readonly requireTrustedTypesFor?: readonly ["'script'"];
}

export function pageHeaders(
  rights: PageRights,
  // A page that opens one of ours gets no access to it and its token. Sandbox opens windows itself, to sign in at
  // Apollo.
  openers: 'same-origin' | 'same-origin-allow-popups' = 'same-origin-allow-popups',
): Record<string, string> {
  return headersOf({
    ...COMMON,
    crossOriginOpenerPolicy: { policy: openers },
    contentSecurityPolicy: { useDefaults: false, directives: { ...NOTHING, ...rights } },
  });
}

/** The headers that the middleware would set. */
function headersOf(options: HelmetOptions): Record<string, string> {
  const headers: Record<string, string> = {};
  const response = {
    setHeader: (name: string, value: string) => (headers[name] = value),
    removeHeader: () => undefined,
  };
  helmet(options)({} as IncomingMessage, response as unknown as ServerResponse, () => undefined);
  return headers;
}
