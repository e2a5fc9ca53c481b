import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newCard } from '../support/card.js';
import { NAMES } from '../support/awkward-people.js';
import { differsOnCitus } from '../support/citus-differences.js';
import { testUnless } from '../support/unless.js';
import { explained } from '../support/explained.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { digits, type GivenAccount } from '../support/given.js';
import { rounds } from '../support/rounds.js';
import type * as Inside from './search.inside.js';

/** The most hits of a search. */
const MAX_HITS = 20;

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({});
});
afterAll(() => gateway.stop());

const SEARCH = `query ($text: String!) { search(text: $text) { kind accountId cardId customerId label detail account { accountId } } }`;

interface Hit {
  readonly kind: string;
  readonly accountId: string | null;
  readonly cardId: string | null;
  readonly customerId: string | null;
  readonly label: string;
  readonly detail: string | null;
}
type SearchAnswer = { search: (Hit & { account: { accountId: string } | null })[] };

/** What is found, which is the same over both APIs. */
async function found(caller: string, text: string): Promise<Hit[]> {
  const me = gateway.as(caller);
  const { data, errors } = await me.graphql<SearchAnswer>(SEARCH, { text });
  expect(errors).toBeUndefined();
  const hits = data.search.map(({ account, ...hit }) => {
    expect(account?.accountId ?? null).toBe(hit.accountId);
    return hit;
  });
  const { status, body } = await me.rest.get(`/search?text=${encodeURIComponent(text)}`);
  const inRest = hits.map(hit => Object.fromEntries(Object.entries(hit).map(([name, value]) => [name, value ?? ''])));
  expect([status, body]).toEqual([200, { hits: inRest }]);
  return hits;
}

/** A virtual card of an account. */
async function cardOf({ account, owners, caller }: Pick<GivenAccount, 'account' | 'owners' | 'caller'>) {
  const card = newCard(account, owners[0] as string, { type: 'Virtual' });
  expect((await gateway.as(caller).rest.post('/cards/v1/cards', card)).status).toBe(201);
  return card;
}

/** A customer with this name and tax id, made by the API as an operator does. */
async function customer(
  program: string,
  name: object,
  taxId: string | null = null,
  changes: object = {},
): Promise<string> {
  const sent = { name, ...(taxId !== null && { taxId, taxIdCountry: 'US' }), ...changes };
  const { body } = await gateway.as(await gateway.caller({ program })).rest.post('/customers', sent);
  return body.customerId as string;
}

