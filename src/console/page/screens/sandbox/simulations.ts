import type { Operation } from '../../client/graphql.js';
import {
  ConsoleAchCreditDocument,
  ConsoleAchDebitDocument,
  ConsoleAchReturnDocument,
  ConsoleCardAuthorizationDocument,
  ConsoleCardCaptureDocument,
  ConsoleCardRefundDocument,
  ConsoleCardReversalDocument,
  ConsoleHoldExpiryDocument,
  ConsoleIncomingTransferDocument,
  ConsoleInterestDocument,
  ConsoleMonthlyFeeDocument,
  ConsoleTransferReturnDocument,
  ConsoleWireDocument,
  type AchReturnCode,
} from '../../generated/graphql.js';

/** What simulations take. Each takes some of it. */
export interface SimulationInput {
  readonly accountId: string;
  readonly fromAccountId: string;
  readonly amount: string;
  readonly description: string;
  readonly holdId: string;
  readonly transactionId: string;
  readonly transferId: string;
  readonly code: AchReturnCode;
}

export type SimulationField = keyof SimulationInput;

export interface Simulation {
  readonly label: string;
  readonly fields: readonly SimulationField[];
  readonly operation: Operation<object, { input: SimulationInput }>;
}

const PAYMENT: readonly SimulationField[] = ['accountId', 'amount', 'description'];
const HOLD: readonly SimulationField[] = ['accountId', 'holdId'];

export const PAYMENTS: readonly Simulation[] = [
  { label: 'ACH credit', fields: PAYMENT, operation: ConsoleAchCreditDocument },
  { label: 'ACH debit', fields: PAYMENT, operation: ConsoleAchDebitDocument },
  { label: 'Wire', fields: PAYMENT, operation: ConsoleWireDocument },
  { label: 'Interest', fields: PAYMENT, operation: ConsoleInterestDocument },
  { label: 'Monthly fee', fields: PAYMENT, operation: ConsoleMonthlyFeeDocument },
  {
    label: 'Incoming transfer',
    fields: ['accountId', 'fromAccountId', 'amount', 'description'],
    operation: ConsoleIncomingTransferDocument,
  },
  { label: 'Return of a transfer', fields: ['accountId', 'transferId'], operation: ConsoleTransferReturnDocument },
  { label: 'ACH return', fields: ['accountId', 'transactionId', 'code'], operation: ConsoleAchReturnDocument },
];

export const PURCHASES: readonly Simulation[] = [
  { label: 'Authorise a purchase', fields: PAYMENT, operation: ConsoleCardAuthorizationDocument },
  { label: 'Capture it', fields: [...HOLD, 'amount'], operation: ConsoleCardCaptureDocument },
  { label: 'Reverse it', fields: HOLD, operation: ConsoleCardReversalDocument },
  { label: 'Let it expire', fields: HOLD, operation: ConsoleHoldExpiryDocument },
  { label: 'Refund it', fields: ['accountId', 'transactionId', 'amount'], operation: ConsoleCardRefundDocument },
];
