import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Command } from '../../../src/platform/command/command.js';
import { CommandService } from '../../../src/platform/command/command.service.js';
import { Caller, SCOPES } from '../../../src/shared/caller.js';
import { InsufficientScope, Refusal, Unavailable } from '../../../src/shared/errors.js';
import { startTestGateway, unique, type TestGateway } from '../../support/gateway.js';
import { until } from '../../support/until.js';

let gateway: TestGateway;
let commands: CommandService;
beforeAll(async () => {
  gateway = await startTestGateway();
  const { database, records } = gateway.gateway.container;
  commands = new CommandService(database, records);
  await gateway.sql.query('CREATE TABLE note (id uuid PRIMARY KEY, text text NOT NULL)');
});
afterAll(() => gateway.stop());

type Em = Parameters<Parameters<CommandService['run']>[2]>[0];

class NotNow extends Refusal {
  readonly code = 'card_state';
  constructor() {
    super('Not now.');
  }
}

function callerOf(key: string | null): Caller {
  const identity = { program: 'p', clientId: 'c', subject: 's', customerId: null, scopes: new Set(SCOPES) };
  return new Caller(identity, randomUUID(), key === null ? null : { key, place: null, outcomes: [] });
}

function command(id: string): Command<{ id: string }> {
  return {
    ...{ name: 'note.write', scope: 'operations', accountId: id, input: { id } },
    authorise: async () => undefined,
    event: result => ({ object: `note/${result.id}`, data: { text: `'\\ ? ?? $1 :x {"a": "b"}` } }),
  };
}

const write = async (em: Em, id: string) => {
  await em.execute('INSERT INTO note VALUES (?, ?)', [id, `it's ? a \\ text`]);
  return { id };
};

async function left(id: string): Promise<{ notes: number; events: number }> {
  const { rows } = await gateway.sql.query(
    `SELECT (SELECT count(*)::int FROM note WHERE id = $1::uuid) AS notes, (SELECT count(*)::int FROM event WHERE account_id = $1::text) AS events`,
    [id],
  );
  return rows[0] as { notes: number; events: number };
}

test('what is done is kept with its event, whatever characters are in it', async () => {
  const id = randomUUID();
  expect(await commands.run(callerOf(unique('k')), command(id), em => write(em, id))).toEqual({ id });
  expect(await left(id)).toEqual({ notes: 1, events: 1 });
  const { rows } = await gateway.sql.query(
    'SELECT n.text, e.data, e.object FROM note n JOIN event e ON e.account_id = n.id::text WHERE n.id = $1',
    [id],
  );
  expect(rows).toEqual([
    { text: `it's ? a \\ text`, data: { text: `'\\ ? ?? $1 :x {"a": "b"}` }, object: `note/${id}` },
  ]);
});

test.each([null, 'key'])('a refusal after some work leaves nothing of it (key: %s)', async prefix => {
  const id = randomUUID();
  const key = prefix && unique(prefix);
  let runs = 0;
  const refuse = () =>
    commands.run(callerOf(key), command(id), async em => {
      runs++;
      await write(em, id);
      throw new NotNow();
    });
  await expect(refuse()).rejects.toMatchObject({ kind: 'conflict', code: 'card_state', message: 'Not now.' });
  await expect(refuse()).rejects.toMatchObject({ kind: 'conflict', code: 'card_state', message: 'Not now.' });
  expect(await left(id)).toEqual({ notes: 0, events: 0 });
  // With a key the second time is the record of the first.
  expect(runs).toBe(key ? 1 : 2);
});

test.each([
  ['an error of ours', () => new Error('broken')],
  ['a refusal that passes', () => new Unavailable('away')],
  ['a missing scope', () => new InsufficientScope('operations')],
])('%s after some work leaves nothing, not even the key', async (_what, error) => {
  const id = randomUUID();
  const key = unique('key');
  const failing = commands.run(callerOf(key), command(id), async em => {
    await write(em, id);
    throw error();
  });
  await expect(failing).rejects.toThrow(error().message);
  expect(await left(id)).toEqual({ notes: 0, events: 0 });
  await commands.run(callerOf(key), command(id), em => write(em, id));
  expect(await left(id)).toEqual({ notes: 1, events: 1 });
});

test.each(['40P01', '40001'])(
  'a transaction that gets in the way of another (%s) is run again, as a whole',
  async state => {
    const id = randomUUID();
    let runs = 0;
    const result = await commands.run(callerOf(unique('k')), command(id), async em => {
      await write(em, id);
      if (++runs < 3) await em.execute(`DO $$ BEGIN RAISE SQLSTATE '${state}'; END $$`);
      return { id };
    });
    expect([result, runs, await left(id)]).toEqual([{ id }, 3, { notes: 1, events: 1 }]);
  },
);

test('a transaction that always gets in the way of another is given up', async () => {
  const id = randomUUID();
  let runs = 0;
  const failing = commands.run(callerOf(null), command(id), async em => {
    runs++;
    await em.execute(`DO $$ BEGIN RAISE SQLSTATE '40001'; END $$`);
    return { id };
  });
  await expect(failing).rejects.toMatchObject({ code: '40001' });
  expect([runs, await left(id)]).toEqual([4, { notes: 0, events: 0 }]);
});

test('a caller without the scope never gets to the database', async () => {
  const caller = new Caller({ program: 'p', clientId: 'c', subject: 's', customerId: null, scopes: new Set() }, 'r');
  const work = () => Promise.reject(new Error('this must not run'));
  await expect(commands.run(caller, command(randomUUID()), work)).rejects.toThrow(InsufficientScope);
});

test('two real deadlocks are two commands that are done', async () => {
  const [one, other] = [randomUUID(), randomUUID()];
  await gateway.sql.query('INSERT INTO note VALUES ($1, $3), ($2, $3)', [one, other, '']);
  let meeting = 0;
  const lock = (first: string, second: string) =>
    commands.run(callerOf(unique('k')), command(first), async em => {
      await em.execute('SELECT FROM note WHERE id = ? FOR UPDATE', [first]);
      meeting++;
      await until(() => meeting >= 2);
      await em.execute('SELECT FROM note WHERE id = ? FOR UPDATE', [second]);
      return { id: first };
    });
  expect(await Promise.all([lock(one, other), lock(other, one)])).toEqual([{ id: one }, { id: other }]);
});
