import { MalformedRequest } from '../../shared/errors.js';
import { Misdirected } from '../http/browsers.js';
import { RateLimited } from '../rate/rate-limited.js';
import { ref } from '../input/json-schema.js';
import { always, header } from './headers.js';
import { answer, type Part } from './operation.js';
import { oneOf, record, text } from './schema.js';
import { TOKEN_ERRORS, TOKEN_TTL_SECONDS } from '../auth/token-endpoint.js';

const PRAGMA = ['For caches of HTTP 1.0.', { enum: ['no-cache'] }] as const;

/** The development issuer. */
export const tokenApi: Part = {
  tag: { name: 'Tokens', description: 'Access tokens for development. In production they come from your issuer.' },
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
      error_description: text('The problem and what to do, for people.'),
    }),
  },
  operations: {
    getToken: {
      route: 'POST /oauth/token',
      summary: 'Get an access token',
      description:
        'The token endpoint of the development issuer. It does not exist if `AUTH_ISSUER` is set. Its client secrets are public, so it protects nothing.',
      security: [{ clientSecret: [] }, {}],
      body: {
        description: 'The grant.',
        content: {
          'application/x-www-form-urlencoded': {
            schema: ref('TokenRequest'),
            example: { client_id: 'demo', client_secret: 'demo-secret' },
          },
        },
      },
      answers: {
        200: answer(
          'A token.',
          'Token',
          {
            access_token: 'eyJhbGciOiJFUzI1NiJ9.eyJwcm9ncmFtIjoiZGVtbyJ9.c2lnbmF0dXJl',
            expires_in: TOKEN_TTL_SECONDS,
            scope: 'accounts.read',
          },
          { Pragma: always(...PRAGMA) },
        ),
        400: answer(
          'The grant is malformed or refused.',
          'TokenRefusal',
          { error: 'unsupported_grant_type', error_description: 'grant_type must be client_credentials.' },
          // A problem comes without it.
          { Pragma: header(...PRAGMA) },
        ),
        401: answer(
          'The client is unknown.',
          'TokenRefusal',
          { error: 'invalid_client', error_description: 'The client is unknown, or its secret is wrong.' },
          {
            Pragma: always(...PRAGMA),
            'WWW-Authenticate': always('The client may use HTTP Basic.', { pattern: '^Basic realm="tillgate"' }),
          },
        ),
      },
      refusals: () => [
        new MalformedRequest('The body is incomplete. Send the request again.'),
        new Misdirected(),
        new RateLimited(1000),
      ],
    },
  },
};
