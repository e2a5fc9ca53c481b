import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { pinHmac, type PinVerification } from '../../src/bank/card/card.vault.js';
import { KeyRing } from '../../src/platform/crypto/key-ring.js';
import { cardNumber, newCard } from '../support/card.js';
import { digits } from '../support/given.js';
import { keyed, startTestGateway, unique, type TestGateway } from '../support/gateway.js';
import { restCode } from '../support/answers.js';

const RING = KeyRing.generate();
let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ fieldKeys: RING });
});
afterAll(() => gateway.stop());

const PATH = '/cards/v1/cards';
const CREATE = `mutation ($input: CardInput!) { createCard(input: { card: $input }) { card { cardId number status } } }`;

async function given() {
  const account = await gateway.given.account();
  const me = gateway.as(account.caller);
  return { ...account, holder: account.owners[0] as string, rest: me.rest, graphql: me.graphql.bind(me) };
}
type CardCase = Awaited<ReturnType<typeof given>>;
const record = ({ account, holder }: CardCase, changes: Record<string, unknown> = {}) =>
  newCard(account, holder, changes);

/** The card as GraphQL spells it. */
function inputOf(card: ReturnType<typeof newCard>): object {
  const { pinIsSet: _, created, ...details } = card as typeof card & { readonly created?: string };
  const words = { type: card.type.toUpperCase(), status: card.status.toUpperCase() };
  return { ...details, ...words, ...(created !== undefined && { createdAt: created }) };
}

test('a created card comes back in the shape of the contract, without what must stay secret', async () => {
  const of = await given();
  const card = record(of);
  const answer = await of.rest.post(PATH, card);
  expect(answer.status).toBe(201);
  expect(answer.headers.location).toBe(`${PATH}/${card.cardId}?accountId=${of.account}`);
  expect(answer.body).toEqual({
    ...card,
    number: `************${card.last4}`,
    cvv: null,
    pin: null,
    pinIsSet: 'true',
    created: '2026-01-02T03:04:05.000Z',
  });
  expect(Object.keys(answer.body)).toEqual(Object.keys(card));
  const read = await of.rest.get(answer.headers.location as string);
  expect([read.status, read.text]).toEqual([200, answer.text]);
});

test.each(['RESTRICTED', 'CLOSED'] as const)(
  'an account that is %s gets no new card, alike over both APIs',
  async status => {
    const account = await gateway.given.account({ status });
    const me = gateway.as(account.caller);
    const card = newCard(account.account, account.owners[0] as string);
    const code = `account_${status.toLowerCase()}`;
    expect(await me.rest.post(PATH, card)).toMatchObject({ status: 409, body: { code } });
    const { errors } = await me.graphql(CREATE, { input: inputOf(card) });
    expect(errors).toMatchObject([{ extensions: { code: code.toUpperCase() } }]);
    const { data } = await me.graphql('query ($a: ID!) { account(accountId: $a) { cards { cardId } } }', {
      a: account.account,
    });
    expect(data).toEqual({ account: { cards: [] } });
  },
);

test('a card is read as it is now where Location points, whatever its ids are made of', async () => {
  const account = await gateway.given.account({ accountId: `a/b?c&d=%25#${digits(6)}` });
  const me = gateway.as(account.caller);
  const card = newCard(account.account, account.owners[0] as string, { cardId: `c/d?e&f=%25#${digits(6)}`, pin: null });
  const { headers, body } = await me.rest.post(PATH, card);
  await me.graphql(
    'mutation ($a: ID!, $c: ID!) { freezeCard(input: { accountId: $a, cardId: $c }) { card { status } } }',
    {
      a: account.account,
      c: card.cardId,
    },
  );
  expect((await me.rest.get(headers.location as string)).body).toEqual({ ...body, status: 'Frozen' });
});

