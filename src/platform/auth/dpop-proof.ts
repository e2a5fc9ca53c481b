import { hash } from 'node:crypto';
import {
  calculateJwkThumbprint,
  EmbeddedJWK,
  errors,
  jwtVerify,
  type CryptoKey,
  type JWTHeaderParameters,
  type JWTPayload,
} from 'jose';
import { LRUCache } from 'lru-cache';
import { Unauthenticated } from '../../shared/errors.js';
import { repeatedName } from '../../shared/repeated-name.js';
import type { DpopNonces } from './dpop-nonces.js';

/** Asymmetric only (RFC 9449, 4.3), as for access tokens. */
export const PROOF_ALGORITHMS = ['ES256', 'PS256', 'EdDSA', 'RS256'];
const TYPE = 'dpop+jwt';
/** The greatest age of a proof, and the most by which the client's clock may be ahead or behind besides. */
const MAX_AGE_SECONDS = 60;
const CLOCK_TOLERANCE_SECONDS = 10;
/**
 * The time for which a used proof has to be known: longer than it is valid, also where the clocks of processes differ.
 */
export const USED_SECONDS = 2 * (MAX_AGE_SECONDS + CLOCK_TOLERANCE_SECONDS);
const MAX_PROOF_CHARACTERS = 8 * 1024;
const MAX_ID_CHARACTERS = 512;

/** The number of keys of proofs that are remembered, and the greatest length of their headers together. */
const MAX_KEYS = 1000;
const MAX_CHARACTERS_OF_KEYS = 1_000_000;

/** The key of a proof. */
interface ProofKey {
  readonly key: CryptoKey;
  readonly jwkThumbprint: string;
}

/** By the header of a proof, in base64url: all proofs of a client have the same. */
const keys = new LRUCache<string, ProofKey>({
  max: MAX_KEYS,
  maxSize: MAX_CHARACTERS_OF_KEYS,
  sizeCalculation: (_key, header) => header.length,
});

/** The request that a proof must be about. */
export interface ProvenRequest {
  readonly method: string;
  /** As the client addressed it; one that is no address matches no proof. */
  readonly url: string;
  readonly token: string;
  /** The thumbprint of the key to which the token is bound. */
  readonly jwkThumbprint: string;
  /** Null where proofs need no nonce of the gateway. */
  readonly nonces: DpopNonces | null;
}

/** A proof is missing or not valid. The reason is for the operator's log. */
export class InvalidProof extends Unauthenticated {
  constructor(message: string, reason: string = message) {
    super(`${message} Make a new proof for each request.`, 'invalid_dpop_proof', reason);
  }
}

/** The proof must have a nonce of the gateway, which the answer has in the header `DPoP-Nonce`. */
export class NonceRequired extends Unauthenticated {
  constructor() {
    super('The DPoP proof needs the nonce in the header DPoP-Nonce of this answer.', 'use_dpop_nonce');
  }
}

/**
 * Checks everything of a proof but whether it was used before (RFC 9449, 4.3). Gives what tells the proof from all
 * others: each client has ids of its own, so that none can use up those of another. Throws `InvalidProof`,
 * `NonceRequired`.
 */
