import { NotForAgents, ProgramIncomplete, TooLarge, operation } from 'tillgate/noun';
import { TaxAnswerUnknown, TaxFilingNotCurrent, TaxFilingNotFound, TaxFilingUnanswered } from './tax.errors.js';

export const READ_TAX_FILINGS = operation('tax_filing.read', { scope: 'operations.read' });

export const START_TAX_FILING = operation('tax_filing.start', {
  scope: 'operations',
  mayWait: true,
  refusals: () => [
    new ProgramIncomplete(['payer.taxId']),
    new TaxFilingUnanswered('7c0d5b1e-93a4-4f0e-9d0e-2f5b0f3c6a11'),
  ],
});

export const ACKNOWLEDGE_TAX_FILING = operation('tax_filing.acknowledge', {
  scope: 'operations',
  refusals: () => [
    new TaxAnswerUnknown(),
    new TaxFilingNotCurrent(),
    new TooLarge('The answer is larger than 10485760 bytes.'),
  ],
});

export const MARK_TAX_FILING = operation('tax_filing.mark', {
  scope: 'operations',
  refusals: () => [new TaxFilingNotFound(), new TaxFilingNotCurrent()],
});

export const DOWNLOAD_TAX_FILE = operation('tax_filing.download', {
  scope: 'operations',
  refusals: () => [new TaxFilingNotFound(), new TaxFilingNotCurrent(), new NotForAgents()],
});
