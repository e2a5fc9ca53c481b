import type { RunOrder } from '../statement/issue-run.entity.js';
import { YEAR } from './demo-transactions.js';

/** The documents that a demo program starts with: the statements of the last months of its year, and the forms of the year. */
export function demoDocuments(program: string): RunOrder[] {
  const months = ['10', '11', '12'].map(month => `${YEAR}-${month}`);
  return [
    ...months.map(period => ({ kind: 'close' as const, period, program })),
    { kind: '1099' as const, period: String(YEAR), program },
  ];
}
