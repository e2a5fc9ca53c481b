import { operation } from 'tillgate/noun';

export const READ_TAX_FILINGS = operation('tax_filing.read', { scope: 'operations.read' });