describe('a search finds what a clerk hears on the telephone', () => {
  const JUNIPER = {
    bankNumber: 'KD-004711',
    contact: {
      email: ['Juniper.Ashdown@Example.test', 'j.ashdown@work.example'],
      telephones: [
        { type: 'CELL', country: 'US', number: '+1 312 555 0156' },
        { type: 'HOME', country: 'DE', number: '030/90 18 20-0' },
        { type: 'BUSINESS', country: 'RU', number: '+7 (495) 123-45-67 ext. 12' },
      ],
    },
  };
  let program: string;
  let caller: string;
  let juniper: string;
  beforeAll(async () => {
    program = gateway.given.program();
    caller = await gateway.caller({ program });
    juniper = await customer(program, { first: 'Juniper', last: 'Ashdown' }, '900-12-1025', JUNIPER);
    await customer(program, { first: 'Ashley', last: 'Vossberg' }, '900-12-1026', {
      bankNumber: 'KD-004712',
      contact: { email: ['ashley@example.test'], telephones: [{ type: 'CELL', number: '+1 412 555 0156' }] },
    });
  });

  test.each([
    ['the last name', 'Ashdown'],
    ['the first name alone', 'juniper'],
    ['the beginning of the last name', 'Ashdo'],
    ['the last and the first name', 'Ashdown Juniper'],
    ['the last name, a comma and the first name', 'Ashdown, Juniper'],
    ['the last name and the beginning of the first', 'ashdown jun'],
    ['the first and the last name', 'Juniper Ashdown'],
    ['the e-mail address', 'juniper.ashdown@example.test'],
    ['the e-mail address in capitals', ' JUNIPER.ASHDOWN@EXAMPLE.TEST '],
    ['another e-mail address', 'j.ashdown@work.example'],
    ['the number with the code of the country', '+1 312 555 0156'],
    ['the number as people write it in its country', '(312) 555-0156'],
    ['the number with stops', '312.555.0156'],
    ['the number with the trunk prefix', '1-312-555-0156'],
    ['the number as it is dialled from abroad', '001 312 5550156'],
    ['the number as it is dialled from abroad in America', '011 7 495 1234567'],
    ['the digits alone', '13125550156'],
    ['a link of the number', 'tel:+13125550156'],
    ['a number that is on record without the code of its country', '+49 30 9018200'],
    ['and with a zero in brackets', '+49 (0)30 901820-0'],
    ['and as it is on record', '0309018200'],
    ['a number with another trunk prefix', '8 495 123-45-67'],
    ["the bank's own number", 'KD-004711'],
    ["the bank's own number without its hyphen", 'kd 004711'],
    ['the last four of the tax id', '1025'],
  ])('%s', async (_what, text) => {
    expect((await found(caller, text)).map(({ customerId }) => customerId)).toEqual([juniper]);
  });

  test('the last digits of a number, and then everybody who has them', async () => {
    expect(await found(caller, '555 0156')).toHaveLength(2);
    for (const text of ['55 0156', '+1 212 555 0156', '+44 13 555 0156', '312 555 0157']) {
      expect([text, await found(caller, text)]).toEqual([text, []]);
    }
  });

  test('no part of an address, nor what another program has', async () => {
    for (const text of ['juniper.ashdown@example', '@example.test', 'ashdown@example.test']) {
      expect([text, await found(caller, text)]).toEqual([text, []]);
    }
    const stranger = await gateway.caller({ program: gateway.given.program() });
    for (const text of ['Ashdo', 'juniper.ashdown@example.test', '312 555 0156', 'KD-004711']) {
      expect([text, await found(stranger, text)]).toEqual([text, []]);
    }
  });

  test('whole names before names that only begin so', async () => {
    const own = gateway.given.program();
    const operator = await gateway.caller({ program: own });
    for (let n = 0; n < MAX_HITS; n++) await customer(own, { first: 'Ada', last: `Marquart${n}` });
    const whole = await customer(own, { first: 'Ada', last: 'Marq' });
    const hits = await found(operator, 'Marq');
    expect([hits.length, hits[0]?.customerId]).toEqual([MAX_HITS, whole]);
  });

  test('by whole names alone, where the record of the program says so', async () => {
    const exact = gateway.given.program();
    await gateway.given.programRecord(exact, { exactSearch: true });
    const id = await customer(exact, { first: 'Juniper', last: 'Ashdown' }, null, JUNIPER);
    const operator = await gateway.caller({ program: exact });
    for (const text of ['Ashdo', 'Ashdown Jun']) expect([text, await found(operator, text)]).toEqual([text, []]);
    for (const text of ['Ashdown', 'Ashdown Juniper', 'Juniper', '312 555 0156', 'j.ashdown@work.example']) {
      expect([text, (await found(operator, text)).map(hit => hit.customerId)]).toEqual([text, [id]]);
    }
  });

  test('what is on record now: not what was there before a change, and nothing of an erased person', async () => {
    const own = gateway.given.program();
    const me = gateway.as(await gateway.caller({ program: own }));
    const id = await customer(own, { first: 'Juniper', last: 'Ashdown' }, null, JUNIPER);
    const contact = { email: ['new@example.test'], telephones: [{ type: 'CELL', number: '+1 503 555 0142' }] };
    expect((await me.rest.patch(`/customers/${id}`, { contact, bankNumber: 'B 77' })).status).toBe(200);
    const operator = await gateway.caller({ program: own });
    for (const text of ['j.ashdown@work.example', '312 555 0156', 'KD-004711']) {
      expect([text, await found(operator, text)]).toEqual([text, []]);
    }
    for (const text of ['new@example.test', '503 555 0142', 'b77']) expect(await found(operator, text)).toHaveLength(1);
    expect((await me.rest.get(`/customers/${id}`)).body.bankNumber).toBe('B 77');
    expect((await me.rest.post(`/customers/${id}/erase`, { reason: 'Has left' })).status).toBe(200);
    for (const text of ['new@example.test', '503 555 0142', 'b77', 'Ashd', 'Juniper', 'Erased']) {
      expect([text, await found(operator, text)]).toEqual([text, []]);
    }
    const { rows } = await gateway.sql.query(
      'SELECT bank_number, contact_digests FROM customer WHERE customer_id = $1',
      [id],
    );
    expect(rows).toEqual([{ bank_number: null, contact_digests: null }]);
  });

  test('and stores no address and no number in the clear', async () => {
    const { rows } = await gateway.sql.query('SELECT c::text AS row FROM customer c WHERE customer_id = $1', [juniper]);
    for (const text of ['example', '5550156', '555 0156', '9018200']) expect(rows[0].row).not.toContain(text);
  });
});

