import { ownershipApi } from './account/ownership.openapi.js';
import { beneficiaryApi } from './beneficiary/beneficiary.openapi.js';
import { cardApi } from './card/card.openapi.js';
import { keepsMetrics, type Config } from './config.js';
import { personApi } from './person/person.openapi.js';
import { tokenApi } from './platform/auth/token.openapi.js';
import { readManifest } from './platform/cli/manifest.js';
import { serverApi } from './platform/http/server.openapi.js';
import { openApiDocument, type OpenApiDocument } from './platform/openapi/document.js';
import { statementApi } from './statement/statement.openapi.js';
import { transactionApi } from './transaction/transaction.openapi.js';

/** What of a gateway's settings its document depends on. */
export type DescribedConfig = Pick<Config, 'cardsPrefix' | 'auth' | 'production' | 'metricsToken'>;

const DESCRIPTION = `The REST door of Tillgate, a gateway over a banking domain. GraphQL is at \`/graphql\`, with the same rules,
masking and errors; its own schema describes it.

**Callers** send an access token (RFC 9068), \`Authorization: Bearer\`. Each operation needs one scope. What a token may not see does not
exist: it is 404, never 403.

**Writes** take an idempotency key, and then happen once, however often they are sent, through either door. A retry gets the first answer
with \`Idempotent-Replayed: true\`. Keys are remembered for 30 days, unless the gateway is set otherwise.

**Refusals** are problem details (RFC 9457) with a stable \`code\`, and all bad fields at once. They never repeat what was sent.

**Lists** come in pages; \`links.next\` is the next one. Unknown query parameters and unknown fields are refused. HEAD is answered like GET,
without the body.`;

/** The document of a gateway's REST door, as it serves it. */
export function describeGateway(config: DescribedConfig): OpenApiDocument {
  const hasDevIssuer = config.auth === null;
  const hasMetrics = keepsMetrics(config);
  const preface = {
    info: {
      title: 'Tillgate',
      version: readManifest().version,
      summary: 'Accounts, owners, beneficiaries, transactions, statements and cards.',
      description: DESCRIPTION,
      contact: { name: 'Whoever runs this gateway' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    securitySchemes: {
      accessToken: {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'JWT',
        description:
          'An access token of the issuer (RFC 9068). Its claim `scope` has the scope that the operation needs (`x-required-scope`).',
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
    beneficiaryApi,
    ownershipApi,
    transactionApi,
    statementApi,
    cardApi(config.cardsPrefix),
    personApi,
    ...(hasDevIssuer ? [tokenApi] : []),
    serverApi({ hasMetrics }),
  ]);
}
