import { AccountNotFound } from '../account/account.errors.js';
import { operation } from '../../shared/operation.js';
import {
  PdfTooLarge,
  ProgramIncomplete,
  StatementRunNotFound,
  StatementRunOver,
  StatementRunRunning,
  StatementRunShared,
} from './statement.errors.js';

export const READ_STATEMENTS = operation('statement.read', { scope: 'statements.read' });

/** A document has the name and the address of its recipient. */
export const DOWNLOAD_STATEMENT = operation('statement.download', { scope: 'statements.read', isForPeople: true });

export const ADD_STATEMENT = operation('statement.add', {
  scope: 'operations',
  refusals: () => [new AccountNotFound(), new PdfTooLarge()],
});

export const READ_STATEMENT_RUNS = operation('statement_run.read', { scope: 'operations.read' });

export const START_STATEMENT_RUN = operation('statement_run.start', {
  scope: 'operations',
  mayWait: true,
  refusals: () => [new StatementRunRunning(), new ProgramIncomplete(['letterhead.name'])],
});

export const STOP_STATEMENT_RUN = operation('statement_run.stop', {
  scope: 'operations',
  refusals: () => [new StatementRunNotFound(), new StatementRunOver(), new StatementRunShared()],
});

export const RERUN_STATEMENT_RUN = operation('statement_run.rerun', {
  scope: 'operations',
  mayWait: true,
  refusals: () => [new StatementRunNotFound(), new StatementRunRunning(), new ProgramIncomplete(['letterhead.name'])],
});
