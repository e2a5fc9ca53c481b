import { expect, test } from '@jest/globals';
import { labelOf } from '../../src/shared/labels.js';

test.each([
  ['FEDERALTAXWITHHELD', 'Federal tax withheld'],
  ['STATETAXWITHHELD', 'State tax withheld'],
  ['INCOMINGWIRE', 'Incoming wire'],
  ['OUTGOINGWIRE', 'Outgoing wire'],
  ['P2P', 'P2P payment'],
  ['P2PPAYMENT', 'P2P payment'],
  ['DIRECTDEPOSIT', 'Direct deposit'],
  ['ATMWITHDRAWAL', 'ATM withdrawal'],
  ['CASHBACK', 'Cashback'],
  ['EARLYWITHDRAWALPENALTY', 'Early withdrawal penalty'],
  ['RETURNEDITEM', 'Returned item'],
  ['CHECKDEPOSIT', 'Check deposit'],
  ['CREDITCARDPAYMENT', 'Credit card payment'],
  ['ACH_CREDIT', 'ACH credit'],
  ['CARD-PURCHASE', 'Card purchase'],
  ['FEDNOW', 'FedNow'],
  ['INTEREST', 'Interest'],
  ['QUIXOTIC', 'Quixotic'],
  ['A1_B2', 'A1 b2'],
  ['Standing order', 'Standing order'],
  ['toString', 'toString'],
  ['constructor', 'constructor'],
  ['ÜBERWEISUNG', 'ÜBERWEISUNG'],
  ['', ''],
])('%j is printed as %j', (code, label) => {
  expect(labelOf(code)).toBe(label);
});

test('a code of any length has a label at once', () => {
  const code = 'INTERESTFEETO'.repeat(20);
  expect(labelOf(code)).toBe(code[0] + code.slice(1).toLowerCase());
  expect(labelOf('TO'.repeat(30))).toBe(`To${' to'.repeat(29)}`);
});
