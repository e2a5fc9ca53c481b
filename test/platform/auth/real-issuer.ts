import '../../support/quiet-oidc-provider.js';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import Provider from 'oidc-provider';

export const SECRET = 'a-secret-of-the-test-and-of-nobody-else';

/** Clients whose tokens are bound to a key by DPoP (RFC 9449), and to their certificate (RFC 8705). */
export const DPOP_CLIENT = 'dpop-backend';
export const TLS_CLIENT = 'tls-backend';
/** Tells the issuer, which is behind no TLS here, the certificate of the client, in PEM and percent-encoded. */
export const CERTIFICATE = 'x-client-certificate';

/** Its tokens are JWTs and its clients are in its configuration, so it has nothing to keep. */
class Forgetful {
  async upsert(): Promise<void> {}
  async find(): Promise<undefined> {}
}

/** An authorization server that nobody here wrote: the package `oidc-provider`, with clients of its own, over HTTP. */
export class RealIssuer {
  /** How often its keys were asked for. */
  fetches = 0;
  private server: Server | undefined;
  private port = 0;
  private handle: RequestListener = () => undefined;

  private constructor(
    private readonly audience: string,
    private readonly scope: string,
  ) {}

  /** Its tokens are for this audience, and have these scopes. */
  static async start(audience: string, scope = 'transactions.read'): Promise<RealIssuer> {
    const issuer = new RealIssuer(audience, scope);
    await issuer.comeUp();
    await issuer.useKey('first');
    return issuer;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Signs with a new key from now on, and shows no other. */
  async useKey(kid: string, alg = 'RS256'): Promise<void> {
    const { privateKey } = await generateKeyPair(alg, { extractable: true });
    const resourceServer = {
      audience: this.audience,
      scope: this.scope,
      accessTokenTTL: 7200,
      accessTokenFormat: 'jwt',
      jwt: { sign: { alg } },
    };
    const grants = {
      grant_types: ['client_credentials'],
      redirect_uris: [],
      response_types: [],
      id_token_signed_response_alg: alg,
    };
    const provider = new Provider(this.url, {
      jwks: { keys: [{ ...(await exportJWK(privateKey)), kid, alg, use: 'sig' }] },
      clients: [
        ...['backend', 'stranger'].map(id => ({ client_id: id, client_secret: SECRET, ...grants })),
        { client_id: DPOP_CLIENT, client_secret: SECRET, dpop_bound_access_tokens: true, ...grants },
        { client_id: TLS_CLIENT, client_secret: SECRET, tls_client_certificate_bound_access_tokens: true, ...grants },
      ],
      adapter: Forgetful,
      cookies: { keys: [SECRET] },
      ttl: { ClientCredentials: 7200 },
      features: {
        devInteractions: { enabled: false },
        clientCredentials: { enabled: true },
        dPoP: { enabled: true },
        mTLS: {
          enabled: true,
          certificateBoundAccessTokens: true,
          getCertificate: (context: { get(header: string): string }) => decodeURIComponent(context.get(CERTIFICATE)),
        },
        resourceIndicators: { enabled: true, getResourceServerInfo: () => resourceServer },
      },
    });
    this.handle = provider.callback();
  }

  /** An access token as a client gets it: client credentials (RFC 6749, 4.4) for a resource (RFC 8707). */
  async token(clientId = 'backend'): Promise<string> {
    const answer = await fetch(`${this.url}/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${clientId}:${SECRET}`).toString('base64')}` },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        scope: this.scope,
        resource: this.audience,
      }),
    });
    const { access_token: token } = (await answer.json()) as { access_token?: string };
    if (token === undefined) throw new Error(`The issuer gave no token: ${answer.status}.`);
    return token;
  }

  async comeUp(): Promise<void> {
    this.server = createServer((request, response) => {
      if (request.url === '/jwks') this.fetches++;
      response.setHeader('connection', 'close');
      this.handle(request, response);
    });
    await new Promise<void>(resolve => this.server?.listen(this.port, '127.0.0.1', resolve));
    this.port = (this.server.address() as AddressInfo).port;
  }

  async goDown(): Promise<void> {
    await new Promise(resolve => this.server?.close(resolve) ?? resolve(undefined));
    this.server = undefined;
  }
}