export async function verifyProof(proof: string | undefined, request: ProvenRequest): Promise<Buffer> {
  if (proof === undefined || proof === '') {
    throw new InvalidProof('The access token is bound to a key, and the header DPoP with a proof is missing.');
  }
  if (proof.length > MAX_PROOF_CHARACTERS) {
    throw new InvalidProof(`The DPoP proof is longer than ${MAX_PROOF_CHARACTERS} characters.`);
  }
  const { payload, key } = await verified(proof);
  const { jti, htm, htu, ath, nonce } = payload as Record<string, unknown>;
  if (key.jwkThumbprint !== request.jwkThumbprint) {
    throw new InvalidProof('The DPoP proof is signed with another key than that of the access token.');
  }
  if (typeof jti !== 'string' || jti === '' || jti.length > MAX_ID_CHARACTERS) {
    throw new InvalidProof(`The claim jti of the DPoP proof must be a text of 1 to ${MAX_ID_CHARACTERS} characters.`);
  }
  if (htm !== request.method) {
    throw new InvalidProof('The claim htm of the DPoP proof is not the method of the request.');
  }
  const address = addressOf(request.url);
  if (typeof htu !== 'string' || address === null || addressOf(htu) !== address) {
    throw new InvalidProof(
      'The claim htu of the DPoP proof is not the address of the request without its query.',
      'The claim htu of the proof is another address. Behind a proxy, PUBLIC_URL must be where clients find the gateway.',
    );
  }
  if (ath !== hash('sha256', request.token, 'base64url')) {
    throw new InvalidProof('The claim ath of the DPoP proof is not the hash of the access token.');
  }
  if (request.nonces && !request.nonces.accepts(nonce)) throw new NonceRequired();
  return hash('sha256', `${request.jwkThumbprint}\n${jti}`, 'buffer');
}

async function verified(proof: string): Promise<{ payload: JWTPayload; key: ProofKey }> {
  try {
    const [header = '', claims = ''] = proof.split('.', 2);
    const found = await jwtVerify(proof, async parameters => (await keyOf(parameters, header)).key, {
      typ: TYPE,
      algorithms: PROOF_ALGORITHMS,
      requiredClaims: ['iat', 'jti', 'htm', 'htu', 'ath'],
      maxTokenAge: MAX_AGE_SECONDS,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
    });
    mustNotRepeatNames(claims);
    return { payload: found.payload, key: await keyOf(found.protectedHeader, header) };
  } catch (error) {
    if (error instanceof InvalidProof) throw error;
    throw refusalOf(error);
  }
}

/** The key in the header of a proof. */
async function keyOf(parameters: JWTHeaderParameters, header: string): Promise<ProofKey> {
  const cached = keys.get(header);
  if (cached) return cached;
  const key = await EmbeddedJWK(parameters);
  mustNotRepeatNames(header);
  const found = { key, jwkThumbprint: await calculateJwkThumbprint(parameters.jwk ?? {}) };
  keys.set(header, found);
  return found;
}

/** Names the failed check in our own words: a message of the library may quote the proof. */
function refusalOf(error: unknown): InvalidProof {
  if (error instanceof errors.JWTExpired || error instanceof errors.JWTClaimValidationFailed) {
    const { claim, reason } = error;
    if (reason === 'missing') return new InvalidProof(`The DPoP proof has no claim ${claim}.`);
    if (claim === 'iat') {
      return new InvalidProof(`The DPoP proof must not be older than ${MAX_AGE_SECONDS} seconds, or of the future.`);
    }
    if (claim === 'typ') return new InvalidProof(`The header typ of the DPoP proof must be ${TYPE}.`);
    return new InvalidProof('The DPoP proof fails the check of its claims.');
  }
  if (error instanceof errors.JOSEAlgNotAllowed) {
    return new InvalidProof(`The DPoP proof must be signed with one of ${PROOF_ALGORITHMS.join(', ')}.`);
  }
  if (error instanceof errors.JWSSignatureVerificationFailed) {
    return new InvalidProof('The signature of the DPoP proof does not match its key.');
  }
  return new InvalidProof('The header DPoP has no valid proof with a public key.');
}

function mustNotRepeatNames(part: string): void {
  const json = Buffer.from(part, 'base64url').toString('utf8');
  if (repeatedName(json, JSON.parse(json)) !== null) {
    throw new InvalidProof('The DPoP proof contains the same name twice in one object.');
  }
}

/** An address in the normal form of RFC 3986, 6.2.2 and 6.2.3, without query and fragment; null for none. */
function addressOf(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { protocol, host, pathname, username, password } = new URL(text);
  if (username !== '' || password !== '') return null;
  const path = pathname.replace(/%[0-9a-f]{2}/gi, code => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return /[A-Za-z0-9._~-]/.test(character) ? character : code.toUpperCase();
  });
  return `${protocol}//${host}${path}`;
}
