import type { Exchange } from '../http/exchange.js';
import type { Bundle } from './bundle.js';
import { sendPage } from './page.js';

export interface ReferenceOptions {
  readonly name: string;
  readonly token: string | null;
  /** What the document at `/openapi.json` calls its access tokens. */
  readonly securityScheme: string;
  readonly bundle: Bundle;
}

// Zod, which is in it, would else try whether the policy lets it compile code.
const NO_EVAL = 'self.__zod_globalConfig = { jitless: true };\n';
const SCRIPT = "Scalar.createApiReference('#reference', data);\n";

/** The reference of the REST routes, which reads `/openapi.json`. */
export async function sendReference(exchange: Exchange, options: ReferenceOptions): Promise<void> {
  const { name, token, securityScheme, bundle } = options;
  const at = await bundle.addresses();
  await sendPage(exchange, {
    title: `API reference - ${name}`,
    style: 'body { margin: 0; }',
    body: '<noscript>The reference needs JavaScript. The document itself is at <a href="/openapi.json">/openapi.json</a>.</noscript>\n<div id="reference"></div>',
    before: NO_EVAL,
    source: at('reference.js'),
    script: SCRIPT,
    data: {
      url: '/openapi.json',
      // All that would ask another host, or sends its reader to one.
      ...{ withDefaultFonts: false, telemetry: false, agent: { disabled: true }, mcp: { disabled: true } },
      ...{ hideClientButton: true, showDeveloperTools: 'never' },
      ...(token && {
        authentication: { preferredSecurityScheme: securityScheme, securitySchemes: { [securityScheme]: { token } } },
      }),
    },
    rights: nonce => ({
      scriptSrc: ["'self'", `'nonce-${nonce}'`],
      // It brings its style in elements that bear no nonce.
      styleSrc: ["'unsafe-inline'"],
      imgSrc: ['data:'],
      connectSrc: ["'self'"],
    }),
  });
}