describe('a search finds by exact match', () => {
  test('the account of an id', async () => {
    const { account, caller } = await gateway.given.account({ accountType: 'SAVINGS', status: 'RESTRICTED' });
    const hit = { kind: 'ACCOUNT', accountId: account, cardId: null, customerId: null };
    expect(await found(caller, account)).toEqual([{ ...hit, label: account, detail: 'SAVINGS, RESTRICTED' }]);
    expect(await found(caller, ` ${account} `)).toHaveLength(1);
    expect(await found(caller, account.slice(0, -1))).toEqual([]);
    expect(await found(caller, account.toUpperCase())).toEqual([]);
  });

  test('the cards of the last four digits, with the accounts that they belong to', async () => {
    const given = await gateway.given.account();
    const { cardId, last4 } = await cardOf(given);
    const hits = await found(given.caller, last4);
    expect(hits.filter(({ kind }) => kind === 'CARD')).toEqual([
      {
        kind: 'CARD',
        accountId: given.account,
        cardId,
        customerId: null,
        label: `VIRTUAL card •••• ${last4}`,
        detail: 'ACTIVE',
      },
    ]);
  });

  test.each([
    ['the last name', 'Straße'],
    ['the last name in another case', 'STRAßE'],
    ['the first and the last name', 'Zoë Straße'],
    ['a name with letters and accents apart', 'Zoe\u0308  Straße'],
    ['white space around and between', '  zoë   straße '],
    ['the whole name, as a hit shows it', 'Zoë Q Straße'],
    ['without marks and with a case fold that is longer', 'ZOE STRASSE'],
  ])('the customers of a name: %s', async (_what, text) => {
    const program = gateway.given.program();
    const customerId = await customer(program, { first: 'Zoë', middle: 'Q', last: 'Straße' }, '900-12-6789');
    await customer(program, { first: 'Straßer', last: 'Zoë-Anna' });
    const { account } = await gateway.given.account({ program, owners: [customerId] });
    const caller = await gateway.caller({ program });
    expect(await found(caller, text)).toEqual([
      {
        kind: 'CUSTOMER',
        accountId: account,
        cardId: null,
        customerId,
        label: 'Zoë Q Straße',
        detail: '*****6789',
      },
    ]);
  });

  test.each([
    [{ first: 'Aoife', last: "O'Hara" }, ['O\u2019Hara', 'O\u02bcHara', 'OHARA', "o'hara", "Aoife O'Hara", 'O`Hara']],
    [{ first: 'Aoife', last: 'O\u2019Hara' }, ["O'Hara", 'ohara']],
    [{ first: 'Jörg', last: 'Strauß' }, ['STRAUSS', 'Strauss', 'STRAUẞ', 'Jorg Strauss', 'JO\u0308RG STRAUSS']],
    [{ first: 'Anne-Marie', last: 'De La Cruz' }, ['Anne Marie De La Cruz', 'delacruz', 'AnneMarie de-la-cruz']],
    [{ first: 'Søren', last: 'Łukasiewicz' }, ['lukasiewicz', 'SOREN ŁUKASIEWICZ']],
    [{ first: 'İpek', last: 'Yıldız' }, ['yildiz', 'Ipek Yildiz']],
    [{ first: 'Nguyễn', last: 'Đặng' }, ['dang', 'NGUYEN DANG', 'Nguyễn Đặng'.normalize('NFD')]],
    [{ first: 'Ὀδυσσεύς', last: 'Παπαδόπουλος' }, ['ΠΑΠΑΔΟΠΟΥΛΟΣ', 'Οδυσσευσ Παπαδοπουλοσ']],
    [{ first: 'Алёна', last: 'Соловьёв' }, ['СОЛОВЬЕВ', 'алена соловьев']],
    [{ first: 'Maren', middle: 'J', last: 'Ashdown' }, ['Maren J Ashdown', 'Maren J. Ashdown', 'maren ashdown']],
    [{ first: 'J. R.', last: 'Smith-Jones' }, ['JR Smith Jones', 'J.R. Smith\u2011Jones', 'smithjones']],
    [{ first: '\uff21da', last: '\ufb01nch' }, ['Ada Finch']],
    [{ first: 'प्रिया', last: 'शर्मा' }, ['शर्मा']],
  ])('the customer of a name as a keyboard, a letter or a form makes it: %j', async (name, texts) => {
    const program = gateway.given.program();
    const customerId = await customer(program, name);
    const caller = await gateway.caller({ program });
    for (const text of texts) {
      expect([text, (await found(caller, text)).map(hit => hit.customerId)]).toEqual([text, [customerId]]);
    }
    // What makes a name another one keeps it apart.
    for (const text of ['शरम', 'shdown', 'Hara']) expect(await found(caller, text)).toEqual([]);
  });

  test('the customers of names of all scripts, by what people write and by what a hit shows', async () => {
    const program = gateway.given.program();
    const caller = await gateway.caller({ program });
    const ids: string[] = [];
    const names = NAMES.toSorted(() => Math.random() - 0.5).slice(0, rounds(NAMES.length, 20));
    for (const { first, middle, last } of names) ids.push(await customer(program, { first, middle, last }));
    for (const [index, { what, first, middle, last }] of names.entries()) {
      const whole = [first, middle, last].filter(Boolean).join(' ');
      for (const text of [last, whole, whole.normalize('NFD'), whole.toLowerCase()]) {
        const hits = await found(caller, text);
        const own = hits.find(({ customerId }) => customerId === ids[index]);
        expect([what, text, own?.label]).toEqual([what, text, whole]);
        expect((await found(caller, own?.label ?? '')).map(({ customerId }) => customerId)).toContain(ids[index]);
      }
    }
  });

  test('what a hit shows: the masked tax id, and the label of a card', async () => {
    const program = gateway.given.program();
    const customerId = await customer(program, { first: 'Ada', last: 'Voss' }, '900-12-1002');
    const given = await gateway.given.account({ program, owners: [customerId] });
    const { cardId, last4 } = await cardOf(given);
    const [hit] = await found(given.caller, '*****1002');
    expect([hit?.customerId, hit?.detail]).toEqual([customerId, '*****1002']);
    for (const text of [`VIRTUAL card •••• ${last4}`, `•••• ${last4}`, `************${last4}`]) {
      expect((await found(given.caller, text)).map(one => one.cardId)).toContain(cardId);
    }
  });

  test('the customers of the last four of a tax id, and the customer of an id', async () => {
    const program = gateway.given.program();
    const caller = await gateway.caller({ program });
    const customerId = await customer(program, { first: 'Ada', last: 'Voss' }, '900-12-0417');
    const hit = { kind: 'CUSTOMER', accountId: null, cardId: null, customerId, label: 'Ada Voss', detail: '*****0417' };
    for (const text of ['0417', customerId, customerId.toUpperCase()]) expect(await found(caller, text)).toEqual([hit]);
    expect(await found(caller, '120417')).toEqual([]);
    expect(await found(caller, '417')).toEqual([]);
  });

  test('and names each account of a customer, in the order of accounts, cards, customers and their ids', async () => {
    const program = gateway.given.program();
    const caller = await gateway.caller({ program });
    const four = digits(4);
    const customerId = await customer(program, { first: 'Ada', last: 'Voss' }, `90012${four}`);
    const ids = ['b', 'a', 'c'].map(letter => `${letter}-${program}`);
    for (const accountId of ids) await gateway.given.account({ program, accountId, owners: [customerId] });
    await gateway.given.account({ program, accountId: four });
    const hits = await found(caller, four);
    expect(hits.map(({ kind, accountId }) => [kind, accountId])).toEqual([
      ['ACCOUNT', four],
      ...ids.toSorted().map(accountId => ['CUSTOMER', accountId]),
    ]);
  });
});

