import 'reflect-metadata';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Container } from '../../src/app/container.js';
import { commandLine } from '../../src/app/imports.js';
import type { ImportName } from '../../src/import/import.names.js';
import { inTransaction, type TransactionRunner } from '../../src/platform/database/transaction.js';
import { Rejections, writeLines, type LineOutcome } from '../../src/platform/import/batch.js';
import { readLines } from '../../src/platform/import/json-lines.js';
import { Refusal } from '../../src/shared/errors.js';
import type { Problem } from '../support/answers.js';

/**
 * What became of a record: a word, or the reasons of its refusal as `pointer code`, or its code if no field is at
 * fault.
 */
export type RecordOutcome = string | readonly string[];

/** Imports records as one batch of lines and tells what became of each. */
export function importing(
  container: Container,
  name: ImportName,
  program: string,
  records: readonly object[],
): Promise<RecordOutcome[]> {
  const lines = records.map(record => JSON.stringify(record));
  return importingLines(container, name, program, lines);
}

/** The outcomes of records that are written as lines already, in batches of so many. */
export async function importingLines(
  container: Container,
  name: ImportName,
  program: string,
  lines: readonly string[],
  batchLines = lines.length,
): Promise<RecordOutcome[]> {
  const kind = await container.importKind(name);
  const numbered = lines.map((line, index) => ({ number: index + 1, bytes: Buffer.from(line) }));
  const transacting: TransactionRunner = work => inTransaction(container.database, work);
  const [by, rejections] = [commandLine(program, 'import'), new Rejections(kind)];
  const outcomes: LineOutcome[] = [];
  for (let from = 0; from < lines.length; from += batchLines) {
    const batch = await readLines(kind, numbered.slice(from, from + batchLines));
    outcomes.push(...(await writeLines(transacting, kind, by, batch, rejections)));
  }
  // Long runs read this too, and have no jest.
  assert.deepEqual(
    outcomes.map(({ line }) => line),
    numbered.map(({ number }) => number),
  );
  return outcomes.map(({ outcome }) => {
    if (!(outcome instanceof Refusal)) return outcome;
    return outcome.errors?.map(({ pointer, code }) => `${pointer} ${code}`) ?? outcome.code;
  });
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
