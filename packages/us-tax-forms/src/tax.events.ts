import { oneOf, value, type EventType } from 'tillgate/noun';
import { TaxFilingKind, TaxFilingState } from './tax-filing.entity.js';

/** The name of each change of a filing, in the chain of its program. */
export const CHANGE_TAX_FILING = 'tax_filing.change';

export const TAX_EVENTS: readonly EventType[] = [
  {
    type: 'tax_filing.changed',
    action: CHANGE_TAX_FILING,
    description:
      'Returns that are filed with the IRS got another state: they were begun, written, sent, answered or replaced.',
    scope: 'operations.read',
    isOfProgram: true,
    id: 'filingId',
    facts: {
      taxYear: value('Int', 'The tax year, such as 2026.'),
      kind: oneOf(Object.keys(TaxFilingKind), 'The reason for which the returns are filed.'),
      state: oneOf(Object.keys(TaxFilingState), 'The state of the returns with the IRS.'),
      isTest: value('Boolean', 'True if the files are for the test system of the IRS.'),
    },
    example: {
      filingId: '7c0d5b1e-93a4-4f0e-9d0e-2f5b0f3c6a11',
      taxYear: 2026,
      kind: 'ORIGINAL',
      state: 'EXPORTED',
      isTest: false,
    },
  },
  {
    type: 'tax_filing.downloaded',
    action: 'tax_filing.download',
    description: 'Somebody fetched a file of returns, which has whole tax ids.',
    scope: 'operations.read',
    isOfProgram: true,
    id: 'filingId',
    facts: { part: value('Int', 'The number of the file in the filing.') },
    example: { filingId: '7c0d5b1e-93a4-4f0e-9d0e-2f5b0f3c6a11', part: 1 },
  },
];
