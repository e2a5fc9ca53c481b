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

/** The input of simulations. Each takes some of it. */
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
  { label: 'Receive an ACH credit', fields: PAYMENT, operation: ConsoleAchCreditDocument },
  { label: 'Take an ACH debit', fields: PAYMENT, operation: ConsoleAchDebitDocument },
  { label: 'Receive a wire', fields: PAYMENT, operation: ConsoleWireDocument },
  { label: 'Pay interest', fields: PAYMENT, operation: ConsoleInterestDocument },
  { label: 'Charge a monthly fee', fields: PAYMENT, operation: ConsoleMonthlyFeeDocument },
  {
    label: 'Receive a transfer',
    fields: ['accountId', 'fromAccountId', 'amount', 'description'],
    operation: ConsoleIncomingTransferDocument,
  },
  { label: 'Return a transfer', fields: ['accountId', 'transferId'], operation: ConsoleTransferReturnDocument },
  {
    label: 'Return an ACH payment',
    fields: ['accountId', 'transactionId', 'code'],
    operation: ConsoleAchReturnDocument,
  },
];

export const PURCHASES: readonly Simulation[] = [
  { label: 'Authorise a purchase', fields: PAYMENT, operation: ConsoleCardAuthorizationDocument },
  { label: 'Capture a hold', fields: [...HOLD, 'amount'], operation: ConsoleCardCaptureDocument },
  { label: 'Reverse a hold', fields: HOLD, operation: ConsoleCardReversalDocument },
  { label: 'Let a hold expire', fields: HOLD, operation: ConsoleHoldExpiryDocument },
  {
    label: 'Refund a purchase',
    fields: ['accountId', 'transactionId', 'amount'],
    operation: ConsoleCardRefundDocument,
  },
];
