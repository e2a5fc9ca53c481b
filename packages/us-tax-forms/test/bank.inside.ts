import type { Gateway } from '../../../src/app/gateway.js';
import { writeFilings } from '../src/filing/write-filings.js';
import { irisFormatOf } from '../src/iris/iris-format.js';
import { YEAR } from './bank.js';

type Limits = { -readonly [Name in 'portalForms' | 'partBytes']: number };

const { limits } = irisFormatOf(YEAR);
const USUAL = { ...limits };

/** Sets these limits of a file, and all others as they are. */
export async function limit(_gateway: Gateway, some: Partial<Limits>): Promise<void> {
  Object.assign(limits, USUAL, some);
}

/** Runs the job of drafts another time. */
export async function writeAgain({ container }: Gateway, filingIds: readonly string[]): Promise<void> {
  const { database, taxForms, taxFilings } = container;
  await writeFilings({ database, taxForms, filings: taxFilings.repository }, filingIds);
}
