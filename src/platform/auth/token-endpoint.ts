import { hash, timingSafeEqual } from 'node:crypto';
import { PROGRAM_WIDE, SCOPES, TOKEN_SCOPES, isTokenScope } from '../../shared/caller.js';
import { UUID_TEXT } from '../../shared/ids.js';

export const TOKEN_TTL_SECONDS = 3600;

/** The development clients. Their secrets are public: they protect nothing, and only make the grant look real. */
const CLIENTS = [
  { id: 'demo', secret: 'demo-secret', program: 'demo' },
  { id: 'acme', secret: 'acme-secret', program: 'acme' },
];

export interface TokenRequest {
  /** The `Authorization` header: HTTP Basic instead of `client_id` and `client_secret` in the form. */
  authorization?: string | undefined;
  form: URLSearchParams;
}

export interface TokenAnswer {
  status: 200 | 400 | 401;
  headers: Record<string, string>;
  /** JSON by RFC 6749, 5.1 or 5.2. */
  body:
    | { access_token: string; token_type: 'Bearer'; expires_in: number; scope: string }
    | { error: TokenError; error_description: string };
}

export const TOKEN_ERRORS = ['invalid_request', 'invalid_client', 'unsupported_grant_type', 'invalid_scope'] as const;
type TokenError = (typeof TOKEN_ERRORS)[number];

/**
 * The scopes of a token when none are requested, space separated. `pii.read` must be requested, and so must those that
 * the bank does not have.
 */
export function defaultScopes(customerId: string | null | undefined): string {
  return SCOPES.filter(scope => scope !== 'pii.read' && !(customerId && PROGRAM_WIDE.has(scope))).join(' ');
}

/**
 * The client credentials grant (RFC 6749, 4.4), with the parameter `customer_id` beside `scope`. No answer repeats what
 * was sent.
 */
export async function answerTokenRequest(
  request: TokenRequest,
  sign: (claims: TokenClaims) => Promise<string>,
): Promise<TokenAnswer> {
  try {
    const claims = readGrant(request);
    return answer(200, {
      access_token: await sign(claims),
      token_type: 'Bearer',
      expires_in: TOKEN_TTL_SECONDS,
      scope: claims.scope,
    });
  } catch (refusal) {
    if (!(refusal instanceof TokenRefusal)) throw refusal;
    return answer(refusal.error === 'invalid_client' ? 401 : 400, {
      error: refusal.error,
      error_description: refusal.message,
    });
  }
}

class TokenRefusal extends Error {
  readonly error: TokenError;
  constructor(error: TokenError, description: string) {
    super(description);
    this.error = error;
  }
}

function answer(status: TokenAnswer['status'], body: TokenAnswer['body']): TokenAnswer {
  // RFC 6749 requires both: 5.1 (no cache may keep a token) and 5.2 (a 401 names the scheme).
  const headers: Record<string, string> = { 'Cache-Control': 'no-store', Pragma: 'no-cache' };
  if (status === 401) headers['WWW-Authenticate'] = 'Basic realm="tillgate", charset="UTF-8"';
  return { status, headers, body };
}

function readGrant({ authorization, form }: TokenRequest): TokenClaims {
  if (new Set(form.keys()).size !== form.size) {
    throw new TokenRefusal('invalid_request', 'A parameter is repeated. Send each parameter once.');
  }
  const client = authenticate(authorization, form);
  const grantType = parameter(form, 'grant_type');
  if (grantType === null) throw new TokenRefusal('invalid_request', 'grant_type is missing. Send client_credentials.');
  if (grantType !== 'client_credentials') {
    throw new TokenRefusal('unsupported_grant_type', 'grant_type must be client_credentials.');
  }
  const customerId = parameter(form, 'customer_id')?.toLowerCase() ?? null;
  if (customerId !== null && !isUuid(customerId)) {
    throw new TokenRefusal('invalid_request', 'customer_id must be a UUID.');
  }
  // The customer, if any, is the subject: two customers of one client must not share idempotency keys.
  return {
    program: client.program,
    clientId: client.id,
    subject: customerId ?? client.id,
    scope: readScope(form, customerId),
    customerId,
  };
}

function readScope(form: URLSearchParams, customerId: string | null): string {
  const scopes = new Set((parameter(form, 'scope') ?? defaultScopes(customerId)).split(' ').filter(Boolean));
  if (![...scopes].every(isTokenScope)) {
    throw new TokenRefusal('invalid_scope', `scope must contain only these scopes: ${TOKEN_SCOPES.join(' ')}.`);
  }
  return [...scopes].join(' ');
}

function authenticate(authorization: string | undefined, form: URLSearchParams) {
  const basic = authorization ? readBasic(authorization) : null;
  const formId = parameter(form, 'client_id');
  const formSecret = parameter(form, 'client_secret');
  if (basic && (formSecret !== null || (formId !== null && formId !== basic.id))) {
    throw new TokenRefusal(
      'invalid_request',
      'The client must be named once. Send it in the Authorization header or in the form, not in both.',
    );
  }
  const id = basic?.id ?? formId;
  const secret = basic?.secret ?? formSecret;
  if (id === null || secret === null) {
    throw new TokenRefusal('invalid_client', 'client_id and client_secret are required.');
  }
  const client = CLIENTS.find(candidate => candidate.id === id);
  // The secret of an unknown client is compared as well, so that the time of the answer does not tell which clients
  // exist.
  const right = timingSafeEqual(hash('sha256', secret, 'buffer'), hash('sha256', client?.secret ?? '', 'buffer'));
  if (client === undefined || !right) {
    throw new TokenRefusal('invalid_client', 'The client is unknown, or its secret is wrong.');
  }
  return client;
}

/** RFC 6749, 2.3.1: id and secret are form-encoded first, and then joined and base64-encoded. */
function readBasic(authorization: string): { id: string; secret: string } {
  const [, encoded] = /^basic +([A-Za-z0-9+/]+=*) *$/i.exec(authorization) ?? [];
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded ?? '', 'base64').toString('utf8')) ?? [];
  try {
    if (id !== undefined && secret !== undefined) return { id: formDecode(id), secret: formDecode(secret) };
  } catch {
    // A wrong percent-encoding is refused like any other header that is not valid.
  }
  throw new TokenRefusal('invalid_client', 'The Authorization header is not valid HTTP Basic.');
}

function formDecode(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}

/** RFC 6749, 3.2: a parameter without a value counts as left out. */
function parameter(form: URLSearchParams, name: string): string | null {
  return form.get(name) || null;
}

/** The claims of an access token. */
export interface TokenClaims {
  program: string;
  clientId: string;
  subject: string;
  /** Space separated; an empty one allows nothing. */
  scope: string;
  /** A UUID; binds the token to one customer. */
  customerId?: string | null;
}

export function isUuid(text: string): boolean {
  return UUID_TEXT.test(text.toLowerCase());
}