test('a card of an account that the caller does not see is not there, and reading one needs its scope', async () => {
  const of = await given();
  const { headers, body } = await of.rest.post(PATH, record(of));
  const location = headers.location as string;
  const stranger = gateway.as(await gateway.caller({ program: unique('program') }));
  const neighbour = await gateway.given.account({ program: of.program });
  const asked = [
    [await stranger.rest.get(location), 404, 'account_not_found'],
    [await of.rest.get(`${PATH}/none?accountId=${of.account}`), 404, 'card_not_found'],
    [await of.rest.get(`${PATH}/${body.cardId}?accountId=${neighbour.account}`), 404, 'card_not_found'],
    [await of.rest.get(`${PATH}/${body.cardId}?accountId=none`), 404, 'account_not_found'],
    [await of.rest.get(`${PATH}/${body.cardId}`), 400, 'invalid_input'],
    [await of.rest.get(`${PATH}/${body.cardId}?accountId=`), 422, 'rule_broken'],
    [await of.rest.get(`${location}&accountId=${of.account}`), 400, 'invalid_input'],
    [
      await gateway.as(await gateway.caller({ program: of.program, scopes: 'cards.write' })).rest.get(location),
      403,
      'insufficient_scope',
    ],
  ] as const;
  for (const [answer, status, code] of asked) expect([answer.status, answer.body.code]).toEqual([status, code]);
});

test('empty texts of a card are none', async () => {
  const of = await given();
  const empty = { cardId: '', cvv: '', pin: '', pinIsSet: '', status: '', created: '', last4: '' };
  const { status, body } = await of.rest.post(PATH, record(of, empty));
  expect([status, body]).toMatchObject([201, { status: 'Inactive', pinIsSet: 'false', cvv: null, pin: null }]);
  expect(body.cardId).toMatch(/^[0-9a-f-]{36}$/);
});

test('a card without id, state, PIN and time gets them', async () => {
  const of = await given();
  const { cardId: _1, status: _2, pin: _3, created: _4, last4: _5, ...least } = record(of);
  const { body } = await of.rest.post(PATH, least);
  expect(body).toMatchObject({ status: 'Inactive', pinIsSet: 'false', last4: least.number.slice(-4) });
  expect(body.cardId).toMatch(/^[0-9a-f-]{36}$/);
  expect(Date.now() - Date.parse(body.created)).toBeLessThan(60_000);
});

test('an account shows its cards, the oldest first, and one by its id', async () => {
  const of = await given();
  const [younger, older] = [record(of), record(of, { created: '2025-01-01T00:00:00Z' })];
  for (const card of [younger, older]) await of.rest.post(PATH, card);
  const { data } = await of.graphql(
    `query ($a: ID!, $c: ID!) { account(accountId: $a) { cards { cardId type number last4 currency expiration accountId
      cardHolderId cardProductId pinIsSet status created: createdAt } card(cardId: $c) { cardId } none: card(cardId: "none") { cardId } } }`,
    { a: of.account, c: older.cardId },
  );
  expect(data.account.cards.map(({ cardId }: { cardId: string }) => cardId)).toEqual([older.cardId, younger.cardId]);
  expect(data.account.cards[1]).toEqual({
    cardId: younger.cardId,
    type: 'PHYSICAL',
    number: `************${younger.last4}`,
    last4: younger.last4,
    currency: 'USD',
    expiration: '1299',
    accountId: of.account,
    cardHolderId: of.holder,
    cardProductId: 'classic',
    pinIsSet: true,
    status: 'ACTIVE',
    created: '2026-01-02T03:04:05.000Z',
  });
  expect(data.account).toMatchObject({ card: { cardId: older.cardId }, none: null });
});

