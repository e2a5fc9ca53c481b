import { ref } from '../../../platform/input/json-schema.js';
import { answer } from '../../../platform/openapi/operation.js';
import { FORMS, record, value } from '../../../platform/openapi/schema.js';
import { StatementRunNotFound } from '../statement.errors.js';
import { MAX_LEFT_OUT_TOLD } from '../issue/issue-run.js';
import { LEFT_OUT_REASONS } from '../issue/left-out.js';
import {
  LeftOutAccount,
  LeftOutReasonCount,
  StatementRun,
  StatementRunFilter,
  StatementRunPreview,
} from './statement-run.entity.js';
import { OptionalReasonInput } from '../../account/account.service.js';
import { StatementRunOrder } from './statement-run.inputs.js';
import {
  READ_STATEMENT_RUNS,
  RERUN_STATEMENT_RUN,
  START_STATEMENT_RUN,
  STOP_STATEMENT_RUN,
} from '../statement.operations.js';
import { contractRecord } from '../../../platform/http/json.js';
import { fieldNamesOf, pick } from '../../../platform/repository/fields.js';
import type { RerunService } from './rerun.service.js';
import type { RunStart } from './run-preview.js';
import type { StartService } from './start.service.js';
import type { StatementRunService } from './statement-run.service.js';
import type { StopService } from './stop.service.js';
import { restOver, type RestPart } from '../../../platform/rest/rest.js';
import type { PathParameter } from '../../../platform/rest/rest-words.js';

const ID = '7c0d5b1e-93a4-4f0e-9d0e-2f5b0f3c6a11';
const RUN_ID: PathParameter = {
  description: 'The id of the run, in upper or lower case.',
  schema: FORMS.UUID,
  example: ID,
  unknown: () => new StatementRunNotFound(),
};
const AGAIN_ID = '5b8f21c4-07de-4c1b-9a6e-0d3f7b1e2c90';

const RUN_EXAMPLE = {
  runId: ID,
  documentType: 'TAX_1099',
  period: '2025',
  startedBy: 'COMMAND_LINE',
  stoppedAt: '',
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
};
const RUN_FIELDS = fieldNamesOf(StatementRun);
const ACCOUNT_FIELDS = fieldNamesOf(LeftOutAccount);

interface Services {
  readonly statementRuns: StatementRunService;
  readonly reruns: RerunService;
  readonly runStarts: StartService;
  readonly runStops: StopService;
}
const rest = restOver<Services>();

