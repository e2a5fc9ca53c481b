import { Input } from '../../../platform/input/input.js';
import { namesRecord } from '../../../platform/graphql/record-name.js';

export const RUN_ID = { description: 'The id of the run, which its start returned.' };

@Input('The run that is repeated for what it left out.')
export class RerunStatementRunInput extends namesRecord('StatementRun', { runId: { ...RUN_ID, isUuid: true } }) {}
