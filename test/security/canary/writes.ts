import { randomUUID } from 'node:crypto';
import { newHold } from '../../hold/support/holds.js';
import { OF_BENEFICIARY, OF_OWNER, type Canaries, type ShownKind } from './canaries.js';
import { beneficiaryOf, cardOf, type CanaryRecords } from './records.js';
import type { Write, Writer } from './writer.js';

interface Beneficiary {
  readonly beneficiaryId: string;
}

interface Card {
  readonly cardId: string;
}

/** The answer to a mutation whose field is called `write`. */
interface WriteAnswer<Payload> {
  readonly data: { readonly write: Payload };
}

const beneficiaryIn = ({ data }: WriteAnswer<{ readonly beneficiary: Beneficiary }>) => data.write.beneficiary;
const cardIn = ({ data }: WriteAnswer<{ readonly card: Card }>) => data.write.card;

/** The writes of REST. */
export async function writeOverRest(writer: Writer, canaries: Canaries, given: CanaryRecords): Promise<void> {
  const list = `/accounts/${given.account}/beneficiaries`;
  const person = (sentBy: string) => beneficiaryOf(canaries.person('beneficiary', `REST ${sentBy}`));
  const mayShow = OF_BENEFICIARY;
  const add = (sentBy: string): Write => ({ method: 'POST', path: list, body: person(sentBy), mayShow });
  const { beneficiaryId } = await writer.once<Beneficiary>(add('add'));
  const added = await writer.withReplay<Beneficiary>(add('keyed add'));
  for (const [index, path] of [`${list}/${beneficiaryId}`, `${list}/${added.beneficiaryId}`].entries()) {
    await writer.once({ method: 'PATCH', path, body: person(`patch ${index}`), mayShow });
    await writer.withReplay({ method: 'PATCH', path, body: person(`keyed patch ${index}`), mayShow });
  }
  await writer.once({ method: 'DELETE', path: `${list}/${beneficiaryId}`, mayShow });
  await writer.withReplay({ method: 'DELETE', path: `${list}/${added.beneficiaryId}`, mayShow });

  const holders = { holders: [{ customerId: given.other }] };
  const owners = (step: 'add' | 'remove') => ({
    method: 'POST',
    path: `/accounts/${given.account}/owners/${step}`,
    body: holders,
  });
  await writer.once({ ...owners('add'), mayShow: OF_OWNER });
  await writer.once(owners('remove'));
  await writer.withReplay({ ...owners('add'), mayShow: OF_OWNER });
  await writer.withReplay(owners('remove'));

  const card = (sentBy: string) => cardOf(canaries.card('card', `REST ${sentBy}`), given);
  await writer.once({ method: 'POST', path: '/cards/v1/cards', body: card('create') });
  await writer.withReplay({ method: 'POST', path: '/cards/v1/cards', body: card('keyed create') });

  const [captured, released] = [newHold(), newHold()];
  const holds = `/accounts/${given.account}/holds`;
  for (const input of [captured, released]) {
    await writer.withReplay({ method: 'POST', path: holds, body: { ...input, amount: 75 } });
  }
  await writer.withReplay({ method: 'POST', path: `${holds}/${captured.holdId}/capture`, body: { amount: 1 } });
  await writer.withReplay({ method: 'POST', path: `${holds}/${released.holdId}/release` });
}

const BENEFICIARY = `beneficiaryId name { first middle last } taxId taxIdType dateOfBirth addresses { line1 line2 line3 city }
  emails { email } phones { number } sharePercentage`;
const OWNER = 'customerId ownerStatus reason owner { taxId governmentId contact { email telephones { number } } }';
const CARD = 'cardId number last4 expiration pinIsSet status';

