import { randomUUID } from 'node:crypto';
import { OF_CUSTOMER, type Canaries } from './canaries.js';
import { customerOf, type CanaryRecords } from './records.js';
import type { Write, Writer } from './writer.js';

interface OwnerAnswer {
  readonly data: { readonly write: { readonly customer: { readonly customerId: string } } };
}

const CUSTOMER = `customerId name { first } taxId governmentId dateOfBirth contact { email telephones { number } }
  addresses { line1 line2 line3 }`;

/** The writes on customers and accounts of their operators, over REST and GraphQL. A reason takes no personal data. */
export async function writeAccounts(writer: Writer, canaries: Canaries, given: CanaryRecords): Promise<void> {
  const person = (sentBy: string) => customerOf(canaries.person('customer', `operator's ${sentBy}`));
  const note = (sentBy: string) => canaries.person('customer', `note ${sentBy}`).email;
  await overRest(writer, person, given, note);
  await overGraphql(writer, person, given, note);
}

/** Money that goes to an account and comes back, since only an empty account is closed. */
function bothWays({ account }: CanaryRecords, { accountId }: { readonly accountId: string }) {
  return [
    [account, accountId],
    [accountId, account],
  ] as const;
}

const TRANSFER = `mutation ($account: ID!, $to: ID!, $id: ID!) {
  write: createTransfer(input: { transfer: { fromAccountId: $account, toAccountId: $to, transferId: $id, amount: "1.00" } }) { transfer { status } } }`;

const TRANSFERS = `mutation ($account: ID!, $to: ID!, $a: ID!, $b: ID!) { write: createTransfers(input: { transfers: [
  { fromAccountId: $to, toAccountId: $account, transferId: $a, amount: "1.00" }
  { fromAccountId: $account, toAccountId: $to, transferId: $b, amount: "1.00" }] }) { results { transfer { status } } } }`;

const REVERSE = `mutation ($account: ID!) { write: reverseTransfer(input: { transferId: $account, reason: "Because" }) { transfer { status } } }`;

type PersonOf = (sentBy: string) => object;

/** An account of the owner, not yet opened. */
export function accountOf({ owner }: CanaryRecords) {
  return {
    accountId: `nest-${randomUUID().slice(0, 8)}`,
    accountType: 'SAVINGS',
    currency: 'USD',
    timeZone: 'UTC',
    interestBearing: true,
    openedOn: '2026-03-31',
    owners: [owner],
  };
}

/** A note of operators may name people. */
type NoteOf = (sentBy: string) => string;

const NOTE = `mutation ($account: ID!, $text: String!) { write: addNote(input: { note: { accountId: $account, text: $text } }) { note { text } } }`;

/** The name of a program for its operators takes no personal data. */
const RENAME =
  'mutation ($account: String!) { write: updateProgram(input: { patch: { name: $account } }) { program { name } } }';

async function overRest(writer: Writer, person: PersonOf, given: CanaryRecords, note: NoteOf): Promise<void> {
  const mayShow = OF_CUSTOMER;
  const create = (sentBy: string): Write => ({ method: 'POST', path: '/customers', body: person(sentBy), mayShow });
  const { customerId } = await writer.once<{ customerId: string }>(create('create over REST'));
  await writer.withReplay(create('keyed create over REST'));
  const path = `/customers/${customerId}`;
  await writer.once({ method: 'PATCH', path, body: person('patch over REST'), mayShow });
  await writer.withReplay({ method: 'PATCH', path, body: person('keyed patch over REST'), mayShow });
  await writer.withReplay({ method: 'POST', path: `${path}/erase`, body: { reason: 'Request of the customer' } });

  const account = accountOf(given);
  const one = `/accounts/${account.accountId}`;
  await writer.withReplay({ method: 'POST', path: '/accounts', body: account });
  await writer.withReplay({ method: 'PATCH', path: one, body: { overdraftLimit: 20 } });
  const noted = { accountId: account.accountId, text: note('over REST') };
  await writer.withReplay({ method: 'POST', path: '/notes', body: noted, mayShow });
  for (const [fromAccountId, toAccountId] of bothWays(given, account)) {
    const body = { fromAccountId, toAccountId, transferId: randomUUID(), amount: 1 };
    await writer.withReplay({ method: 'POST', path: '/transfers', body });
    const reverse = `/transfers/${body.transferId}/reverse`;
    await writer.withReplay({ method: 'POST', path: reverse, body: { reason: 'Because' } });
  }
  await writer.withReplay({ method: 'PATCH', path: `${one}/transfer-limits`, body: { perDay: 1000 } });
  const transfers = bothWays(given, account).map(([fromAccountId, toAccountId]) => ({
    fromAccountId,
    toAccountId,
    transferId: randomUUID(),
    amount: 1,
  }));
  await writer.withReplay({ method: 'POST', path: '/transfers/batch', body: { transfers } });
  for (const step of ['restrict', 'unrestrict', 'close']) {
    await writer.withReplay({ method: 'POST', path: `${one}/${step}`, body: { reason: 'Because' } });
  }
}

