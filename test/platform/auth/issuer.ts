import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  SignJWT,
  exportJWK,
  generateKeyPair,
  type CryptoKey,
  type JWK,
  type JWTHeaderParameters,
  type JWTPayload,
} from 'jose';
import { Bearer, type BearerOptions } from '../../../src/platform/auth/bearer.js';
import { issuerKeys } from '../../../src/platform/auth/issuer-keys.js';

export const ISSUER = 'https://login.bank.example';
export const AUDIENCE = 'tillgate';
export const CUSTOMER = '3f0c9a52-6f3e-4f0e-9a53-0d3f5a1c2b4d';

/**
 * An identity provider of another company, as far as the gateway can tell: signs tokens and serves its keys over HTTP.
 */
export class Issuer {
  fetches = 0;
  /** What the next fetches of the keys are answered with instead of 200. */
  status = 200;
  private keys: { kid: string; alg: string; privateKey: CryptoKey; publicJwk: JWK }[] = [];
  private server: Server | undefined;
  private port = 0;

  static async start(algorithms: readonly string[] = ['ES256']): Promise<Issuer> {
    const issuer = new Issuer();
    for (const alg of algorithms) await issuer.addKey(`key-${alg}`, alg);
    await issuer.comeUp();
    return issuer;
  }

  get jwksUrl(): string {
    return `http://127.0.0.1:${this.port}/keys`;
  }

  /** A gateway's ear for this issuer; made-up key ids may be looked up at once, so that no test waits a minute. */
  bearer({ cooldownMs = 0, ...options }: Partial<BearerOptions> & { cooldownMs?: number } = {}): Bearer {
    return new Bearer({
      issuer: ISSUER,
      audience: AUDIENCE,
      keys: issuerKeys(this.jwksUrl, { cooldownMs, timeoutMs: 2000 }),
      ...options,
    });
  }

  async comeUp(): Promise<void> {
    this.server = createServer((_request, response) => {
      this.fetches++;
      response.writeHead(this.status, { 'content-type': 'application/json', connection: 'close' });
      response.end(JSON.stringify({ keys: this.keys.map(key => key.publicJwk) }));
    });
    await new Promise<void>(resolve => this.server?.listen(this.port, '127.0.0.1', resolve));
    this.port = (this.server.address() as AddressInfo).port;
  }

  async goDown(): Promise<void> {
    await new Promise(resolve => this.server?.close(resolve) ?? resolve(undefined));
    this.server = undefined;
  }

  async addKey(kid: string, alg = 'ES256'): Promise<void> {
    const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
    this.keys.push({ kid, alg, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } });
  }

  removeKey(kid: string): void {
    this.keys = this.keys.filter(key => key.kid !== kid);
  }

  publicJwk(kid: string): JWK {
    return this.key(kid).publicJwk;
  }

  privateKey(kid: string): CryptoKey {
    return this.key(kid).privateKey;
  }

  /** A good token, but for the claims (undefined leaves one out) and header fields given. */
  sign(
    claims: Record<string, unknown> = {},
    { kid = 'key-ES256', header = {} }: { kid?: string; header?: Partial<JWTHeaderParameters> } = {},
  ): Promise<string> {
    const { alg } = this.key(kid);
    return this.signExactly({ alg, kid, typ: 'at+jwt', ...header }, { ...goodClaims(), ...claims }, kid);
  }

  /** A token with this header and these claims and no others. */
  signExactly(header: JWTHeaderParameters, claims: JWTPayload, kid = header.kid ?? ''): Promise<string> {
    return new SignJWT(claims).setProtectedHeader(header).sign(this.key(kid).privateKey);
  }

  private key(kid: string) {
    const key = this.keys.find(candidate => candidate.kid === kid);
    if (key === undefined) throw new Error('The test asks for a key that it has not made.');
    return key;
  }
}

export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

export function goodClaims() {
  return {
    iss: ISSUER,
    aud: AUDIENCE,
    sub: 'user-7',
    client_id: 'mobile-app',
    program: 'acme',
    scope: 'accounts.read cards.write',
    iat: nowSeconds(),
    exp: nowSeconds() + 3600,
    jti: crypto.randomUUID(),
  };
}