/** The writes of GraphQL. */
export async function writeOverGraphql(writer: Writer, canaries: Canaries, given: CanaryRecords): Promise<void> {
  const { account } = given;
  const ask = (query: string, variables: object, mayShow?: readonly ShownKind[]): Write => ({
    method: 'POST',
    path: '/graphql',
    body: {
      query,
      variables: {
        account,
        ...variables,
      },
    },
    ...(mayShow && { mayShow }),
  });
  const person = (sentBy: string) => beneficiaryOf(canaries.person('beneficiary', `GraphQL ${sentBy}`));
  const add = (input: object) =>
    ask(
      `mutation ($account: ID!, $input: BeneficiaryInput!) { write: addBeneficiary(input: { accountId: $account, beneficiary: $input }) { beneficiary { ${BENEFICIARY} } } }`,
      { input },
      OF_BENEFICIARY,
    );
  const update = (id: string, input: object) =>
    ask(
      `mutation ($account: ID!, $id: ID!, $input: BeneficiaryPatch!) {
        write: updateBeneficiary(input: { accountId: $account, beneficiaryId: $id, patch: $input }) { beneficiary { ${BENEFICIARY} } } }`,
      { id, input },
      OF_BENEFICIARY,
    );
  const remove = (id: string) =>
    ask(
      `mutation ($account: ID!, $id: ID!) { write: deleteBeneficiary(input: { accountId: $account, beneficiaryId: $id }) { beneficiary { ${BENEFICIARY} } } }`,
      { id },
      OF_BENEFICIARY,
    );
  const { beneficiaryId: one } = beneficiaryIn(await writer.once(add(person('add'))));
  const { beneficiaryId: two } = beneficiaryIn(await writer.withReplay(add(person('keyed add'))));
  await writer.once(update(one, person('update')));
  await writer.withReplay(update(two, person('keyed update')));
  await writer.once(remove(one));
  await writer.withReplay(remove(two));

  const owners = (step: string, mayShow?: readonly ShownKind[]) =>
    ask(
      `mutation ($account: ID!, $ids: [ID!]!) { write: ${step}(input: { accountId: $account, customerIds: $ids }) { results { ${OWNER} } } }`,
      { ids: [given.other] },
      mayShow,
    );
  await writer.once(owners('addAccountOwners', OF_OWNER));
  await writer.once(owners('removeAccountOwners'));
  await writer.withReplay(owners('addAccountOwners', OF_OWNER));
  await writer.withReplay(owners('removeAccountOwners'));
  await writeCards(writer, canaries, given, ask);
  const posted = Array.from({ length: 4 }, () => posting(account));
  await writer.once(ask(POST, { transactions: posted.slice(0, 2) }));
  await writer.withReplay(ask(POST, { transactions: posted.slice(2) }));
  const reversal = (id: string) => ask(REVERSE, { id });
  const restReversal = (id: string): Write => ({
    method: 'POST',
    path: `/accounts/${account}/transactions/${id}/reverse`,
    body: { reason: 'Because' },
  });
  const [first, second, third, fourth] = posted.map(({ transactionId }) => transactionId) as [
    string,
    string,
    string,
    string,
  ];
  await writer.once(reversal(first));
  await writer.withReplay(reversal(second));
  await writer.once(restReversal(third));
  await writer.withReplay(restReversal(fourth));
  await writeHolds(write => writer.once(write), ask);
  await writeHolds(write => writer.withReplay(write), ask);
}

async function writeHolds(
  write: (one: Write) => Promise<unknown>,
  ask: (query: string, variables: object) => Write,
): Promise<void> {
  const [captured, released] = [newHold(), newHold()];
  for (const input of [captured, released]) {
    await write(
      ask(
        `mutation ($account: ID!, $input: HoldInput!) { write: placeHold(input: { accountId: $account, hold: $input }) { hold { holdId } } }`,
        { input },
      ),
    );
  }
  const step = (name: string, id: string) =>
    ask(
      `mutation ($account: ID!, $id: ID!) { write: ${name}(input: { accountId: $account, holdId: $id }) { hold { holdId } } }`,
      { id },
    );
  await write(step('captureHold', captured.holdId));
  await write(step('releaseHold', released.holdId));
}

const POST = `mutation ($account: ID!, $transactions: [TransactionInput!]!) {
  write: postAccountTransactions(input: { accountId: $account, transactions: $transactions }) { transactions { transactionId amount description memo } } }`;

const REVERSE = `mutation ($account: ID!, $id: ID!) {
  write: reverseTransaction(input: { accountId: $account, transactionId: $id, reason: "Because" }) { transaction { transactionId description } } }`;

/** Without canaries: descriptions and memos are the ledger's free text, which its readers are shown as it is. */
function posting(account: string) {
  return {
    transactionId: `${account}-${randomUUID().slice(0, 8)}`,
    amount: '12.50',
    direction: 'CREDIT',
    category: 'ACH',
    transactionType: 'DIRECTDEPOSIT',
    status: 'POSTED',
    description: 'Seed',
    memo: 'Millet',
    transactedAt: '2026-03-02T15:00:00.000Z',
    postedAt: '2026-03-02T16:00:00.000Z',
  };
}

async function writeCards(
  writer: Writer,
  canaries: Canaries,
  given: CanaryRecords,
  ask: (query: string, variables: object) => Write,
): Promise<void> {
  const input = (sentBy: string) => {
    const card = cardOf(canaries.card('card', `GraphQL ${sentBy}`), given);
    return { ...card, type: 'PHYSICAL', status: 'INACTIVE' };
  };
  const create = (card: object) =>
    ask(`mutation ($input: CardInput!) { write: createCard(input: { card: $input }) { card { ${CARD} } } }`, {
      input: card,
    });
  const step = (name: string, id: string) =>
    ask(
      `mutation ($account: ID!, $id: ID!) { write: ${name}(input: { accountId: $account, cardId: $id${name === 'reportCard' ? ', loss: STOLEN' : ''} }) { card { ${CARD} } } }`,
      { id },
    );
  const { cardId: one } = cardIn(await writer.once(create(input('create'))));
  const { cardId: two } = cardIn(await writer.withReplay(create(input('keyed create'))));
  for (const name of ['activateCard', 'freezeCard', 'unfreezeCard', 'reportCard']) await writer.once(step(name, one));
  const anotherLife = ['activateCard', 'freezeCard', 'unfreezeCard', 'closeCard'];
  for (const name of anotherLife) await writer.withReplay(step(name, two));
}
