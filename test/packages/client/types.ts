// Compiled with the tests, and never run: what the types of the client allow and refuse.
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
import * as documents from '../../../packages/client/src/generated/documents.js';
import { AccountNotFound, TillgateError, type Decimal, type Tillgate } from '../../../packages/client/src/index.js';
import { verifyWebhook } from '../../../packages/client/src/webhooks.js';

type SameType<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;
function expectType<Expected>() {
  return <Actual>(_value: Actual, ..._same: SameType<Actual, Expected> extends true ? [] : [never]): void => undefined;
}

export async function typed(tillgate: Tillgate): Promise<void> {
  // Amounts are texts in both directions.
  expectType<Decimal>()((await tillgate.accounts.get('a')).availableBalance);
  for await (const { amount } of tillgate.accounts.transactions('a', { status: ['POSTED'] })) {
    expectType<Decimal>()(amount);
  }
  await tillgate.holds.place('a', { holdId: 'h', amount: '1.00', description: 'd', expiresAt: '' });
  // @ts-expect-error A number would be rounded.
  await tillgate.holds.place('a', { holdId: 'h', amount: 1.0, description: 'd', expiresAt: '' });
  // @ts-expect-error There is no such status.
  tillgate.accounts.transactions('a', { status: ['DONE'] });
  // @ts-expect-error Required fields are missing.
  await tillgate.beneficiaries.add('a', { name: { first: 'Ada', last: 'Once' } });

  // Routes by their names.
  expectType<string>()((await tillgate.rest('GET /viewer')).clientId);
  await tillgate.rest('GET /search', { query: { text: 'Ada' } });
  // @ts-expect-error There is no such route.
  await tillgate.rest('GET /no-such-route');
  // @ts-expect-error Its path needs an id.
  await tillgate.rest('GET /accounts/{accountId}');

  // Documents of this package and of others.
  expectType<Decimal | undefined>()(
    (await tillgate.graphql(documents.Account, { accountId: 'a' })).account?.availableBalance,
  );
  await tillgate.graphql(documents.FeedCursor);
  // @ts-expect-error The operation needs an id.
  await tillgate.graphql(documents.Account);
  // @ts-expect-error The variable has another name.
  await tillgate.graphql(documents.Account, { account: 'a' });
  const foreign = {} as DocumentTypeDecoration<{ readonly one: number }, { readonly id: string }>;
  expectType<number>()((await tillgate.graphql(foreign, { id: 'a' })).one);
  expectType<unknown>()(await tillgate.graphql('{ feedCursor }'));
  for await (const item of tillgate.subscribe(documents.TransactionPosted, { accountId: 'a' })) {
    expectType<string | undefined>()(item.transactionPosted?.cursor);
  }

  // Events are known by their type.
  const event = await verifyWebhook({ headers: {}, body: '', secrets: '' });
  if (event.type === 'beneficiary.added') expectType<number>()(event.data.sharePercentage);
  // @ts-expect-error This type of events has no such fact.
  if (event.type === 'card.frozen') void event.data.sharePercentage;

  const error: unknown = null;
  if (error instanceof AccountNotFound) expectType<string>()(error.code);
  if (error instanceof TillgateError) expectType<string | undefined>()(error.errors[0]?.pointer);
}
