import { randomInt } from 'node:crypto';
import type { StatementContent, TaxFormContent } from '../../src/bank/statement/statement.content.js';

export interface GivenCustomer {
  readonly program: string;
  readonly customer: string;
  readonly taxId: string;
  readonly governmentId: string;
  readonly email: string;
}

export interface GivenAccount {
  readonly program: string;
  readonly account: string;
  /** Its owners' customer ids, the primary one first. */
  readonly owners: readonly string[];
  /** A program-wide token with the usual scopes. */
  readonly caller: string;
}

export interface GivenBeneficiary extends GivenAccount {
  readonly beneficiary: string;
}

export interface GivenStatement extends GivenAccount {
  readonly statement: string;
  readonly pdf: Buffer;
  /** null for a partner's document. */
  readonly content: StatementContent | TaxFormContent | null;
  /** Where it is downloaded. */
  readonly path: string;
}

/** A program that lacks nothing. */
export const PROGRAM = {
  name: 'Harbor',
  letterhead: {
    name: 'Harbor Example Bank',
    addressLines: ['1 Quay Street', 'Port Ambergill, OR 97000'],
    telephone: '+1 503 555 0100',
  },
  payer: {
    name: 'Harbor Example Bank, N.A.',
    addressLines: ['2 Quay Street', 'Port Ambergill, OR 97000'],
    telephone: '+1 503 555 0101',
    taxId: '12-3456789',
  },
  errorResolution: {
    telephone: '+1 503 555 0111',
    email: null,
    addressLines: ['PO Box 11', 'Port Ambergill, OR 97000'],
  },
};

export function digits(count: number): string {
  return Array.from({ length: count }, () => String(randomInt(10))).join('');
}

/** A whole new beneficiary, as a client sends it. */
export function newBeneficiary(changes: Record<string, unknown> = {}) {
  return {
    name: { first: 'Grace', middle: 'B', last: 'Hopper' },
    taxId: digits(9),
    taxIdType: 'ITIN',
    dateOfBirth: '1986-12-09',
    addresses: [
      {
        line1: '1 Main Street',
        line2: 'Suite 2',
        line3: 'Back door',
        city: 'Arlington',
        state: 'VA',
        postalCode: '22201',
        country: 'US',
        type: 'HOME',
      },
    ],
    emails: [{ type: 'HOME', email: 'grace@example.test' }],
    phones: [{ type: 'HOME', country: 'US', number: '(555) 010-0123' }],
    beneficiaryType: 'PRIMARY',
    relationship: 'FAMILY_RELATIVE',
    sharePercentage: 40,
    ...changes,
  };
}

/** The least that a new beneficiary needs. */
export function leastBeneficiary(changes: Record<string, unknown> = {}) {
  return {
    name: { first: 'Alan', last: 'Turing' },
    beneficiaryType: 'CONTINGENT',
    relationship: 'FRIEND',
    sharePercentage: 0,
    ...changes,
  };
}
