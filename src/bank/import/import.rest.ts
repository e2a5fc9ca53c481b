import { answer } from '../../platform/openapi/operation.js';
import { ImportResult, RejectedLine } from './import.entity.js';
import type { ImportName } from './import.names.js';
import { ImportLinesInput, MAX_IMPORT_LINES } from './import.inputs.js';
import { MAX_FAULTS_A_LINE, orderOf, type ImportService } from './import.service.js';
import { IMPORT_RECORDS } from './import.operations.js';
import { restOver, type RestOperation, type RestPart } from '../../platform/rest/rest.js';

const FAULT = { line: 1, pointer: '/name', code: 'required', detail: 'This field is required.' };

interface Services {
  readonly imports: ImportService;
}
const rest = restOver<Services>();

/** Lines of one kind of records. */
function importOf(kind: ImportName, description: string): RestOperation<Services> {
  return rest(IMPORT_RECORDS, `POST /imports/${kind}`, {
    summary: `Import ${kind}`,
    description: `${description} Each line is one JSON object, as \`tillgate import ${kind}\` takes it, or with \`map\` a row of CSV, whose first line names the columns. Wrong lines are rejected with their faults, and the other lines are imported, all in one transaction. A line whose record is in the database already is unchanged, so a file can be sent again at any time.`,
    dryRun: true,
    body: {
      description: 'The lines.',
      input: ImportLinesInput,
      example: { lines: '{"colour":"red"}\n', firstLine: 1 },
    },
    run: ({ caller, body, dryRun }, { imports }) => imports.import(caller, orderOf(kind, body), dryRun),
    answer: answer('The outcome of an import.', 'ImportResult'),
  });
}

/** Imports of the records of the bank. */
export const importRest: RestPart<Services> = {
  tag: {
    name: 'Imports',
    description:
      "The bank's own records, some lines of a file at a time: programs, customers, accounts, beneficiaries, transactions and transfers, in this order.",
  },
  records: [
    {
      of: RejectedLine,
      differs: { pointer: { pattern: '^(/[A-Za-z0-9_]+)*$' }, code: { pattern: '^[a-z0-9_]+$' } },
      example: FAULT,
    },
    {
      of: ImportResult,
      differs: { rejected: { maxItems: MAX_IMPORT_LINES * MAX_FAULTS_A_LINE } },
      example: { read: 3, written: 1, unchanged: 1, rejected: [FAULT] },
    },
  ],
  operations: {
    importPrograms: importOf(
      'programs',
      'The record of the program, with `programId`. Which requests wait for approvals, and which clients the program has, is changed by `updateProgram` of GraphQL, where another person approves it.',
    ),
    importCustomers: importOf('customers', 'Customers, who own accounts.'),
    importAccounts: importOf('accounts', 'Accounts, which name their owners.'),
    importBeneficiaries: importOf('beneficiaries', 'Beneficiaries of accounts.'),
    importTransactions: importOf('transactions', 'Transactions of accounts, in ledger order.'),
    importTransfers: importOf(
      'transfers',
      'Transfers, each of which moves money between two accounts when it is imported, with the rules of `POST /transfers`.',
    ),
  },
};
