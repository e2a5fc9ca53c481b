import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import { relative } from 'node:path';
import pg from 'pg';
import { SCOPES } from '../../../src/shared/caller.js';
import { newCard } from '../../support/card.js';
import { Canaries } from './canaries.js';
import { CanaryGateway, PROGRAM } from './house.js';
import { accountOf, json } from './imports.js';
import { filesIn } from './places.js';
import { customerOf } from './records.js';

const CUSTOMERS = 1000;
/** Segments of the log that PostgreSQL keeps to write over (`min_wal_size`, 80 MB), and the one that it writes. */
const KEPT_SEGMENTS = 6;
const ACCOUNT = 'leaver-1';

interface Trace {
  readonly what: string;
  readonly bytes: readonly Buffer[];
}

type Customer = ReturnType<typeof newCustomer>;

const customers = Array.from({ length: CUSTOMERS }, newCustomer);
const [leaver, stayer] = customers as [Customer, Customer];
const renamed = newName();
/** What PostgreSQL has of the person: the names, which are in the clear, and the bytes of what is sealed. */
let traces: Trace[];
let house: CanaryGateway;
beforeAll(async () => {
  house = await CanaryGateway.open();
});
afterAll(() => house.tearDown());

function newName(): string {
  return `Q${randomBytes(8).toString('hex')}`;
}

function newCustomer() {
  const last = newName();
  const person = new Canaries().person('customer', last);
  return { customerId: randomUUID(), ...customerOf(person, { first: last, middle: null, last }) };
}

async function importing(kind: string, records: readonly object[]): Promise<void> {
  const { stdout } = await house.command(['import', kind, '-', '--program', PROGRAM], records.map(json).join('\n'));
  expect(stdout).toContain(`${records.length} new, 0 updated, 0 unchanged, 0 rejected`);
}

async function write(method: string, path: string, body: object, status: number): Promise<void> {
  const headers = { 'x-idempotency-key': randomUUID() };
  const answer = await house.ask(await house.caller(...SCOPES), { method, path, body, headers });
  expect([path, answer.status]).toEqual([path, status]);
}

function rows(statement: string, ...values: readonly unknown[]): Promise<Record<string, unknown>[]> {
  return house.withDatabase(async connectionString => {
    const client = new pg.Client({ connectionString });
    await client.connect();
    try {
      return (await client.query(statement, [...values])).rows;
    } finally {
      await client.end();
    }
  });
}

const others = () => rows('SELECT * FROM customer WHERE customer_id <> $1 ORDER BY customer_id', leaver.customerId);

/** Brings what changed to the disk, and the log to where it writes over what it kept. */
async function turnOverTheLog(): Promise<void> {
  for (let count = 0; count < KEPT_SEGMENTS; count++) {
    await rows('SELECT pg_switch_wal()');
    await rows('CHECKPOINT');
  }
}

/** What is in the files of the data folder, as `what in file`. */
async function found(looked: typeof traces): Promise<string[]> {
  const places: string[] = [];
  for await (const file of filesIn(house.dataDir)) {
    const here = looked.filter(({ bytes }) => bytes.some(one => file.bytes.includes(one)));
    places.push(...here.map(({ what }) => `${what} in ${relative(house.dataDir, file.name)}`));
  }
  return places;
}

/** As it is stored, and as indexes have it. */
const named = (what: string, name: string): Trace => ({
  what,
  bytes: [Buffer.from(name), Buffer.from(name.toLowerCase())],
});
const sealed = (what: string, bytes: unknown): Trace => ({ what: `sealed ${what}`, bytes: [bytes as Buffer] });

test('of one erased customer of 1,000 nothing is left on disk once the tables are rewritten and the log is turned over', async () => {
  const { customerId } = leaver;
  await importing('customers', customers);
  await importing('accounts', [accountOf(ACCOUNT, leaver)]);
  await write('POST', '/cards/v1/cards', newCard(ACCOUNT, customerId), 201);
  await write('POST', '/notes', { customerId, text: `Is called ${renamed} now` }, 201);
  await write('PATCH', `/customers/${customerId}`, { name: { first: '', middle: '', last: renamed } }, 200);
  const [now] = await rows(
    `SELECT c.sealed AS customer, n.sealed AS note, d.sealed_number, d.pin_verification
     FROM customer c JOIN note n ON n.customer_id = c.customer_id JOIN card d ON d.card_holder_id = c.customer_id::text
     WHERE c.customer_id = $1`,
    customerId,
  );
  traces = [
    named('the name', leaver.name.last),
    named('the later name', renamed),
    sealed('contact', now?.['customer']),
    sealed('note', now?.['note']),
    sealed('number of the card', now?.['sealed_number']),
    sealed('PIN', now?.['pin_verification']),
  ];
  const before = await others();
  await turnOverTheLog();
  // All of it is there to be found.
  const atFirst = await found(traces);
  expect(traces.map(({ what }) => what).filter(what => !atFirst.some(place => place.startsWith(`${what} in`)))).toEqual(
    [],
  );

  await write('POST', `/accounts/${ACCOUNT}/close`, { reason: 'Leaves the bank' }, 200);
  await write('POST', `/customers/${customerId}/erase`, { reason: 'Request 2026-118 of the customer' }, 200);
  for (const table of ['customer', 'card', 'note']) await rows(`VACUUM (FULL, ANALYZE) ${table}`);
  await turnOverTheLog();

  expect(await found(traces)).toEqual([]);
  expect(await others()).toEqual(before);
  expect(before).toHaveLength(CUSTOMERS - 1);
  expect((await found([named('another name', stayer.name.last)])).length).toBeGreaterThan(0);
  expect(await house.command(['events', 'verify'])).toMatchObject({ status: 0 });
});