test('another program has other data, and another part of a name than its beginning or a pattern finds nothing', async () => {
  const program = gateway.given.program();
  await customer(program, { first: 'Ada', last: 'Quint' }, '900-12-7711');
  const { account } = await gateway.given.account({ program });
  const stranger = await gateway.caller({ program: gateway.given.program() });
  for (const text of ['Quint', 'Ada Quint', '7711', account]) expect(await found(stranger, text)).toEqual([]);
  const own = await gateway.caller({ program });
  expect(await found(own, 'Quint')).toHaveLength(1);
  for (const text of ['Qu', 'uint', 'Quint%', 'Qu_nt', '.*', '-', ',', "Quint' OR 1=1 --"]) {
    expect(await found(own, text)).toEqual([]);
  }
});

test('what a token may not read is not found: cards without cards.read, accounts without accounts.read', async () => {
  const given = await gateway.given.account();
  const { program, account, owners } = given;
  const { last4 } = await cardOf(given);
  const least = gateway.as(await gateway.caller({ program, scopes: 'operations.read' }));
  for (const text of [account, last4]) {
    const { body } = await least.rest.get<{ hits: Hit[] }>(`/search?text=${text}`);
    expect(body.hits.filter(({ kind }) => kind !== 'CUSTOMER')).toEqual([]);
  }
  const { data, errors } = await least.graphql<SearchAnswer>(SEARCH, { text: owners[0] });
  expect(data.search).toMatchObject([{ kind: 'CUSTOMER', accountId: account, account: null }]);
  expect(errors?.[0].extensions).toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
});