test('operators read who holds a card, also if that is no owner; others may not', async () => {
  const of = await given();
  const { customer } = await gateway.given.customer({ program: of.program });
  const cards = [
    record(of, { created: '2026-01-02T03:04:05Z' }),
    record(of, { cardHolderId: customer.toUpperCase(), created: '2026-01-03T03:04:05Z' }),
  ];
  for (const card of cards) expect((await of.rest.post(PATH, card)).status).toBe(201);
  const ask = 'query ($a: ID!) { account(accountId: $a) { cards { holder { customerId name { first } } } } }';
  const { data } = await of.graphql(ask, { a: of.account });
  expect(data.account.cards).toEqual(
    [of.holder, customer].map(customerId => ({ holder: { customerId, name: { first: 'Ada' } } })),
  );
  const reader = await gateway.caller({ program: of.program, scopes: ['accounts.read', 'cards.read'] });
  const refused = await gateway.as(reader).graphql(ask, { a: of.account });
  expect(refused.data.account.cards).toEqual([{ holder: null }, { holder: null }]);
  expect(refused.errors).toMatchObject(cards.map(() => ({ extensions: { code: 'INSUFFICIENT_SCOPE' } })));
});

test('a card sent three times with its key is one card; without a key the second is a conflict', async () => {
  const of = await given();
  const card = record(of);
  const key = unique('key');
  const answers = await Promise.all([1, 2, 3].map(() => of.rest.post(PATH, card, keyed(key))));
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
  expect(answers.filter(({ headers }) => headers['idempotent-replayed']).length).toBe(2);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect((await of.rest.post(PATH, card)).body).toMatchObject({ status: 409, code: 'card_exists' });
});

test('a retry over the other API gets the same card, and another number under the key is refused', async () => {
  const of = await given();
  const card = record(of);
  const key = unique('key');
  await of.rest.post(PATH, card, keyed(key));
  const retry = await of.graphql(CREATE, { input: inputOf(card) }, { headers: keyed(key) });
  expect(retry.headers['idempotent-replayed']).toBe('true');
  expect(retry.data.createCard.card).toEqual({
    cardId: card.cardId,
    number: `************${card.last4}`,
    status: 'ACTIVE',
  });
  const number = cardNumber();
  const other = await of.rest.post(PATH, { ...card, number, last4: number.slice(-4) }, keyed(key));
  expect(other.body).toMatchObject({ status: 422, code: 'idempotency_key_reused' });
});

test('an unknown holder is not recorded, so the corrected card may carry the same key', async () => {
  const of = await given();
  const card = record(of);
  const key = keyed(unique('key'));
  const unknown = await of.rest.post(PATH, { ...card, cardHolderId: randomUUID() }, key);
  expect([unknown.status, unknown.body.errors]).toMatchObject([422, [{ code: 'unknown_customer' }]]);
  const made = await of.rest.post(PATH, card, key);
  expect([made.status, made.headers['idempotent-replayed']]).toEqual([201, undefined]);
});

