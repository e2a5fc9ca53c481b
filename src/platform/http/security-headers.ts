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

/** For data: no browser may run, frame or guess anything in it. Made once, as the hot path sends them with every answer. */
export const API_HEADERS: Readonly<Record<string, string>> = headersOf({
  ...COMMON,
  crossOriginOpenerPolicy: false,
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], baseUri: ["'none'"], formAction: ["'none'"], frameAncestors: ["'none'"] },
  },
});

const APOLLO_SCRIPTS = [
  'https://apollo-server-landing-page.cdn.apollographql.com',
  'https://embeddable-sandbox.cdn.apollographql.com',
  'https://embeddable-explorer.cdn.apollographql.com',
];

/** For the landing page of the GraphQL door, which brings Apollo's tools in, with the nonce of its own scripts. */
export function landingPageHeaders(html: string): Record<string, string> {
  const [, nonce = 'none'] = /\bnonce="([0-9a-f]+)"/.exec(html) ?? [];
  return headersOf({
    ...COMMON,
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: [`'nonce-${nonce}'`, ...APOLLO_SCRIPTS],
        styleSrc: [`'nonce-${nonce}'`, ...APOLLO_SCRIPTS, 'https://fonts.googleapis.com'],
        fontSrc: ['https://fonts.gstatic.com'],
        imgSrc: ['https://apollo-server-landing-page.cdn.apollographql.com'],
        manifestSrc: ['https://apollo-server-landing-page.cdn.apollographql.com'],
        frameSrc: ['https://sandbox.embed.apollographql.com', 'https://explorer.embed.apollographql.com'],
        connectSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
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
