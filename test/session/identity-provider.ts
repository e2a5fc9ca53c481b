import '../support/quiet-oidc-provider.js';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWTPayload } from 'jose';
import Provider from 'oidc-provider';

const SECRET = 'a-secret-of-the-test-and-of-nobody-else';
const CLIENT = 'tillgate-console';

/** What an ID token is turned into before the gateway gets it. */
export type Tamper = (
  claims: JWTPayload,
  sign: (claims: JWTPayload, alg?: string) => Promise<string>,
) => Promise<string>;

/** Stays what it is, though everybody who signs in is asked anew. */
interface InteractionProvider {
  interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
}

/** An OpenID provider that nobody here wrote: the package `oidc-provider`. Its people sign in without being asked. */
export class IdentityProvider {
  /** Who is at the browser, by the subject; null for somebody who cancels. */
  person: string | null = null;
  tamper: Tamper | null = null;
  /** Whether it gives refresh tokens. */
  refreshes = true;
  /** What its userinfo endpoint says of the person in place of the claims; with null it fails. */
  left: object | null | undefined = undefined;
  /** How the gateway proves to be the client: the kinds that the provider says it supports. */
  private server: Server | undefined;
  private port = 0;
  private handle: RequestListener = () => undefined;
  private key!: CryptoKey;

  private constructor(private readonly people: Readonly<Record<string, object>>) {}

  /** `people` are claims by subjects. */
  static async start(people: Readonly<Record<string, object>>): Promise<IdentityProvider> {
    const provider = new IdentityProvider(people);
    await provider.comeUp();
    return provider;
  }

  get issuer(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  settings(url: string): Record<string, string> {
    return {
      CONSOLE_OIDC_ISSUER: this.issuer,
      CONSOLE_OIDC_CLIENT_ID: CLIENT,
      CONSOLE_OIDC_CLIENT_SECRET: SECRET,
      CONSOLE_URL: url,
    };
  }

  /**
   * Knows the console at this address. `inIdToken`: claims are in the ID token, and not at the userinfo endpoint alone.
   */
  async serve(url: string, { inIdToken }: { readonly inIdToken: boolean }): Promise<void> {
    const { privateKey } = await generateKeyPair('RS256', { extractable: true });
    this.key = privateKey;
    const provider = new Provider(this.issuer, {
      jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: 'first', alg: 'RS256', use: 'sig' }] },
      clients: [
        {
          client_id: CLIENT,
          client_secret: SECRET,
          redirect_uris: [`${url}/callback`],
          grant_types: ['authorization_code', 'refresh_token'],
          post_logout_redirect_uris: [url],
        },
      ],
      cookies: { keys: [SECRET] },
      claims: { openid: ['sub', 'program', 'roles', 'realm_access'], profile: ['name', 'preferred_username'] },
      conformIdTokenClaims: !inIdToken,
      features: { devInteractions: { enabled: false } },
      pkce: { required: () => true },
      issueRefreshToken: () => this.refreshes,
      rotateRefreshToken: true,
      interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      findAccount: (_: unknown, id: string) => ({
        accountId: id,
        claims: () => ({ sub: id, ...this.people[id] }),
      }),
      loadExistingGrant,
      renderError: (context: { body: string }, { error }: { error: string }) => void (context.body = error),
    });
    const handle = provider.callback();
    this.handle = (request, response) => {
      if (!request.url?.startsWith('/interaction/')) return handle(request, response);
      const result = this.person === null ? { error: 'access_denied' } : { login: { accountId: this.person } };
      void (provider as unknown as InteractionProvider).interactionFinished(request, response, result);
    };
  }

  /** Goes where the gateway sent the browser, signs in there, and gives the address to which the browser comes back. */
  async visit(address: string): Promise<string> {
    const jar = new Map<string, string>();
    let at = address;
    while (at.startsWith(this.issuer)) {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
      const answer = await fetch(at, { redirect: 'manual', headers: { cookie } });
      for (const set of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
        jar.set(name, value);
      }
      const next = answer.headers.get('location');
      if (next === null) throw new Error(`The provider goes no further: ${answer.status} ${await answer.text()}`);
      at = new URL(next, at).href;
    }
    return at;
  }

  async comeUp(): Promise<void> {
    this.server = createServer((request, response) => {
      response.setHeader('connection', 'close');
      if (this.left !== undefined && request.url === '/me') {
        const told = JSON.stringify({ sub: this.person, ...this.left });
        response.writeHead(this.left ? 200 : 503, { 'content-type': 'application/json' }).end(told);
      } else if (this.tamper && request.url === '/token' && !request.headers['x-honest']) {
        void this.cheat(request, response);
      } else this.handle(request, response);
    });
    await new Promise<void>(resolve => this.server?.listen(this.port, '127.0.0.1', resolve));
    this.port = (this.server.address() as AddressInfo).port;
  }

  async goDown(): Promise<void> {
    await new Promise(resolve => this.server?.close(resolve) ?? resolve(undefined));
    this.server = undefined;
  }

  /** Asks itself, and changes the answer. */
  private async cheat(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { authorization = '', 'content-type': type = '' } = request.headers;
    const answer = await fetch(`${this.issuer}/token`, {
      method: 'POST',
      body: Buffer.concat(chunks),
      headers: {
        authorization,
        'content-type': type,
        'x-honest': 'yes',
      },
    });
    const body = (await answer.json()) as { id_token: string };
    const [, payload = ''] = body.id_token.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as JWTPayload;
    const sign = (changed: JWTPayload, alg = 'RS256') =>
      new SignJWT(changed).setProtectedHeader({ alg, kid: 'first' }).sign(this.key);
    const told = JSON.stringify({ ...body, id_token: await this.tamper?.(claims, sign) });
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(told);
  }
}

interface GrantContext {
  readonly oidc: {
    readonly provider: {
      readonly Grant: new (of: object) => { addOIDCScope(scope: string): void; save(): Promise<void> };
    };
    readonly client: { readonly clientId: string };
    readonly session: { readonly accountId: string };
  };
}

/** Nobody is asked whether the console may know who they are. */
async function loadExistingGrant({ oidc: { provider, client, session } }: GrantContext): Promise<object> {
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
  grant.addOIDCScope('openid profile');
  await grant.save();
  return grant;
}
