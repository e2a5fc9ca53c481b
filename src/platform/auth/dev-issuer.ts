import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import {
  SignJWT,
  calculateJwkThumbprint,
  createLocalJWKSet,
  exportJWK,
  generateKeyPair,
  importJWK,
  type CryptoKey,
  type JWK,
  type JWTVerifyGetKey,
} from 'jose';
import { readOrCreateSecretFile } from '../crypto/secret-file.js';
import {
  type TokenClaims,
  TOKEN_TTL_SECONDS,
  answerTokenRequest,
  type TokenAnswer,
  type TokenRequest,
} from './token-endpoint.js';

const ALGORITHM = 'ES256';
const ISSUER = 'tillgate-dev';
const AUDIENCE = 'tillgate';

/** The claims of a token to be signed, and how long it is valid. */
export interface TokenOrder extends TokenClaims {
  ttlSeconds: number;
}

/**
 * Stands in for an identity provider where none is configured. Its clients' secrets are public and its key is in the
 * data directory, so everyone who can reach it gets tokens: production refuses to start with it. `new
 * Bearer(devIssuer)` accepts its tokens.
 */
export class DevIssuer {
  readonly issuer: string;
  readonly audience = AUDIENCE;
  readonly tokenSource = 'POST /oauth/token, with the client `demo` and its secret `demo-secret`,';
  /** Finds the one public key, for `Bearer`. */
  readonly keys: JWTVerifyGetKey;
  private readonly signingKey: CryptoKey;
  private readonly keyId: string;

  private constructor(issuer: string, signingKey: CryptoKey, publicJwk: JWK & { kid: string }) {
    this.issuer = issuer;
    this.signingKey = signingKey;
    this.keyId = publicJwk.kid;
    this.keys = createLocalJWKSet({ keys: [publicJwk] });
  }

  /**
   * Opens the issuer with the key in `<dataDir>/issuer-key.json`, and makes the key where it is missing. Throws where
   * the file has no key.
   */
  static async open(dataDir: string, issuer: string = ISSUER): Promise<DevIssuer> {
    const path = join(dataDir, 'issuer-key.json');
    const text = await readOrCreateSecretFile(path, makeKey);
    try {
      const { kty, crv, x, y, d } = JSON.parse(text) as JWK;
      const signingKey = await importJWK({ kty, crv, x, y, d }, ALGORITHM);
      if (signingKey instanceof Uint8Array || signingKey.type !== 'private') throw new TypeError('Not a private key.');
      const publicJwk: JWK = { kty, crv, x, y };
      return new DevIssuer(issuer, signingKey, {
        ...publicJwk,
        alg: ALGORITHM,
        use: 'sig',
        kid: await calculateJwkThumbprint(publicJwk),
      });
    } catch {
      // The message of the parser would quote the file, which is secret.
      throw new Error(
        `The development issuer's key in ${path} cannot be read: delete the file, and a new key is made.`,
      );
    }
  }

  /** An access token of RFC 9068. A `ttlSeconds` below zero gives one that has expired. */
  sign({ program, clientId, subject, scope, customerId, ttlSeconds }: TokenOrder): Promise<string> {
    const nowSeconds = Math.floor(Date.now() / 1000);
    return new SignJWT({ program, client_id: clientId, scope, ...(customerId ? { customer_id: customerId } : {}) })
      .setProtectedHeader({ alg: ALGORITHM, typ: 'at+jwt', kid: this.keyId })
      .setIssuer(this.issuer)
      .setAudience(this.audience)
      .setSubject(subject)
      .setIssuedAt(nowSeconds)
      .setExpirationTime(nowSeconds + ttlSeconds)
      .setJti(randomUUID())
      .sign(this.signingKey);
  }

  /**
   * Answers `POST /oauth/token`: the client credentials grant of RFC 6749, 4.4. Refusals are answers too: it throws
   * none.
   */
  token(request: TokenRequest): Promise<TokenAnswer> {
    return answerTokenRequest(request, claims => this.sign({ ...claims, ttlSeconds: TOKEN_TTL_SECONDS }));
  }
}

async function makeKey(): Promise<string> {
  const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  return `${JSON.stringify(await exportJWK(privateKey))}\n`;
}
