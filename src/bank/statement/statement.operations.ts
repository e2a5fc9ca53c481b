import { AccountNotFound } from '../account/account.errors.js';
import { operation } from '../../shared/operation.js';
import { PdfTooLarge, ProgramIncomplete, StatementRunNotFound, StatementRunRunning } from './statement.errors.js';

export const READ_STATEMENTS = operation('statement.read', { scope: 'statements.read' });

export const ADD_STATEMENT = operation('statement.add', {
  scope: 'operations',
  refusals: () => [new AccountNotFound(), new PdfTooLarge()],
});

export const READ_STATEMENT_RUNS = operation('statement_run.read', { scope: 'operations.read' });

export const RERUN_STATEMENT_RUN = operation('statement_run.rerun', {
  scope: 'operations',
  refusals: () => [new StatementRunNotFound(), new StatementRunRunning(), new ProgramIncomplete(['letterhead.name'])],
});