async function overGraphql(writer: Writer, person: PersonOf, given: CanaryRecords, note: NoteOf): Promise<void> {
  const ask = (query: string, variables: object): Write => ({
    method: 'POST',
    path: '/graphql',
    body: {
      query,
      variables,
    },
  });
  const create = (sentBy: string): Write => ({
    ...ask(
      `mutation ($input: CustomerInput!) { write: createCustomer(input: { customer: $input }) { customer { ${CUSTOMER} } } }`,
      {
        input: person(sentBy),
      },
    ),
    mayShow: OF_CUSTOMER,
  });
  const { customerId: id } = (await writer.once<OwnerAnswer>(create('create over GraphQL'))).data.write.customer;
  await writer.withReplay(create('keyed create over GraphQL'));
  const update = (sentBy: string): Write => ({
    ...ask(
      `mutation ($id: ID!, $input: CustomerPatch!) { write: updateCustomer(input: { customerId: $id, patch: $input }) { customer { ${CUSTOMER} } } }`,
      { id, input: person(sentBy) },
    ),
    mayShow: OF_CUSTOMER,
  });
  await writer.once(update('update over GraphQL'));
  await writer.withReplay(update('keyed update over GraphQL'));
  const erase = (reason: string): Write =>
    ask(
      `mutation ($account: ID!, $reason: String!) { write: eraseCustomer(input: { customerId: $account, reason: $reason }) { customer { version } } }`,
      { account: id, reason },
    );
  await writer.withReplay(erase('Request of the customer'));

  const input = accountOf(given);
  const account = input.accountId;
  await writer.once(
    ask('mutation ($input: AccountInput!) { write: openAccount(input: { account: $input }) { account { status } } }', {
      input,
    }),
  );
  const step = (field: string) =>
    writer.withReplay(ask(`mutation ($account: ID!) { write: ${field} { account { status } } }`, { account }));
  await step('updateAccount(input: { accountId: $account, patch: { overdraftLimit: "20.00" } })');
  await writer.withReplay({ ...ask(NOTE, { account, text: note('over GraphQL') }), mayShow: OF_CUSTOMER });
  await writer.withReplay(ask(RENAME, { account: 'Canaries and others' }));
  for (const [from, to] of bothWays(given, input)) {
    const transferId = randomUUID();
    await writer.withReplay(ask(TRANSFER, { account: from, to, id: transferId }));
    await writer.withReplay(ask(REVERSE, { account: transferId }));
  }
  await writer.withReplay(
    ask(
      'mutation ($account: ID!) { write: setTransferLimits(input: { accountId: $account, patch: { perDay: "1000.00" } }) { limits { perDay } } }',
      { account },
    ),
  );
  await writer.withReplay(ask(TRANSFERS, { account, to: given.account, a: randomUUID(), b: randomUUID() }));
  for (const name of ['restrict', 'unrestrict', 'close']) {
    await step(`${name}Account(input: { accountId: $account, reason: "Because" })`);
  }
}