test.each([
  ['blanks', '    '],
  ['more than 254 characters', 'x'.repeat(255)],
  ['a control character', 'Vo\u0000ss'],
])('%s is refused, and never repeated or logged', async (_what, text) => {
  const me = gateway.as(await gateway.caller());
  const { errors } = await me.graphql(SEARCH, { text });
  expect(errors?.[0].extensions).toMatchObject({ code: 'RULE_BROKEN', errors: [{ pointer: '/text', code: 'text' }] });
  const { status, body } = await me.rest.get(`/search?text=${encodeURIComponent(text)}`);
  expect([status, body.code, body.instance]).toEqual([422, 'rule_broken', '/search']);
});

test('the text is in no log and no error', async () => {
  const text = `Secretive${digits(8)}`;
  const me = gateway.as(await gateway.caller());
  const answers = [
    await me.rest.get(`/search?text=${text}`),
    await me.rest.get(`/search?text=${text}&text=${text}`),
    await me.rest.get(`/search?texts=${text}`),
    await me.graphql(SEARCH, { text }),
    await me.graphql(SEARCH, { text: [text, 1] }),
  ];
  for (const answer of answers) expect(answer.text).not.toContain(text);
  expect(gateway.log.join('\n')).not.toContain(text);
});

test('it costs as much as its most hits, with what is asked of their accounts', async () => {
  const me = gateway.as(await gateway.caller());
  const { errors } = await me.graphql(
    '{ search(text: "xx") { label account { transactions(first: 100) { nodes { transactionId } } } } }',
  );
  // The search, and for each hit itself, its account, the page and a hundred transactions.
  expect(errors?.[0].extensions).toMatchObject({ code: 'QUERY_TOO_COSTLY', cost: 1 + MAX_HITS * (3 + 100) });
});

