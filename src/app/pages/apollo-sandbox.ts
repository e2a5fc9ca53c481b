import type { Exchange } from '../../platform/http/exchange.js';
import { EXAMPLE_OPERATIONS } from '../examples.js';
import { MARK, NAME, sendPage } from './page.js';

/** Apollo's script and frame of the second version; within it Apollo keeps the two in step with each other. */
const APOLLO_SCRIPT = 'https://embeddable-sandbox.cdn.apollographql.com/v2/embeddable-sandbox.umd.production.min.js';
const APOLLO_FRAME = 'https://sandbox.embed.apollographql.com';

/** Stands for the token of the demo data in what the frame gets. */
const DEMO_TOKEN = 'Bearer demo-token';

// The headers of the first operation travel to Apollo in the address of its frame, so the token is not among them:
// requests leave from this page, which puts it in. The script is loaded when the page is shown, as a network that
// swallows requests would otherwise keep it blank.
const SANDBOX_SCRIPT = `
const script = document.createElement('script');
script.onload = () => {
  document.getElementById('away').remove();
  new EmbeddedSandbox({
    target: '#sandbox',
    initialEndpoint: new URL('/graphql', location.href).href,
    initialState: { ...data.operation, includeCookies: false, pollForSchemaUpdates: false },
    hideCookieToggle: true,
    endpointIsEditable: false,
    runTelemetry: false,
    allowDynamicStyles: false,
    handleRequest(endpoint, options) {
      const headers = new Headers(options.headers);
      if (data.token && headers.get('authorization') === data.placeholder) headers.set('authorization', 'Bearer ' + data.token);
      return fetch(endpoint, { ...options, headers });
    },
  });
};
script.onerror = () => document.getElementById('away').classList.add('failed');
script.nonce = document.currentScript.nonce;
script.src = data.script;
document.head.append(script);
`;

const SANDBOX_STYLE = `
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; }
#sandbox, #sandbox iframe { position: absolute; inset: 0; width: 100%; height: 100%; border: 0; }
#sandbox:empty { display: none; }
#away { max-width: 34rem; margin: 20vh auto 0; padding: 0 1.5rem; }
#away h1 { font-size: 1.5rem; margin: 1rem 0 .5rem; }
#away:not(.failed) .failure { display: none; }
#away a { color: light-dark(#0f766e, #5eead4); font-weight: 600; }
`;

/**
 * Apollo Sandbox: the one page that loads something from another host. Until that is there, the page points to the
 * explorer that needs none.
 */
export async function sendSandbox(exchange: Exchange, token: string | null): Promise<void> {
  const [{ query, variables = {}, headers }] = EXAMPLE_OPERATIONS;
  await sendPage(exchange, {
    title: `Apollo Sandbox - ${NAME}`,
    style: SANDBOX_STYLE,
    body: `<main id="away">
${MARK}
<h1>Apollo Sandbox</h1>
<p class="failure" role="alert">Apollo's servers cannot be reached from this browser.</p>
<p>Apollo Sandbox comes from Apollo's servers. If they cannot be reached, use <a href="/graphiql">GraphiQL</a>, which this gateway serves.</p>
</main>
<div id="sandbox"></div>`,
    script: SANDBOX_SCRIPT,
    data: {
      script: APOLLO_SCRIPT,
      token,
      placeholder: DEMO_TOKEN,
      operation: {
        document: query,
        variables,
        headers: { Authorization: token ? DEMO_TOKEN : 'Bearer ', ...headers },
      },
    },
    rights: nonce => ({
      scriptSrc: [`'nonce-${nonce}'`],
      styleSrc: [`'nonce-${nonce}'`],
      imgSrc: ['data:'],
      frameSrc: [APOLLO_FRAME],
      connectSrc: ["'self'"],
    }),
  });
}
