import { randomUUID } from 'node:crypto';
import type { CardSecrets, Person } from './canaries.js';

/** What the writes are about: imported before. */
export interface CanaryRecords {
  readonly account: string;
  readonly owner: string;
  /** A customer who is no owner of the account yet. */
  readonly other: string;
}

function addressOf({ streets: [line1, line2, line3] }: Person) {
  return { line1, line2, line3, city: 'Aviary', state: 'OR', postalCode: '97001', country: 'US', type: 'HOME' };
}

export function beneficiaryOf(person: Person): Record<string, unknown> {
  return {
    name: {
      first: 'Wren',
      middle: 'K',
      last: 'Finch',
    },
    taxId: person.taxId,
    taxIdType: 'SSN',
    dateOfBirth: person.birthDate,
    addresses: [addressOf(person)],
    emails: [
      {
        type: 'HOME',
        email: person.email,
      },
    ],
    phones: [
      {
        type: 'CELL',
        country: 'US',
        number: person.phone,
      },
    ],
    beneficiaryType: 'PRIMARY',
    relationship: 'CHILD',
    sharePercentage: 20,
  };
}

export function customerOf(
  person: Person,
  name: { first: string; middle: string | null; last: string } = { first: 'Robin', middle: 'T', last: 'Thrush' },
) {
  return {
    name,
    taxId: person.taxId,
    taxIdCountry: 'US',
    governmentId: person.governmentId,
    dateOfBirth: person.birthDate,
    contact: {
      email: [person.email],
      telephones: [
        {
          type: 'CELL',
          country: 'US',
          number: person.phone,
        },
      ],
    },
    addresses: [addressOf(person)],
  };
}

export function cardOf({ number, pin, cvv }: CardSecrets, { account, owner }: CanaryRecords) {
  return {
    cardId: `card-${randomUUID()}`,
    type: 'Physical',
    number,
    currency: 'USD',
    expiration: '1299',
    cvv,
    pin,
    last4: number.slice(-4),
    accountId: account,
    cardHolderId: owner,
    cardProductId: 'classic',
    status: 'Inactive',
  };
}
