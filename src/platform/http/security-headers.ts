import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet, { type HelmetOptions } from 'helmet';

const YEAR_SECONDS = 365 * 24 * 3600;

const COMMON: HelmetOptions = {
  // For a browser over TLS, here or at a proxy in front. Other names of the operator's are none of our business.
  strictTransportSecurity: { maxAge: YEAR_SECONDS, includeSubDomains: false },
  xFrameOptions: { action: 'deny' },
  // Of use to browsers that nobody has any more, or to pages with links.
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
};

const NOTHING = { defaultSrc: ["'none'"], baseUri: ["'none'"], formAction: ["'none'"], frameAncestors: ["'none'"] };

/** For data: no browser may run, frame or guess anything in it. Made once, as the hot path sends them with every answer. */
export const API_HEADERS: Readonly<Record<string, string>> = headersOf({
  ...COMMON,
  crossOriginOpenerPolicy: false,
  contentSecurityPolicy: {
    useDefaults: false,
    directives: NOTHING,
  },
});

/** What a page needs beyond what data may: from where its scripts, styles and the rest come. */
export interface PageRights {
  readonly scriptSrc?: readonly string[];
  readonly styleSrc: readonly string[];
  readonly imgSrc: readonly string[];
  readonly fontSrc?: readonly string[];
  readonly workerSrc?: readonly string[];
  readonly frameSrc?: readonly string[];
  readonly connectSrc?: readonly string[];
}

export function pageHeaders(rights: PageRights): Record<string, string> {
  return headersOf({
    ...COMMON,
    // A page that opens one of ours gets no hold of it, nor of the token in it; Sandbox opens windows itself, to sign in at Apollo.
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
    contentSecurityPolicy: { useDefaults: false, directives: { ...NOTHING, ...rights } },
  });
}

/** What the middleware would set. */
function headersOf(options: HelmetOptions): Record<string, string> {
  const headers: Record<string, string> = {};
  const response = {
    setHeader: (name: string, value: string) => (headers[name] = value),
    removeHeader: () => undefined,
  };
  helmet(options)({} as IncomingMessage, response as unknown as ServerResponse, () => undefined);
  return headers;
}
