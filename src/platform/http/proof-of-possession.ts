import type { Identity, KeyBinding } from '../../shared/caller.js';
import { readToken, schemeOf } from '../auth/authorization-header.js';
import type { ChallengePolicy } from '../auth/challenge.js';
import type { DpopNonces } from '../auth/dpop-nonces.js';
import { InvalidProof, verifyProof } from '../auth/dpop-proof.js';
import type { PossessionSettings } from '../auth/possession-settings.js';
import { invalidToken } from '../auth/token-profile.js';
import { certificateThumbprint } from './client-certificate.js';
import type { ProxyTrust } from './client-address.js';
import type { Exchange } from './exchange.js';
import type { PublicAddress } from './public-address.js';

/** The path of the metadata of the protected resource (RFC 9728, 3). */
export const METADATA_PATH = '/.well-known/oauth-protected-resource';

export interface PossessionOptions {
  readonly settings: PossessionSettings;
  readonly address: PublicAddress;
  readonly trust: ProxyTrust | null;
  readonly nonces: DpopNonces;
  /** Resolves to true if a proof, by its hash, is used for the first time in all processes. */
  readonly use: (proofHash: Buffer) => Promise<boolean>;
}

/**
 * Judges whether those who send a token have the key to which it is bound (FAPI 2.0 Security Profile, 5.3.4), for every
 * way on which a token can come.
 */
export class ProofOfPossession {
  readonly challengePolicy: ChallengePolicy;
  private readonly nonces: DpopNonces | null;

  constructor(private readonly options: PossessionOptions) {
    const { settings, address, nonces } = options;
    const { mode, certificates, requiresNonce } = settings;
    this.nonces = mode !== 'off' && requiresNonce ? nonces : null;
    const takesBearer = mode !== 'require' || certificates !== 'none';
    this.challengePolicy = {
      schemes: mode === 'off' ? ['Bearer'] : takesBearer ? ['Bearer', 'DPoP'] : ['DPoP'],
      metadataUrl: address.known === null ? null : `${address.known}${METADATA_PATH}`,
    };
  }

  /** Throws `Unauthenticated` unless the sender of a verified token has its key, or the token needs none. */
  async check(exchange: Exchange, { token }: Identity): Promise<void> {
    const { mode } = this.options.settings;
    const binding = token?.binding ?? null;
    if (binding === null) {
      if (mode === 'require') {
        throw invalidToken(
          'The access token is not bound to a key. Get a token that is bound by DPoP or by a certificate.',
          'The token has no claim cnf, and AUTH_SENDER_CONSTRAINED is require.',
        );
      }
      if (schemeOf(exchange.authorization) === 'DPoP') {
        throw invalidToken('The access token is not bound to a key. Send it as `Authorization: Bearer <token>`.');
      }
      return;
    }
    if (mode === 'off') {
      throw invalidToken(
        'The access token is bound to a key, and this gateway does not take such tokens.',
        'The token has the claim cnf, and AUTH_SENDER_CONSTRAINED is off.',
      );
    }
    this.checkCertificate(exchange, binding);
    await this.checkProof(exchange, binding);
  }

  private checkCertificate({ request }: Exchange, { certificateThumbprint: bound }: KeyBinding): void {
    if (bound === null) return;
    const { settings, trust } = this.options;
    const shown = certificateThumbprint(request, settings.certificates, trust);
    if (shown === bound) return;
    throw invalidToken(
      'The access token is bound to the certificate of a client, and this connection has not proved that one.',
      shown === null
        ? 'The request has no certificate of a client. AUTH_CLIENT_CERTIFICATE says where it is to come from.'
        : 'The certificate of the client is another one than that in the claim cnf of the token.',
    );
  }

  private async checkProof(exchange: Exchange, { jwkThumbprint }: KeyBinding): Promise<void> {
    const sent = readToken(exchange.authorization);
    if (jwkThumbprint === null) {
      if (sent.scheme === 'Bearer') return;
      throw invalidToken('The access token is bound to a certificate. Send it as `Authorization: Bearer <token>`.');
    }
    // RFC 9449, 7.1: a token that was stolen must be of no use to those who send it as a plain one.
    if (sent.scheme !== 'DPoP') {
      throw invalidToken(
        'The access token is bound to a key. Send it as `Authorization: DPoP <token>`, with a proof in the header DPoP.',
      );
    }
    const { request, proof } = exchange;
    const { nonces } = this;
    if (nonces) exchange.dpopNonce = nonces.current();
    const proofHash = await verifyProof(proof, {
      method: request.method ?? '',
      url: this.options.address.of(exchange),
      token: sent.token,
      jwkThumbprint,
      nonces,
    });
    if (!(await this.options.use(proofHash))) throw new InvalidProof('The DPoP proof was used before.');
  }
}
