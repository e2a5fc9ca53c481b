/** The simulations that are about an account: their routes, their fields, and what they need besides the account. */
const OF_HOLD = { holdId: 'nobodys' };
const OF_PURCHASE = { transactionId: 'nobodys' };

export const SIMULATIONS = {
  'ach-credit': ['simulateAchCredit', {}],
  'ach-debit': ['simulateAchDebit', {}],
  wire: ['simulateWire', {}],
  interest: ['simulateInterest', {}],
  'monthly-fee': ['simulateMonthlyFee', {}],
  'ach-return': ['simulateAchReturn', { ...OF_PURCHASE, code: 'R01' }],
  'incoming-transfer': ['simulateIncomingTransfer', { fromAccountId: 'nobodys' }],
  'transfer-return': ['simulateTransferReturn', { transferId: 'nobodys' }],
  'card-authorization': ['simulateCardAuthorization', {}],
  'card-capture': ['simulateCardCapture', OF_HOLD],
  'card-reversal': ['simulateCardReversal', OF_HOLD],
  'hold-expiry': ['simulateHoldExpiry', OF_HOLD],
  'card-refund': ['simulateCardRefund', OF_PURCHASE],
} as const satisfies Record<string, readonly [field: string, needs: object]>;

export const SIMULATION_KINDS = Object.keys(SIMULATIONS) as (keyof typeof SIMULATIONS)[];
/** Their fields. */
export const SIMULATION_FIELDS: readonly string[] = Object.values(SIMULATIONS).map(([field]) => field);

/** The body of a simulation of this route, such as `POST /simulate/wire`; undefined for other routes. */
export function simulationBody(route: string, accountId: string): object | undefined {
  const kind = SIMULATION_KINDS.find(one => route === `POST /simulate/${one}`);
  return kind && { accountId, ...SIMULATIONS[kind][1] };
}

/** A simulation as a field of a mutation. */
export function simulationField(kind: keyof typeof SIMULATIONS, accountId: string): string {
  const [field, needs] = SIMULATIONS[kind];
  const given = Object.entries({ accountId, ...needs }).map(
    ([name, value]) => `${name}: ${name === 'code' ? value : JSON.stringify(value)}`,
  );
  return `${field}(input: { ${given.join(', ')} }) { __typename }`;
}
