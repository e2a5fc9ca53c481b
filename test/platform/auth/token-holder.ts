import { hash, randomUUID } from 'node:crypto';
import {
  calculateJwkThumbprint,
  CompactSign,
  exportJWK,
  generateKeyPair,
  SignJWT,
  type CryptoKey,
  type JWK,
  type JWTHeaderParameters,
  type JWTPayload,
} from 'jose';
import { nowSeconds } from './issuer.js';

/** What a proof is about. */
export interface ProofOrder {
  readonly token: string;
  readonly url: string;
  readonly method?: string;
  /** In place of the right ones; undefined leaves one out. */
  readonly claims?: JWTPayload;
  readonly header?: Partial<Record<keyof JWTHeaderParameters, unknown>>;
}

/** A client with a key of its own, to which tokens can be bound. */
export class TokenHolder {
  private constructor(
    readonly alg: string,
    private readonly privateKey: CryptoKey,
    readonly jwk: JWK,
    readonly privateJwk: JWK,
    readonly thumbprint: string,
  ) {}

  static async make(alg = 'ES256'): Promise<TokenHolder> {
    const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
    const jwk = await exportJWK(publicKey);
    return new TokenHolder(alg, privateKey, jwk, await exportJWK(privateKey), await calculateJwkThumbprint(jwk));
  }

  /** A good proof (RFC 9449, 4.2), but for what the order says. */
  proof({ token, url, method = 'GET', claims = {}, header = {} }: ProofOrder): Promise<string> {
    const good = {
      jti: randomUUID(),
      htm: method,
      htu: url.replace(/[?#].*/, ''),
      iat: nowSeconds(),
      ath: athOf(token),
    };
    const protectedHeader = { typ: 'dpop+jwt', alg: this.alg, jwk: this.jwk, ...header } as JWTHeaderParameters;
    return new SignJWT({ ...good, ...claims }).setProtectedHeader(protectedHeader).sign(this.privateKey);
  }

  /** A proof of which the claims are this text. */
  proofOf(text: string): Promise<string> {
    const protectedHeader = { typ: 'dpop+jwt', alg: this.alg, jwk: this.jwk };
    return new CompactSign(new TextEncoder().encode(text)).setProtectedHeader(protectedHeader).sign(this.privateKey);
  }
}

export function athOf(token: string): string {
  return hash('sha256', token, 'base64url');
}