/** The runs that issue statements and tax forms. */
export const statementRunRest: RestPart<Services> = {
  tag: {
    name: 'Statement runs',
    description: 'The runs that issued statements and tax forms, and the accounts that got none.',
  },
  records: [
    {
      of: StatementRun,
      example: RUN_EXAMPLE,
      differs: { period: { pattern: String.raw`^\d{4}(-\d\d)?$` } },
    },
    {
      of: LeftOutAccount,
      differs: { reasons: { maxItems: Object.keys(LEFT_OUT_REASONS).length } },
      example: { accountId: 'demo-1005', reasons: ['NO_TAX_ID', 'NOT_USD'] },
    },
    { of: LeftOutReasonCount, example: { reason: 'NO_TAX_ID', accounts: 1 } },
    {
      of: StatementRunPreview,
      differs: {
        reasons: { maxItems: Object.keys(LEFT_OUT_REASONS).length },
        leftOut: { maxItems: MAX_LEFT_OUT_TOLD },
      },
      example: {
        accounts: 22,
        isComplete: true,
        waits: false,
        issued: 9,
        corrected: 0,
        notOverYet: 0,
        leftOutCount: 1,
        notDueCount: 12,
        reasons: [{ reason: 'NO_TAX_ID', accounts: 1 }],
        leftOut: [{ accountId: 'demo-1005', reasons: ['NO_TAX_ID'] }],
      },
    },
  ],
  schemas: {
    StatementRunStart: record(
      'A run that was started, or for a dry run the documents that it would issue.',
      {
        run: { ...ref('StatementRun'), description: 'The run as it begins; absent for a dry run.' },
        accounts: value('Int', 'The number of accounts that the run is for.'),
        preview: {
          ...ref('StatementRunPreview'),
          description: 'The documents that the run would issue; absent unless this is a dry run.',
        },
      },
      ['run', 'preview'],
    ),
  },
  operations: {
    listStatementRuns: rest(READ_STATEMENT_RUNS, 'GET /statement-runs', {
      summary: 'List the runs that issued documents',
      description:
        'The runs that issued documents to accounts of the program, by their periods and starts, the newest first, page by page. The numbers are those of the accounts of the program.',
      query: {
        input: StatementRunFilter,
        examples: { documentType: 'TAX_1099', period: '2025' },
      },
      page: {
        name: 'StatementRunPage',
        description: 'A page of the runs that issued documents.',
        elements: ['statementRuns', 'The newest first.', ref('StatementRun')],
        next: '/statement-runs?offSet=1&limit=1',
        hasNumbers: true,
      },
      run: ({ caller, page, query }, { statementRuns }) => statementRuns.page(caller, page, query),
      show: runToRest,
    }),
    getStatementRun: rest(READ_STATEMENT_RUNS, 'GET /statement-runs/{runId}', {
      summary: 'Get a run that issued documents',
      description: 'One run, with the numbers of the accounts of the program.',
      path: { runId: RUN_ID },
      run: ({ caller, path }, { statementRuns }) => statementRuns.get(caller, path.runId),
      answer: answer('The run.', 'StatementRun'),
      show: runToRest,
    }),
    startStatementRun: rest(START_STATEMENT_RUN, 'POST /statement-runs', {
      summary: 'Issue the documents of a month or a tax year',
      description:
        'Starts a run that issues the documents of a period which are missing, to all accounts of the program or to some. The answer is the run as it begins; for a dry run the documents that it would issue, and `Location` is the path of the runs.',
      dryRun: true,
      body: {
        description: 'The documents.',
        input: StatementRunOrder,
        example: { documentType: 'STATEMENTS', period: '2026-06' },
      },
      run: ({ caller, body, dryRun }, { runStarts }) => runStarts.start(caller, body, dryRun),
      created: {
        at: ({ run }) => (run ? `/statement-runs/${run.runId}` : '/statement-runs'),
        example: `/statement-runs/${ID}`,
      },
      answer: answer('The run, or what it would do.', 'StatementRunStart', { run: RUN_EXAMPLE, accounts: 22 }),
      show: startToRest,
    }),
    stopStatementRun: rest(STOP_STATEMENT_RUN, 'POST /statement-runs/{runId}/stop', {
      summary: 'Stop a run',
      description:
        'Takes away the batches of a run that have not begun. A batch that is being issued still ends, and the documents stay. The answer is the run as it is then; `rerun` issues what is missing.',
      path: { runId: RUN_ID },
      body: { description: 'The reason.', input: OptionalReasonInput, example: { reason: 'Wrong letterhead' } },
      run: ({ caller, path, body }, { runStops }) => runStops.stop(caller, path.runId, body.reason ?? null),
      answer: answer('The run.', 'StatementRun'),
      show: runToRest,
    }),
    rerunStatementRun: rest(RERUN_STATEMENT_RUN, 'POST /statement-runs/{runId}/rerun', {
      summary: 'Issue the documents that a run left out',
      description:
        'Issues the documents of the program that a run left out or failed to issue, and no others, in a run of its own. The answer is that run as it begins.',
      path: { runId: RUN_ID },
      run: ({ caller, path }, { reruns }) => reruns.rerun(caller, path.runId),
      created: { at: ({ runId }) => `/statement-runs/${runId}`, example: `/statement-runs/${AGAIN_ID}` },
      answer: answer('The new run.', 'StatementRun'),
      show: runToRest,
    }),
    listLeftOutAccounts: rest(READ_STATEMENT_RUNS, 'GET /statement-runs/{runId}/left-out', {
      summary: 'List the accounts that a run left out',
      description:
        'The accounts of the program that got no document though one was due, by their ids, with all reasons, page by page.',
      path: { runId: RUN_ID },
      page: {
        name: 'LeftOutAccountPage',
        description: 'A page of the accounts that a run left out.',
        elements: ['leftOutAccounts', 'By their ids.', ref('LeftOutAccount')],
        next: `/statement-runs/${ID}/left-out?offSet=1&limit=1`,
        hasNumbers: true,
      },
      run: ({ caller, path, page }, { statementRuns }) => statementRuns.leftOutPage(caller, path.runId, page),
      show: account => contractRecord(pick(account, ACCOUNT_FIELDS)),
    }),
  },
};

function runToRest(run: StatementRun): object {
  return contractRecord(pick(run, RUN_FIELDS));
}

function startToRest({ run, accounts, preview }: RunStart): object {
  return { ...(run && { run: runToRest(run) }), accounts, ...(preview && { preview: contractRecord(preview) }) };
}
