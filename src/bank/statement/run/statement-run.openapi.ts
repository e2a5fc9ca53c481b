import { ref } from '../../../platform/input/json-schema.js';
import { answer, parameter, type Operation, type Parameter, type Part } from '../../../platform/openapi/operation.js';
import { location } from '../../../platform/openapi/headers.js';
import { FORMS } from '../../../platform/openapi/schema.js';
import { StatementRunNotFound } from '../statement.errors.js';
import { LEFT_OUT_REASONS } from '../issue/left-out.js';
import { LeftOutAccount, StatementRun, StatementRunFilter } from './statement-run.entity.js';
import { READ_STATEMENT_RUNS, RERUN_STATEMENT_RUN } from '../statement.operations.js';

const ID = '7c0d5b1e-93a4-4f0e-9d0e-2f5b0f3c6a11';
const RUN_ID: Parameter = {
  ...parameter('path', 'runId', 'The id of the run, in upper or lower case.', FORMS.UUID, ID),
  unknown: () => new StatementRunNotFound(),
};
const LIST = '/statement-runs';
const AGAIN_ID = '5b8f21c4-07de-4c1b-9a6e-0d3f7b1e2c90';

/** The runs that issue statements and tax forms. */
export const statementRunApi: Part = {
  tag: {
    name: 'Statement runs',
    description: 'The runs that issued statements and tax forms, and the accounts that got none.',
  },
  records: [
    {
      of: StatementRun,
      example: {
        runId: ID,
        documentType: 'TAX_1099',
        period: '2025',
        startedBy: 'COMMAND_LINE',
        status: 'FINISHED',
        issueIncomplete: false,
        rerunOf: '',
        accounts: 22,
        done: 22,
        issued: 9,
        corrected: 0,
        notOverYet: 0,
        leftOutCount: 1,
        notDueCount: 12,
        unprintableCount: 0,
      },
      differs: { period: { pattern: String.raw`^\d{4}(-\d\d)?$` } },
    },
    {
      of: LeftOutAccount,
      differs: { reasons: { maxItems: Object.keys(LEFT_OUT_REASONS).length } },
      example: { accountId: 'demo-1005', reasons: ['NO_TAX_ID', 'NOT_USD'] },
    },
  ],
  operations: {
    listStatementRuns: {
      route: `GET ${LIST}`,
      summary: 'List the runs that issued documents',
      description:
        'The runs that issued documents to accounts of the program, by their periods and starts, the newest first, page by page. The numbers are those of the accounts of the program.',
      of: READ_STATEMENT_RUNS,
      query: {
        input: StatementRunFilter,
        examples: { documentType: 'TAX_1099', period: '2025' },
        wrong: { period: 'last year' },
      },
      page: {
        name: 'StatementRunPage',
        description: 'A page of the runs that issued documents.',
        elements: ['statementRuns', 'The newest first.', ref('StatementRun')],
        next: '/statement-runs?offSet=1&limit=1',
        hasNumbers: true,
      },
    },
    getStatementRun: {
      route: `GET ${LIST}/{runId}`,
      summary: 'Get a run that issued documents',
      description: 'One run, with the numbers of the accounts of the program.',
      of: READ_STATEMENT_RUNS,
      parameters: [RUN_ID],
      answers: { 200: answer('The run.', 'StatementRun') },
    },
    rerunStatementRun: {
      route: `POST ${LIST}/{runId}/rerun`,
      summary: 'Issue the documents that a run left out',
      description:
        'Issues the documents of the program that a run left out or failed to issue, and no others, in a run of its own. The answer is that run as it begins.',
      of: RERUN_STATEMENT_RUN,
      parameters: [RUN_ID],
      answers: { 201: answer('The new run.', 'StatementRun', undefined, location(`${LIST}/${AGAIN_ID}`)) },
    },
    listLeftOutAccounts: {
      route: `GET ${LIST}/{runId}/left-out`,
      summary: 'List the accounts that a run left out',
      description:
        'The accounts of the program that got no document though one was due, by their ids, with all reasons, page by page.',
      of: READ_STATEMENT_RUNS,
      parameters: [RUN_ID],
      page: {
        name: 'LeftOutAccountPage',
        description: 'A page of the accounts that a run left out.',
        elements: ['leftOutAccounts', 'By their ids.', ref('LeftOutAccount')],
        next: `/statement-runs/${ID}/left-out?offSet=1&limit=1`,
        hasNumbers: true,
      },
    },
  } satisfies Readonly<Record<string, Operation>>,
};