describe('a bad card is refused alike over GraphQL and REST, with nothing of it repeated:', () => {
  const SECRET_PIN = '73519264';
  test.each<[string, Record<string, unknown>, string, [pointer: string, code: string]]>([
    ['a wrong check digit', { number: '4242424242424241', last4: '4241' }, 'rule_broken', ['/number', 'card_number']],
    ['letters in the number', { number: '424242424242424x' }, 'rule_broken', ['/number', 'card_number']],
    ['last four digits of another number', { last4: '0001' }, 'rule_broken', ['/last4', 'last4']],
    ['month 13', { expiration: '1330' }, 'rule_broken', ['/expiration', 'format']],
    ['a past expiry', { expiration: '0120' }, 'rule_broken', ['/expiration', 'expired']],
    ['a currency in small letters', { currency: 'usd' }, 'invalid_input', ['/currency', 'wrong_type']],
    ['an unknown currency', { currency: 'XXQ' }, 'invalid_input', ['/currency', 'wrong_type']],
    [
      'an unknown holder',
      { cardHolderId: '7c0d5b1e-93a4-4f0e-9d0e-2f5b0f3c6a11' },
      'rule_broken',
      ['/cardHolderId', 'unknown_customer'],
    ],
    ['a PIN of letters', { pin: 'abcd' }, 'rule_broken', ['/pin', 'format']],
    ['a CVV of two digits', { cvv: '12' }, 'rule_broken', ['/cvv', 'format']],
    ['a number for the PIN', { pin: 1234 }, 'invalid_input', ['/pin', 'wrong_type']],
    ['an unknown field', { colour: 'red' }, 'invalid_input', ['/colour', 'unknown_field']],
  ])('%s', async (_what, changes, code, [pointer, problem]) => {
    const of = await given();
    const card = record(of, { pin: SECRET_PIN, ...changes });
    const rest = await of.rest.post(PATH, card);
    expect([rest.status, rest.body.code]).toEqual([code === 'rule_broken' ? 422 : 400, code]);
    const graphql = await of.graphql(CREATE, { input: inputOf(card) });
    expect(restCode(graphql.errors?.[0].extensions.code)).toBe(code);
    expect(rest.body.errors).toContainEqual(expect.objectContaining({ pointer, code: problem }));
    const inArgument = expect.objectContaining({ pointer: `/input/card${pointer}`, code: problem });
    expect(graphql.errors?.[0].extensions.errors).toContainEqual(inArgument);
    expect(graphql.status).toBe(code === 'rule_broken' ? 200 : 400);
    for (const text of [rest.text, graphql.text, gateway.log.join('')]) {
      expect(text).not.toContain(card.number);
      expect(text).not.toContain(SECRET_PIN);
    }
    const { rows } = await gateway.sql.query('SELECT FROM card WHERE account_id = $1', [of.account]);
    expect(rows).toEqual([]);
  });

  test('a kind in the words of the other API', async () => {
    const of = await given();
    expect((await of.rest.post(PATH, record(of, { type: 'PHYSICAL' }))).body.code).toBe('invalid_input');
    expect((await of.rest.post(PATH, 'no object')).status).toBe(400);
  });
});

describe('the life of a card', () => {
  const step = (of: CardCase, cardId: string, mutation: string) =>
    of.graphql(`mutation ($a: ID!, $c: ID!) { ${mutation} { card { status } } }`, { a: of.account, c: cardId });
  const CALLS: Record<string, string> = {
    activate: 'activateCard(input: { accountId: $a, cardId: $c })',
    freeze: 'freezeCard(input: { accountId: $a, cardId: $c })',
    unfreeze: 'unfreezeCard(input: { accountId: $a, cardId: $c })',
    lost: 'reportCard(input: { accountId: $a, cardId: $c, loss: LOST })',
    stolen: 'reportCard(input: { accountId: $a, cardId: $c, loss: STOLEN })',
    close: 'closeCard(input: { accountId: $a, cardId: $c })',
  };
  const ENDS = { lost: 'LOST', stolen: 'STOLEN', close: 'CLOSED' };

  /** Where each step leads from each state; all that is not here is refused. */
  const LEADS: Record<string, Record<string, string>> = {
    Inactive: { activate: 'ACTIVE', ...ENDS },
    Active: { freeze: 'FROZEN', ...ENDS },
    Frozen: { unfreeze: 'ACTIVE', ...ENDS },
    Lost: {},
    Stolen: {},
    Closed: {},
  };

  test.each(Object.keys(LEADS))('from %s goes where it may, and nowhere else', async status => {
    const of = await given();
    for (const [name, call] of Object.entries(CALLS)) {
      const { body } = await of.rest.post(PATH, record(of, { status }));
      const { data, errors } = await step(of, body.cardId, call);
      const target = LEADS[status]?.[name];
      if (target) expect(Object.values(data)).toEqual([{ card: { status: target } }]);
      else expect(errors?.[0].extensions.code).toBe('CARD_STATE');
    }
  });

  test('of a card that the account does not have is refused', async () => {
    const of = await given();
    const { errors } = await step(of, 'none', CALLS['freeze'] as string);
    expect(errors?.[0].extensions.code).toBe('CARD_NOT_FOUND');
  });

  test('leaves an event for each step, without the number', async () => {
    const of = await given();
    const card = record(of);
    await of.rest.post(PATH, card);
    await step(of, card.cardId, CALLS['freeze'] as string);
    const { rows } = await gateway.sql.query(
      'SELECT action, object, data FROM event WHERE account_id = $1 ORDER BY id',
      [of.account],
    );
    const data = { type: 'PHYSICAL', last4: card.last4 };
    expect(rows).toEqual([
      { action: 'card.create', object: `card/${card.cardId}`, data: { ...data, status: 'ACTIVE' } },
      {
        action: 'card.freeze',
        object: `card/${card.cardId}`,
        data: { ...data, status: 'FROZEN', previousStatus: 'ACTIVE' },
      },
    ]);
  });
});

