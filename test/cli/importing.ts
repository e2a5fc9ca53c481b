import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { ImportName } from '../../src/bank/import/import.names.js';
import type { Problem } from '../support/answers.js';
import type { TestGateway } from '../support/test-gateway.js';

/**
 * What became of a record: a word, or the reasons of its refusal as `pointer code`, or its code if no field is at
 * fault.
 */
export type RecordOutcome = string | readonly string[];

/** Imports records as one batch of lines and tells what became of each. */
export function importing(
  gateway: TestGateway,
  name: ImportName,
  program: string,
  records: readonly object[],
): Promise<RecordOutcome[]> {
  return gateway.importLines(
    name,
    program,
    records.map(record => JSON.stringify(record)),
  );
}

/** A line that was put aside, and why. */
export interface RejectedLine {
  readonly line: number;
  readonly code: string;
  readonly errors: readonly Problem[];
}

export async function rejectedLines(file: string): Promise<RejectedLine[]> {
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
  return lines.map(line => JSON.parse(line) as RejectedLine);
}

export function customerRecord(changes: object = {}): { customerId: string } & Record<string, unknown> {
  return {
    customerId: randomUUID(),
    name: {
      first: 'Ada',
      middle: 'K',
      last: 'Nonesuch',
    },
    taxId: '900-00-4321',
    taxIdCountry: 'US',
    governmentId: 'X1234567',
    dateOfBirth: '1970-02-03',
    contact: {
      email: ['ada@example.test'],
      telephones: [
        {
          type: 'CELL',
          country: 'US',
          number: '212 555 0123',
        },
      ],
    },
    addresses: [
      {
        line1: '1 Quill Lane',
        city: 'Port Ambergill',
        state: 'OR',
        postalCode: '00123',
        country: 'US',
        type: 'HOME',
      },
    ],
    ...changes,
  };
}

export function accountRecord(
  owners: readonly string[],
  changes: object = {},
): { accountId: string } & Record<string, unknown> {
  return {
    accountId: `imported-${randomUUID()}`,
    accountType: 'CHECKING',
    currency: 'USD',
    timeZone: 'America/New_York',
    interestBearing: false,
    openedOn: '2020-02-29',
    owners,
    ...changes,
  };
}

export function beneficiaryRecord(accountId: string, changes: object = {}): Record<string, unknown> {
  return {
    accountId,
    name: {
      first: 'Ben',
      last: 'Nonesuch',
    },
    taxId: '900-00-8765',
    taxIdType: 'SSN',
    dateOfBirth: '2001-05-06',
    emails: [
      {
        type: 'HOME',
        email: 'ben@example.test',
      },
    ],
    beneficiaryType: 'PRIMARY',
    relationship: 'CHILD',
    sharePercentage: 40,
    ...changes,
  };
}
