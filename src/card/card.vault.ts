import type { KeyRing } from '../platform/crypto/key-ring.js';

/** What the vault gives to be stored of a card's secrets. */
export interface KeptSecrets {
  readonly sealedNumber: Buffer;
  readonly numberDigest: Buffer;
  readonly pinVerification: Buffer | null;
}

/**
 * Where a card's number and PIN are turned into what may be stored. An HSM or a card processor can stand here instead of
 * the key ring. A CVV never comes this far: nobody may keep it after authorisation (PCI DSS 4.0, requirement 3.3.1).
 */
export interface CardVault {
  /** `identity` names the card; what is kept for one card is of no use for another. */
  keep(identity: string, number: string, pin: string | null): KeptSecrets;
  /** Every digest under which a number may be on record already. */
  digestsOf(number: string): Buffer[];
}

/** Under which identity a card's number is sealed. */
export function cardIdentity(accountId: string, cardId: string): string {
  return `card/${accountId}/${cardId}`;
}

/** The vault on the gateway's own key ring. */
export class KeyRingVault implements CardVault {
  constructor(private readonly keys: KeyRing) {}

  keep(identity: string, number: string, pin: string | null): KeptSecrets {
    return {
      sealedNumber: this.keys.seal(identity, number),
      numberDigest: this.keys.digest('card number', number),
      pinVerification: pin === null ? null : this.keys.digest('card pin', `${identity}/${pin}`),
    };
  }

  digestsOf(number: string): Buffer[] {
    return this.keys.digests('card number', number);
  }
}
