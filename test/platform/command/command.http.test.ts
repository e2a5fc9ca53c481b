import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ApprovalGate } from '../../../src/platform/command/approval.js';
import type { CommandRequest, Work } from '../../../src/platform/command/command.js';
import { CommandRunner } from '../../../src/platform/command/command-runner.js';
import { Caller, SCOPES } from '../../../src/shared/caller.js';
import { InsufficientScope, Refusal, Unavailable } from '../../../src/shared/errors.js';
import { startGatewayInside, unique, type GatewayInThisProcess } from '../../support/gateway-inside.js';
import { testUnless } from '../../support/unless.js';
import { differsOnCitus } from '../../support/citus-differences.js';
import { operation } from '../../../src/shared/operation.js';

let gateway: GatewayInThisProcess;
let runner: CommandRunner<true>;
beforeAll(async () => {
  gateway = await startGatewayInside();
  const { database, records } = gateway.gateway.container;
  // Every caller sees every account, and holds the lock of its id.
  runner = new CommandRunner<true>(
    database,
    records,
    {
      lock: async (transaction, targets) => {
        await transaction.query(LOCK, [targets.map(({ accountId }) => accountId)]);
        return targets.map(() => true);
      },
      owns: async () => true,
      notFound: () => new Unavailable('never'),
    },
    { count: () => undefined, committed: () => undefined },
    NOTHING_WAITS,
  );
  await gateway.sql.query('CREATE TABLE test_note (id uuid PRIMARY KEY, text text NOT NULL)');
  await gateway.sql.query(
    `CREATE FUNCTION test_fail(state text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION USING ERRCODE = state; END $$`,
  );
  // Sequences count in transactions that are rolled back as well.
  await gateway.sql.query('CREATE SEQUENCE test_attempts');
  await gateway.sql.query(
    `CREATE FUNCTION test_fail_twice(state text) RETURNS void LANGUAGE plpgsql AS $$
      BEGIN IF nextval('test_attempts') % 3 <> 0 THEN PERFORM test_fail(state); END IF; END $$`,
  );
});
afterAll(() => gateway.stop());

const NOTHING_WAITS: ApprovalGate = {
  days: 7,
  admit: () => undefined,
  terms: async () => [],
  keeping: () => [],
};
const LOCK = { name: 'test_lock', text: 'SELECT pg_advisory_xact_lock(hashtext(id)) FROM unnest($1::text[]) id' };
// A note is its own account, since an event is chained to the last one of its account.
const INSERT = {
  name: 'test_note',
  text: `WITH accounts AS (
      INSERT INTO account (account_id, program, account_type, currency, time_zone, status, opened_on, interest_bearing)
      SELECT id, 'p', 'CHECKING', 'USD', 'UTC', 'OPEN', '2026-01-01', false FROM unnest($1::text[]) id)
    INSERT INTO test_note SELECT id::uuid, $2 FROM unnest($1::text[]) id`,
};
const TEXT = `it's ? a \\ text`;

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

interface Note {
  readonly id: string;
}
type NoteWork = Work<Note, true, void, Note, string>;

/** A command that writes a note, changed by parts of its work. */
function noting(changed: Partial<NoteWork> = {}): (caller: Caller, id: string) => Promise<Note> {
  const run = runner.kind<Note, void, Note, string>(operation('note.write', { scope: 'operations' }), {
    permit: (_subject, _fact, { input }) => ({ result: { id: input.id }, draft: input.id }),
    write: accepted => [{ statement: INSERT, values: [accepted.map(({ draft }) => draft), TEXT] }],
    event: ({ result }) => ({ object: `note/${result.id}`, data: { text: `'\\ ? ?? $1 :x {"a": "b"}` } }),
    ...changed,
  });
  return (caller, id) => run(caller, id, { id });
}

/** A statement that fails with an SQLSTATE. */
function failing(state: string, by = 'test_fail') {
  return { statement: { name: `${by}_${state}`, text: `SELECT ${by}('${state}')` }, values: [] };
}

async function attempts(): Promise<number> {
  const { rows } = await gateway.sql.query(
    'SELECT CASE WHEN is_called THEN last_value ELSE 0 END::int AS n FROM test_attempts',
  );
  return rows[0]?.n as number;
}

async function left(id: string): Promise<{ notes: number; events: number }> {
  const { rows } = await gateway.sql.query(
    `SELECT (SELECT count(*)::int FROM test_note WHERE id = $1::uuid) AS notes, (SELECT count(*)::int FROM event WHERE account_id = $1::text) AS events`,
    [id],
  );
  return rows[0] as { notes: number; events: number };
}