test('what a step answers leads to the account where the caller may read accounts', async () => {
  const of = await given();
  const { body } = await of.rest.post(PATH, record(of));
  const answers = [];
  for (const [mutation, scopes] of [
    ['freezeCard', 'cards.write'],
    ['unfreezeCard', 'cards.write accounts.read'],
  ] as const) {
    const me = gateway.as(await gateway.caller({ program: of.program, scopes }));
    const { data, errors } = await me.graphql(
      `mutation ($a: ID!, $c: ID!) { ${mutation}(input: { accountId: $a, cardId: $c }) { card { status } account { accountId } } }`,
      { a: of.account, c: body.cardId },
    );
    answers.push([data[mutation], errors?.map(({ path, extensions }) => [path, extensions.code])]);
  }
  expect(answers).toEqual([
    [{ card: { status: 'FROZEN' }, account: null }, [[['freezeCard', 'account'], 'INSUFFICIENT_SCOPE']]],
    [{ card: { status: 'ACTIVE' }, account: { accountId: of.account } }, undefined],
  ]);
});

describe('a step names its card', () => {
  const FREEZE = `mutation ($input: FreezeCardInput!) { freezeCard(input: $input) { card { id status } account { accountId } } }`;
  const IDS = 'query ($a: ID!) { account(accountId: $a) { id cards { id cardId } } }';

  async function withTwo() {
    const of = await given();
    const [card, other] = [record(of), record(of)];
    for (const one of [card, other]) await of.rest.post(PATH, one);
    const { data } = await of.graphql(IDS, { a: of.account });
    const idOf = (cardId: string): string =>
      data.account.cards.find((one: { cardId: string }) => one.cardId === cardId).id;
    const parts = { accountId: of.account, cardId: card.cardId };
    const freeze = async (input: object, headers = {}) => {
      const { data: done, errors } = await of.graphql(FREEZE, { input }, { headers });
      const [error] = errors ?? [];
      if (!error) return done.freezeCard;
      expect(done ?? { freezeCard: null }).toEqual({ freezeCard: null });
      const { code, errors: problems = [] } = error.extensions;
      return [code, ...problems.map(problem => `${problem.pointer} ${problem.code}`)];
    };
    const ids = { account: data.account.id as string, card: idOf(card.cardId), other: idOf(other.cardId) };
    return { ...of, parts, other: other.cardId, ids, freeze };
  }

  test('by its id, by the parts of its key, or by both, and each is the same request under a key', async () => {
    const { account, parts, ids, freeze } = await withTwo();
    const key = keyed(unique('key'));
    const done = { card: { id: ids.card, status: 'FROZEN' }, account: { accountId: account } };
    expect(await freeze({ id: ids.card }, key)).toEqual(done);
    expect(await freeze(parts, key)).toEqual(done);
    expect(await freeze({ id: ids.card, ...parts }, key)).toEqual(done);
    expect(await freeze({ id: ids.card, cardId: parts.cardId }, key)).toEqual(done);
    expect(await freeze({ id: ids.other }, key)).toEqual(['IDEMPOTENCY_KEY_REUSED']);
    expect(await freeze({ id: ids.card })).toEqual(['CARD_STATE']);
  });

  test('and is refused where it names none, another one, or a record of another type', async () => {
    const { account, rest, parts, other, ids, freeze } = await withTwo();
    const nothing = Buffer.from(`Card ${account}`).toString('base64url');
    for (const [input, refusal] of [
      [{}, ['RULE_BROKEN', '/input/accountId alternatives']],
      [{ id: null }, ['RULE_BROKEN', '/input/accountId alternatives']],
      [{ id: '' }, ['RULE_BROKEN', '/input/accountId alternatives']],
      [{ cardId: parts.cardId }, ['RULE_BROKEN', '/input/accountId alternatives']],
      [{ accountId: account }, ['RULE_BROKEN', '/input/cardId alternatives']],
      [{ ...parts, id: ids.other }, ['RULE_BROKEN', '/input/cardId alternatives']],
      [{ id: ids.card, accountId: unique('acc') }, ['RULE_BROKEN', '/input/accountId alternatives']],
      [{ id: ids.account }, ['INVALID_INPUT', '/input/id format']],
      [{ ...parts, id: ids.account }, ['INVALID_INPUT', '/input/id format']],
      [{ id: nothing }, ['INVALID_INPUT', '/input/id format']],
      [{ id: parts.cardId }, ['INVALID_INPUT', '/input/id format']],
    ] as const) {
      expect([input, await freeze(input)]).toEqual([input, refusal]);
    }
    for (const cardId of [parts.cardId, other]) {
      expect((await rest.get(`${PATH}/${cardId}?accountId=${account}`)).body.status).toBe('Active');
    }
  });

  test('and that of an account which the caller does not see is not there', async () => {
    const { ids } = await withTwo();
    const stranger = gateway.as(await gateway.caller({ program: unique('program') }));
    const { data, errors } = await stranger.graphql(FREEZE, { input: { id: ids.card } });
    expect([data, errors?.[0].extensions.code]).toEqual([{ freezeCard: null }, 'ACCOUNT_NOT_FOUND']);
  });
});

