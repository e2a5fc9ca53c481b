import { operation } from '../shared/operation.js';

export const IMPORT_RECORDS = operation('record.import', { scope: 'operations' });
