import { createHmac, randomBytes } from 'node:crypto';
import type { KeyRing } from '../../platform/crypto/key-ring.js';
import { sealIdentity } from '../../platform/repository/declarations.js';

const DIGEST = 'card number';

/** The name of a card. */
export interface CardName {
  readonly accountId: string;
  readonly cardId: string;
}

/** The secrets of a card as the vault gives them to be stored. */
export interface KeptSecrets {
  readonly sealedNumber: Buffer;
  /** Keyed; the database adds the program when it is stored. */
  readonly numberDigest: Buffer;
  readonly pinVerification: Buffer | null;
}

/**
 * Where a card's number and PIN are turned into what may be stored. An HSM or a card processor can stand here instead
 * of the key ring. A CVV never comes this far: nobody may keep it after authorisation (PCI DSS 4.0, requirement 3.3.1).
 */
export interface CardVault {
  /** Seals the secrets of a card. A seal of one card does not open for another card. */
  keep(card: CardName, number: string, pin: string | null): KeptSecrets;
  /** Every keyed digest under which a number may be on record already, before the program is added. */
  digestsOf(number: string): Buffer[];
}

/** The suffix of the identity of a PIN's verification value, behind that of its card. */
export const PIN_SUFFIX = '/pin';

/** The keyed digest that tells two numbers apart: no two cards of a program have the same. */
export function cardNumberDigest(keys: KeyRing, number: unknown): Buffer {
  return keys.digest(DIGEST, number as string);
}

/**
 * The sealed part of a PIN: an HMAC under a salt of its own. The PIN itself is nowhere, and the seal can be made anew
 * when keys rotate.
 */
export interface PinVerification {
  readonly salt: string;
  readonly hmac: string;
}

/** The HMAC-SHA-256 of a PIN, base64. */
export function pinHmac(salt: string, pin: string): string {
  return createHmac('sha256', Buffer.from(salt, 'base64')).update(pin).digest('base64');
}

/** The vault on the gateway's own key ring. */
export class KeyRingVault implements CardVault {
  constructor(private readonly keys: KeyRing) {}

  keep({ accountId, cardId }: CardName, number: string, pin: string | null): KeptSecrets {
    const key = [accountId, cardId];
    const pinIdentity = sealIdentity('card', key, PIN_SUFFIX);
    return {
      sealedNumber: this.keys.seal(sealIdentity('card', key), number),
      numberDigest: cardNumberDigest(this.keys, number),
      pinVerification: pin === null ? null : this.keys.seal(pinIdentity, verificationOf(pin)),
    };
  }

  digestsOf(number: string): Buffer[] {
    return this.keys.digests(DIGEST, number);
  }
}

function verificationOf(pin: string): PinVerification {
  const salt = randomBytes(16).toString('base64');
  return { salt, hmac: pinHmac(salt, pin) };
}