test('what is stored of a card holds its number sealed, its PIN as a keyed value, and no CVV', async () => {
  const of = await given();
  const card = record(of, { pin: '846201937542', cvv: '917' });
  await of.rest.post(PATH, card, keyed(unique('key')));
  const { rows } = await gateway.sql.query('SELECT * FROM card WHERE account_id = $1', [of.account]);
  const stored = JSON.stringify(
    rows.map(row =>
      Object.values(row as object).map(value => (Buffer.isBuffer(value) ? value.toString('latin1') : value)),
    ),
  );
  for (const secret of [card.number, card.pin, '"917"']) expect(stored).not.toContain(secret);
  const keys = KeyRing.parse(RING);
  expect(keys.open(`card/${of.account}/${card.cardId}`, rows[0].sealed_number)).toBe(card.number);
  const { salt, hmac } = keys.open<PinVerification>(`card/${of.account}/${card.cardId}/pin`, rows[0].pin_verification);
  expect(hmac).toBe(pinHmac(salt, '846201937542'));
  expect(hmac).not.toBe(pinHmac(salt, '846201937543'));
});

test('an account has at most 100 cards', async () => {
  const of = await given();
  await gateway.sql.query(
    `INSERT INTO card (account_id, card_id, type, number, last4, currency, expiration, card_holder_id, card_product_id,
       pin_is_set, status, created, sealed_number, number_digest)
     SELECT $1, 'c' || i, 'VIRTUAL', '****', '0000', 'USD', '1299', $2, 'p', false, 'ACTIVE', now(), '', sha256(($1 || i)::bytea)
     FROM generate_series(1, 100) i`,
    [of.account, of.holder],
  );
  expect((await of.rest.post(PATH, record(of))).body).toMatchObject({ status: 409, code: 'too_many_cards' });
});
