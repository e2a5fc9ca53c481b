import { randomUUID } from 'node:crypto';
import { gatewayCaller } from '../platform/command/recording.js';
import type { ImportName } from '../bank/import/import.names.js';
import type { Importer } from '../platform/import/batch.js';
import type { InputClass } from '../platform/input/input.js';

/**
 * Returns the importer of the command line: into one program, or where that is null each record into the one that it
 * names.
 */
export function commandLine(program: string | null, subject: string): Importer {
  const requestId = randomUUID();
  return identity => gatewayCaller(program ?? identity, subject, { requestId });
}

/** The class of the records with this name, for which no database is needed. */
export async function recordClassOf(name: ImportName): Promise<InputClass> {
  switch (name) {
    case 'programs':
      return (await import('../bank/program/program.inputs.js')).ProgramRecord;
    case 'customers':
      return (await import('../bank/owner/customer.inputs.js')).CustomerRecord;
    case 'accounts':
      return (await import('../bank/account/administration/administration.inputs.js')).AccountRecord;
    case 'beneficiaries':
      return (await import('../bank/beneficiary/beneficiary.import-records.js')).BeneficiaryRecord;
    case 'transactions':
      return (await import('../bank/transaction/transaction.inputs.js')).TransactionRecord;
    case 'transfers':
      return (await import('../bank/transfer/transfer.inputs.js')).TransferRecord;
  }
}
