import { operation } from '../shared/operation.js';

export const READ_PROGRAM = operation('program.read', { scope: 'operations.read' });
