import { cardNumber } from '../../support/card.js';
import { accountOf } from './account-writes.js';
import type { CanaryRecords } from './records.js';
import type { Writer } from './writer.js';

const PAYMENTS = {
  'ach-credit': 'simulateAchCredit',
  'ach-debit': 'simulateAchDebit',
  wire: 'simulateWire',
  interest: 'simulateInterest',
  'monthly-fee': 'simulateMonthlyFee',
};

interface SimulationAnswer {
  readonly holdId: string;
  readonly transferId: string;
  readonly depositTransaction: { readonly transactionId: string };
}

/** The simulations of the sandbox, over REST and GraphQL. They take no personal data, so they have no canaries. */
export async function writeSandbox(writer: Writer, given: CanaryRecords): Promise<void> {
  const { account: accountId, owner } = given;
  const simulate = (kind: string, body: object) =>
    writer.once<SimulationAnswer>({ method: 'POST', path: `/simulate/${kind}`, body });
  const ask = (field: string, input: string, selection: string) =>
    writer.once({
      method: 'POST',
      path: '/graphql',
      body: { query: `mutation { write: ${field}(input: { ${input} }) { ${selection} } }` },
    });
  const of = `accountId: "${accountId}"`;
  for (const [kind, field] of Object.entries(PAYMENTS)) {
    await simulate(kind, { accountId });
    await ask(field, of, 'transaction { transactionId description }');
  }
  const debit = async () => (await simulate('ach-debit', { accountId })).depositTransaction.transactionId;
  await simulate('ach-return', { accountId, transactionId: await debit(), code: 'R01' });
  await ask(
    'simulateAchReturn',
    `${of}, transactionId: "${await debit()}", code: R29`,
    'transaction { transactionId memo }',
  );

  const other = accountOf(given);
  await writer.once({ method: 'POST', path: '/accounts', body: other });
  const incoming = { accountId, fromAccountId: other.accountId };
  const { transferId } = await simulate('incoming-transfer', incoming);
  await simulate('transfer-return', { accountId, transferId });
  await ask(
    'simulateIncomingTransfer',
    `${of}, fromAccountId: "${other.accountId}"`,
    'transfer { transferId description }',
  );
  const { transferId: second } = await simulate('incoming-transfer', incoming);
  await ask('simulateTransferReturn', `${of}, transferId: "${second}"`, 'transfer { status }');

  const card = { accountId, number: cardNumber(), cardHolderId: owner, type: 'VIRTUAL', status: 'ACTIVE' };
  const query = 'mutation ($input: CardInput!) { write: createCard(input: { card: $input }) { card { cardId } } }';
  const input = { ...card, currency: 'USD', expiration: '1299', cardProductId: 'classic' };
  await writer.once({ method: 'POST', path: '/graphql', body: { query, variables: { input } } });
  const authorized = async () => (await simulate('card-authorization', { accountId })).holdId;
  await ask('simulateCardAuthorization', of, 'hold { holdId description }');
  const [one, another] = [await authorized(), await authorized()];
  await simulate('card-capture', { accountId, holdId: one });
  await ask('simulateCardCapture', `${of}, holdId: "${another}"`, 'hold { holdId capturedAmount }');
  await simulate('card-refund', { accountId, transactionId: `${one}~1` });
  await ask('simulateCardRefund', `${of}, transactionId: "${another}~1"`, 'transaction { transactionId }');
  await simulate('card-reversal', { accountId, holdId: await authorized() });
  await ask('simulateCardReversal', `${of}, holdId: "${await authorized()}"`, 'hold { status }');
  await simulate('hold-expiry', { accountId, holdId: await authorized() });
  await ask('simulateHoldExpiry', `${of}, holdId: "${await authorized()}"`, 'hold { status }');

  await simulate('month-close', {});
  await ask('simulateMonthClose', '', 'run { runId }');
  await simulate('clock', { forward: 'PT1S' });
  await ask('simulateClock', 'forward: "PT1S"', 'move { now }');
}