describe('a search for people by name or last four digits', () => {
  interface Searched {
    readonly type: string;
    readonly audit: SearchAudit;
  }
  interface SearchAudit {
    readonly subject: string;
    readonly data: { readonly byName: number; readonly byLastFour: number; readonly hits: number };
  }
  const EVENTS =
    '{ events(first: 100, filter: { actions: "personal_data.search" }) { nodes { audit { subject data } type object } } }';
  const eventsOf = async (caller: string): Promise<(SearchAudit & Pick<Searched, 'type'>)[]> => {
    await gateway.recorded();
    const { data, errors } = await gateway.as(caller).graphql<{ events: { nodes: Searched[] } }>(EVENTS);
    expect(errors).toBeUndefined();
    return data.events.nodes.map(({ audit, ...event }) => ({ ...event, ...audit }));
  };

  test('is an event of its own kind, which has no word of what was looked for', async () => {
    const program = gateway.given.program();
    const name = `Secretive${digits(6)}`;
    await customer(program, { first: 'Ada', last: name }, '900-12-4711');
    const searcher = await gateway.caller({ program, subject: 'curious' });
    const me = gateway.as(searcher);
    await me.rest.get(`/search?text=${name}`);
    await me.graphql(
      `{ a: search(text: "4711") { label } b: search(text: "*****4711") { label } c: search(text: "Nobody") { label } }`,
    );
    const events = await eventsOf(searcher);
    expect(new Set(events.map(({ type, subject }) => `${type} ${subject}`))).toEqual(
      new Set(['personal_data.searched curious']),
    );
    const sum = (key: keyof SearchAudit['data']) => events.reduce((total, { data }) => total + data[key], 0);
    expect([sum('byName'), sum('byLastFour'), sum('hits')]).toEqual([2, 2, 3]);
    expect(JSON.stringify(events)).not.toContain(name);
    await gateway.feedReady();
    const { body } = await me.rest.get('/events?types=personal_data.searched');
    expect(body.events[0].data).toMatchObject({ programId: program, byName: expect.any(Number) });
  });

  test('is one event of each subject for those of a second', async () => {
    const program = gateway.given.program();
    const callers = await Promise.all(['one', 'other'].map(subject => gateway.caller({ program, subject })));
    await Promise.all(
      Array.from({ length: 40 }, (_, n) => gateway.as(callers[n % 2] as string).rest.get(`/search?text=00${10 + n}`)),
    );
    const events = await eventsOf(callers[0] as string);
    expect(events.length).toBeLessThan(40);
    for (const subject of ['one', 'other']) {
      const own = events.filter(event => event.subject === subject);
      expect(own.reduce((total, { data }) => total + data.byLastFour, 0)).toBe(20);
    }
  });

  test('is limited for each subject by a limit of its own, and a search by an id is not', async () => {
    const limited = await startTestGateway({ searchesPerHour: 5 });
    try {
      const { account, program, owners } = await limited.given.account();
      const me = limited.as(await limited.caller({ program, subject: 'curious' }));
      const ids = async () => {
        for (const text of [account, owners[0] as string]) {
          expect((await me.rest.get(`/search?text=${text}`)).status).toBe(200);
        }
      };
      for (let n = 0; n < 5; n++) {
        await ids();
        expect((await me.rest.get(`/search?text=${n % 2 ? 'Voss' : `000${n}`}`)).status).toBe(200);
      }
      const { status, body, headers } = await me.rest.get('/search?text=4242');
      expect([status, body.code, Number(headers['retry-after']) > 0]).toEqual([429, 'rate_limited', true]);
      const { errors } = await me.graphql(SEARCH, { text: 'Voss' });
      expect(errors?.[0].extensions.code).toBe('RATE_LIMITED');
      expect((await me.rest.get(`/search?text=${owners[0]}`)).status).toBe(200);
      const other = limited.as(await limited.caller({ program, subject: 'other' }));
      expect((await other.rest.get('/search?text=4242')).status).toBe(200);
    } finally {
      await limited.stop();
    }
  });
});

