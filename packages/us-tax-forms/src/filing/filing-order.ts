import { readFile } from 'node:fs/promises';
import { UsageError, type Database, type ProgramService } from 'tillgate/noun';
import { irisFormatOf } from '../iris/iris-format.js';
import { portalTemplate } from '../iris/portal-csv.js';
import type { FilingOrder } from './filing-writer.js';
import { readTransmitter, returnedPayer } from './transmitter-file.js';

/** The request of a filer. Files are named by their paths; one of the two is given. */
export interface FilingRequest {
  readonly program: string;
  readonly taxYear: number;
  readonly transmitter: string | null;
  readonly template: string | null;
  readonly folder: string;
  readonly isTest: boolean;
}

/** Reads what it takes to file. Throws `UsageError` for what is missing or wrong, before anything is written. */
export async function filingOrder(
  { database, programs }: { readonly database: Database; readonly programs: ProgramService },
  { program, taxYear, transmitter, template, folder, isTest }: FilingRequest,
): Promise<FilingOrder> {
  const format = await irisFormatOf(taxYear);
  const [record] = await programs.repository.each(database, [[program]]);
  const payer = returnedPayer(format, record?.payer ?? null, record?.secrets.payerTaxId ?? null);
  const by =
    template === null
      ? { transmitter: await readTransmitter(format, transmitter ?? '') }
      : { template: portalTemplate(format, await templateOf(template)) };
  return { database, format, payer, by, program, taxYear, isTest, folder };
}

function templateOf(path: string): Promise<Buffer> {
  return readFile(path).catch(() => {
    throw new UsageError('The file in --template cannot be read. Check the path and the permissions.');
  });
}
