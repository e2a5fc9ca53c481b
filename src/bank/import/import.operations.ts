import { operation } from '../../shared/operation.js';

export const IMPORT_RECORDS = operation('record.import', { scope: 'operations' });
export const READ_IMPORT_TABLE = operation('import.table', { scope: 'operations' });
