import { keepsMetrics, type Config } from './config.js';
import { tokenApi } from '../platform/openapi/token.openapi.js';
import type { Nouns } from '../platform/noun/noun.js';
import { NOUNS } from './nouns.js';
import { readManifest } from '../platform/manifest.js';
import { serverApi } from '../platform/openapi/server.openapi.js';
import { openApiDocument, type OpenApiDocument } from '../platform/openapi/document.js';

/** The settings that the document depends on. */
export type DescribedConfig = Pick<Config, 'cardsPrefix' | 'auth' | 'production' | 'metricsToken' | 'sandbox'>;

const DESCRIPTION = `The REST API of Tillgate, a gateway over a banking domain. GraphQL is at \`/graphql\`, with the same rules, masking and errors; its own
schema describes it.

**Callers** send an access token (RFC 9068), \`Authorization: Bearer\`. Each operation needs one scope. Data that a token may not see is
answered like data that does not exist: with 404, never with 403.

**Writes** accept an idempotency key. A write with a key happens once, no matter how often it is sent over REST or GraphQL. A retry gets the
first response with \`Idempotent-Replayed: true\`. Keys are stored for 30 days, unless a setting of the gateway changes that.

**Refusals** are problem details (RFC 9457) with a stable \`code\`, and list all wrong fields at once. They never repeat values that were
sent.

**Lists** come in pages; \`links.next\` is the next one. Unknown query parameters and unknown fields are refused. HEAD is answered like GET,
without the body.`;

/** The document of the REST API, as a gateway with these nouns serves it. */
export function describeGateway(config: DescribedConfig, nouns: Nouns<object> = NOUNS): OpenApiDocument {
  const { eventTypes, scopes } = nouns;
  const hasDevIssuer = config.auth === null;
  const hasMetrics = keepsMetrics(config);
  const preface = {
    info: {
      title: 'Tillgate',
      version: readManifest().version,
      summary: 'Accounts, owners, beneficiaries, transactions, statements and cards.',
      description: DESCRIPTION,
      contact: { name: 'The operator of this gateway' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    securitySchemes: {
      accessToken: {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'JWT',
        description:
          'An access token of the issuer (RFC 9068). Its claim `scope` must contain the scopes that the operation needs (`x-required-scope`); `operations` includes `operations.read` and `approvals`.',
      },
      ...(hasDevIssuer && {
        clientSecret: { type: 'http', scheme: 'basic', description: 'The id and the secret of a development client.' },
      }),
      ...(hasMetrics && {
        metricsToken: { type: 'http', scheme: 'bearer', description: 'What `METRICS_TOKEN` says.' },
      }),
    },
  };
  return openApiDocument(preface, [
    ...nouns.rest({ ...config, eventTypes, scopes }, config.sandbox),
    ...(hasDevIssuer ? [tokenApi] : []),
    serverApi({ hasMetrics, scopes }),
  ]);
}