test('what is done is kept with its event, whatever characters are in it', async () => {
  const id = randomUUID();
  expect(await noting()(callerOf(unique('k')), id)).toEqual({ id });
  expect(await left(id)).toEqual({ notes: 1, events: 1 });
  const { rows } = await gateway.sql.query(
    'SELECT n.text, e.data, e.object FROM test_note n JOIN event e ON e.account_id = n.id::text WHERE n.id = $1',
    [id],
  );
  expect(rows).toEqual([{ text: TEXT, data: { text: `'\\ ? ?? $1 :x {"a": "b"}` }, object: `note/${id}` }]);
});

test.each([null, 'key'])('a refusal leaves nothing (key: %s)', async prefix => {
  const id = randomUUID();
  const key = prefix && unique(prefix);
  let runs = 0;
  const refuse = noting({
    permit: () => {
      runs++;
      throw new NotNow();
    },
  });
  await expect(refuse(callerOf(key), id)).rejects.toMatchObject({ kind: 'conflict', message: 'Not now.' });
  await expect(refuse(callerOf(key), id)).rejects.toMatchObject({ kind: 'conflict', message: 'Not now.' });
  expect(await left(id)).toEqual({ notes: 0, events: 0 });
  // With a key the second time is the record of the first.
  expect(runs).toBe(key ? 1 : 2);
});

test.each([
  ['an error of ours', () => new Error('broken')],
  ['a refusal that passes', () => new Unavailable('away')],
  ['a missing scope', () => new InsufficientScope('operations')],
])('%s leaves nothing, not even the key', async (_what, error) => {
  const id = randomUUID();
  const key = unique('key');
  const permit = () => {
    throw error();
  };
  await expect(noting({ permit })(callerOf(key), id)).rejects.toThrow(error().message);
  expect(await left(id)).toEqual({ notes: 0, events: 0 });
  await noting()(callerOf(key), id);
  expect(await left(id)).toEqual({ notes: 1, events: 1 });
});

test('the stack of an unexpected error names the method that gave the command', async () => {
  class Notes {
    private readonly writing = noting({ write: () => [failing('22012')] });

    async write(id: string): Promise<Note> {
      return await this.writing(callerOf(null), id);
    }
  }
  const stack = await new Notes().write(randomUUID()).catch((error: Error) => error.stack?.split('\n'));
  expect(stack).toContainEqual(expect.stringMatching(/^ +at (async )?Notes\.write /));
});

test.each(['40P01', '40001'])(
  'a transaction that gets in the way of another (%s) is run again, as a whole',
  async state => {
    const id = randomUUID();
    const before = await attempts();
    const write: NoteWork['write'] = accepted => [
      { statement: INSERT, values: [accepted.map(({ draft }) => draft), TEXT] },
      failing(state, 'test_fail_twice'),
    ];
    const result = await noting({ write })(callerOf(unique('k')), id);
    expect([result, (await attempts()) - before, await left(id)]).toEqual([{ id }, 3, { notes: 1, events: 1 }]);
  },
);

test('a transaction that always gets in the way of another is given up', async () => {
  const id = randomUUID();
  let runs = 0;
  const write = () => {
    runs++;
    return [failing('40001')];
  };
  await expect(noting({ write })(callerOf(null), id)).rejects.toMatchObject({ code: '40001' });
  // Once in a group, and then alone.
  expect([runs, await left(id)]).toEqual([5, { notes: 0, events: 0 }]);
});

test('a caller without the scope never gets to the database', async () => {
  const caller = new Caller({ program: 'p', clientId: 'c', subject: 's', customerId: null, scopes: new Set() }, 'r');
  const readFacts = () => Promise.reject(new Error('this must not run'));
  await expect(noting({ readFacts })(caller, randomUUID())).rejects.toThrow(InsufficientScope);
});

testUnless(differsOnCitus('groups'))(
  'commands of several kinds at once share transactions, and one that breaks fails alone',
  async () => {
    const ids = Array.from({ length: 30 }, () => randomUUID());
    const broken = ids[7] as string;
    const kinds = [noting(), noting(), noting()];
    const write = ({ input }: CommandRequest<Note>) => input.id === broken;
    const breaking = noting({
      write: accepted =>
        accepted.some(write)
          ? [failing('22012')]
          : [{ statement: INSERT, values: [accepted.map(({ draft }) => draft), TEXT] }],
    });
    const results = await Promise.allSettled(
      ids.map((id, index) =>
        (id === broken ? breaking : (kinds[index % 3] as typeof breaking))(callerOf(unique('k')), id),
      ),
    );
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1);
    for (const id of ids) {
      expect(await left(id)).toEqual(id === broken ? { notes: 0, events: 0 } : { notes: 1, events: 1 });
    }
    const calm = ids.map(() => randomUUID());
    await Promise.all(calm.map((id, index) => (kinds[index % 3] as typeof breaking)(callerOf(null), id)));
    const { rows } = await gateway.sql.query(
      'SELECT count(DISTINCT xmin::text)::int AS n FROM test_note WHERE id = ANY($1)',
      [calm],
    );
    expect(rows[0]?.n).toBeLessThan(calm.length / 2);
  },
);
