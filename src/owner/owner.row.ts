import type { KeyRing } from '../platform/crypto/key-ring.js';
import type { PersonName } from '../person/person.entity.js';
import type { Contact, CustomerSecrets, Owner } from './owner.entity.js';

/** What is read of a customer `c`, in the order of `CustomerRow`. */
export const CUSTOMER_COLUMNS =
  'c.customer_id, c.name_first, c.name_middle, c.name_last, c.tax_id, c.tax_id_country, c.government_id, c.sealed';

export type CustomerRow = [
  customerId: string,
  first: string,
  middle: string | null,
  last: string,
  taxId: string | null,
  taxIdCountry: string | null,
  governmentId: string | null,
  sealed: Buffer,
];

/** Under which identity a customer's secrets are sealed. */
export function customerIdentity(customerId: string): string {
  return `customer/${customerId}`;
}

/** An owner as read: the seal is opened only when somebody asks for what is in it. */
export class OwnerView implements Owner {
  readonly customerId: string;
  readonly name: PersonName;
  readonly taxId: string | null;
  readonly taxIdCountry: string | null;
  readonly governmentId: string | null;
  private readonly sealed: Buffer;
  private opened: CustomerSecrets | undefined;

  constructor(
    [customerId, first, middle, last, taxId, taxIdCountry, governmentId, sealed]: CustomerRow,
    readonly isPrimary: boolean,
    private readonly keys: KeyRing,
  ) {
    this.customerId = customerId;
    this.name = { first, middle, last };
    this.taxId = taxId;
    this.taxIdCountry = taxIdCountry;
    this.governmentId = governmentId;
    this.sealed = sealed;
  }

  get secrets(): CustomerSecrets {
    return (this.opened ??= this.keys.open<CustomerSecrets>(customerIdentity(this.customerId), this.sealed));
  }

  get contact(): Contact {
    return this.secrets.contact;
  }
}