describe('in a bank of some thousand customers', () => {
  const planned = testUnless(differsOnCitus('plans'));
  const ROWS = 6000;
  const SEARCHED = ['customer', 'account', 'card', 'account_owner'];
  let program: string;
  let caller: string;
  beforeAll(async () => {
    program = gateway.given.program();
    caller = await gateway.caller({ program });
    // Most belong to another program, and many have the same last name. All have the same first name.
    await gateway.sql.query(
      `WITH n AS (SELECT n, CASE WHEN n % 3 = 0 THEN $1 ELSE 'other' END AS program FROM generate_series(1, $2::int) n),
        customers AS (INSERT INTO customer (customer_id, program, name_first, name_last, bank_number, contact_digests, tax_id, tax_id_country, sealed)
          SELECT ('00000000-0000-4000-9000-' || lpad(n::text, 12, '0'))::uuid, program, 'Maria', 'Last' || n % 100, 'KD-' || n,
            CASE n WHEN 600 THEN $3 ELSE 'k:' || substr(md5(n::text), 1, 16) || ' ' || substr(md5('a' || n), 1, 16) END,
            '*****' || lpad((n % 2500)::text, 4, '0'), 'US', '' FROM n),
        accounts AS (INSERT INTO account (account_id, program, account_type, currency, time_zone, status, opened_on, interest_bearing)
          SELECT 'many-' || n, program, 'CHECKING', 'USD', 'UTC', 'OPEN', '2026-01-01', false FROM n),
        owners AS (INSERT INTO account_owner (account_id, customer_id, position)
          SELECT 'many-' || n, ('00000000-0000-4000-9000-' || lpad(n::text, 12, '0'))::uuid, 1 FROM n)
      INSERT INTO card (account_id, card_id, type, number, last4, currency, expiration, card_holder_id, card_product_id, pin_is_set, status, created, sealed_number, number_digest)
        SELECT 'many-' || n, 'card-' || n, 'VIRTUAL', '************', lpad((n % 300)::text, 4, '0'), 'USD', '0930', 'holder', 'product', false, 'ACTIVE', now(), '', sha256(n::text::bytea) FROM n`,
      [program, ROWS, await gateway.module<typeof Inside>('test/search/search').emailDigest('first600@example.test')],
    );
    await gateway.sql.query(`VACUUM (ANALYZE) ${SEARCHED.join(', ')}`);
  });

  planned.each([
    ['an account id', 'many-600', 'account_program_account_id_index', 1],
    ['the last four digits of cards and tax ids', '0033', 'customer_tax_id', 10],
    ['a last name', 'Last33', 'customer_last_name_key', MAX_HITS],
    ['a first name that nobody has', 'Aoife', 'customer_first_name_key', 0],
    ['the beginning of a last name', 'Last3', 'customer_last_first_name_key', MAX_HITS],
    ['a number of the bank', 'KD-600', 'customer_bank_number_key', 1],
    ['an e-mail address', 'first600@example.test', 'customer_contact_words', 1],
    ['a telephone number', '+1 312 555 0156', 'customer_contact_words', 0],
    ['a full name', 'Maria Last33', 'customer_full_name_key', MAX_HITS],
    ['a customer id', '00000000-0000-4000-9000-000000000600', 'customer_program_customer_id_index', 1],
  ])('looking for %s reads ranges of indexes, and no table from end to end', async (_what, text, index, least) => {
    let hits: Hit[] = [];
    const statements = await explained(gateway, SEARCHED, async () => {
      hits = (await gateway.as(caller).rest.get<{ hits: Hit[] }>(`/search?text=${encodeURIComponent(text)}`)).body.hits;
    });
    expect(hits.length).toBeGreaterThanOrEqual(least);
    expect(hits.length).toBeLessThanOrEqual(MAX_HITS);
    const reads = statements.flatMap(statement => statement.reads);
    expect(reads.filter(read => !/^(Index|Bitmap)/.test(read))).toEqual([]);
    expect(reads.join()).toContain(index);
    for (const { nodes, blocks } of statements) {
      // Whatever an index has is asked for by it, and not taken away from what it gives.
      for (const node of nodes) if (node['Index Name']) expect(node['Index Cond']).toBeDefined();
      expect(blocks).toBeLessThan(300);
    }
  });
});
