import { operation } from '../../shared/operation.js';
import { ProgramNotFound } from './program.errors.js';

export const READ_PROGRAM = operation('program.read', { scope: 'operations.read' });

export const UPDATE_PROGRAM = operation('program.update', {
  scope: 'operations',
  mayWait: true,
  refusals: () => [new ProgramNotFound()],
});
