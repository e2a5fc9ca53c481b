import type { Exchange } from '../../platform/http/exchange.js';
import type { Bundle } from './bundle.js';
import { NAME, sendPage } from './page.js';

/** The reference of the REST routes, which reads `/openapi.json`. */
export async function sendReference(exchange: Exchange, bundle: Bundle, token: string | null): Promise<void> {
  const at = await bundle.addresses();
  await sendPage(exchange, {
    title: `API reference - ${NAME}`,
    style: 'body { margin: 0; }',
    body: '<noscript>The reference needs JavaScript. The document itself is at <a href="/openapi.json">/openapi.json</a>.</noscript>\n<div id="reference"></div>',
    // Zod, which is in it, would otherwise try whether the policy lets it compile code.
    before: 'self.__zod_globalConfig = { jitless: true };\n',
    source: at('reference.js'),
    script: "Scalar.createApiReference('#reference', data);\n",
    data: {
      url: '/openapi.json',
      // All that would ask another host, or sends its reader to one.
      withDefaultFonts: false,
      telemetry: false,
      agent: { disabled: true },
      mcp: { disabled: true },
      hideClientButton: true,
      showDeveloperTools: 'never',
      ...(token && {
        authentication: { preferredSecurityScheme: 'accessToken', securitySchemes: { accessToken: { token } } },
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
