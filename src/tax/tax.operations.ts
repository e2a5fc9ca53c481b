import { operation } from '../shared/operation.js';

export const READ_TAX_FILINGS = operation('tax_filing.read', { scope: 'operations.read' });
