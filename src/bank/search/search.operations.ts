import { operation } from '../../shared/operation.js';

export const SEARCH = operation('program.search', { scope: 'operations.read' });
