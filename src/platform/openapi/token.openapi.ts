import { MalformedRequest } from '../../shared/errors.js';
import { Misdirected } from '../http/browsers.js';
import { RateLimited } from '../rate/rate-limited.js';
import { ref } from '../input/json-schema.js';
import type { Described, Header } from './operation.js';
import { oneOf, record, text } from './schema.js';
import { TOKEN_ERRORS, TOKEN_TTL_SECONDS } from '../auth/token-endpoint.js';

const PRAGMA: Header = {
  description: 'For caches of HTTP 1.0.',
  required: true,
  schema: { type: 'string', enum: ['no-cache'] },
};

const UNLESS_A_PROBLEM: Header = { ...PRAGMA, required: false };

function refused(error: string, error_description: string) {
  return {
    'application/json': { schema: ref('TokenRefusal'), example: { error, error_description } },
  };
}

/** The development issuer. */
export const tokenApi: Described = {
  tags: [{ name: 'Tokens', description: 'Access tokens for development. In production they come from your issuer.' }],
  schemas: {
    TokenRequest: record(
      'A client credentials grant (RFC 6749, section 4.4).',
      {
        grant_type: oneOf(['client_credentials'], 'The kind of grant.'),
        client_id: text('The client: `demo` or `acme`. Or send both by HTTP Basic.'),
        client_secret: text('Its secret: `demo-secret` or `acme-secret`.'),
        scope: text('The scopes of the token, separated by spaces. All scopes except `pii.read` when absent.'),
        customer_id: text('The customer to whom the token is bound. The token is for the whole program when absent.', {
          format: 'uuid',
        }),
      },
      ['client_id', 'client_secret', 'scope', 'customer_id'],
    ),
    Token: record('An access token.', {
      access_token: text('The access token. Send it as `Authorization: Bearer`.', {
        pattern: String.raw`^[\w-]+\.[\w-]+\.[\w-]+$`,
      }),
      token_type: oneOf(['Bearer'], 'The type of the token.'),
      expires_in: { type: 'integer', minimum: 1, description: 'The lifetime in seconds.' },
      scope: text('The scopes of the token, separated by spaces.'),
    }),
    TokenRefusal: record('The reason why no token was issued (RFC 6749, section 5.2).', {
      error: oneOf(TOKEN_ERRORS, 'A stable code of the mistake, for programs.'),
      error_description: text('What is wrong and what to do, for people.'),
    }),
  },
  operations: [
    {
      id: 'getToken',
      method: 'post',
      path: '/oauth/token',
      tag: 'Tokens',
      summary: 'Get an access token',
      description:
        'The token endpoint of the development issuer. It does not exist if `AUTH_ISSUER` is set. Its client secrets are public, so it protects nothing.',
      security: [{ clientSecret: [] }, {}],
      body: {
        description: 'The grant.',
        content: {
          'application/x-www-form-urlencoded': {
            schema: ref('TokenRequest'),
            example: { grant_type: 'client_credentials', client_id: 'demo', client_secret: 'demo-secret' },
          },
        },
      },
      answers: {
        200: {
          description: 'A token.',
          headers: { Pragma: PRAGMA },
          content: {
            'application/json': {
              schema: ref('Token'),
              example: {
                access_token: 'eyJhbGciOiJFUzI1NiJ9.eyJwcm9ncmFtIjoiZGVtbyJ9.c2lnbmF0dXJl',
                token_type: 'Bearer',
                expires_in: TOKEN_TTL_SECONDS,
                scope: 'accounts.read',
              },
            },
          },
        },
        400: {
          description: 'The grant is malformed or refused.',
          headers: { Pragma: UNLESS_A_PROBLEM },
          content: refused('unsupported_grant_type', 'grant_type must be client_credentials.'),
        },
        401: {
          description: 'The client is unknown.',
          headers: {
            Pragma: PRAGMA,
            'WWW-Authenticate': {
              description: 'The client may use HTTP Basic.',
              required: true,
              schema: { type: 'string', pattern: '^Basic realm="tillgate"' },
            },
          },
          content: refused('invalid_client', 'The client is unknown, or its secret is wrong.'),
        },
      },
      refusals: () => [
        new MalformedRequest('The body is incomplete. Send the request again.'),
        new Misdirected(),
        new RateLimited(1000),
      ],
    },
  ],
};
