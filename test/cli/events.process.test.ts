import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { BATCH_ROWS } from '../../src/bank/event/event.repository.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { leastBeneficiary } from '../support/given.js';
import { freshDatabase, type FreshDatabase } from '../support/postgres.js';
import { run } from './command-line.js';

let database: FreshDatabase;
let folder: string;
let gateway: TestGateway;
beforeEach(async () => {
  database = await freshDatabase();
  folder = await mkdtemp(join(tmpdir(), 'tillgate-events-'));
  gateway = await startTestGateway({ databaseUrl: database.url });
});
afterEach(async () => {
  await gateway.stop();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

function verify(...more: string[]) {
  return run(['events', 'verify', ...more], { DATABASE_URL: database.url, DATA_DIR: folder });
}

/** Accounts with so many events each. */
async function givenEvents(...counts: number[]): Promise<string[]> {
  const accounts: string[] = [];
  for (const count of counts) {
    const of = await gateway.given.account();
    for (let n = 0; n < count; n++) {
      const { status } = await gateway
        .as(of.caller)
        .rest.post(`/accounts/${of.account}/beneficiaries`, leastBeneficiary(), { 'x-request-id': `"ä\u00e9\\'-${n}` });
      expect(status).toBe(201);
    }
    accounts.push(of.account);
  }
  return accounts;
}

/** `$1` in the statement is the account. */
async function tamper(statement: string, account: string | undefined): Promise<void> {
  await gateway.tamper(statement.replaceAll('$1', `'${account}'`));
}

describe('events verify', () => {
  test('finds nothing wrong with what commands wrote, across batches and with any text', async () => {
    const [account] = await givenEvents(3, 2);
    await gateway.sql.query(
      `INSERT INTO event (program, client_id, subject, request_id, action, account_id, object, data)
       SELECT 'p', 'c "q" \\ / é 漢', E'tab\\tline\\nquote"\\x01\\x7f', n::text, 'note.add', $1, 'note/' || n,
         jsonb_build_object('b', n, 'a', jsonb_build_array(1.50, 'x"y', null, true), 'ü', E'\\u2028') FROM generate_series(1, $2::int) n`,
      [account, BATCH_ROWS + 10],
    );
    expect(await verify()).toMatchObject({
      status: 0,
      stdout: `${BATCH_ROWS + 15} events of 2 accounts verified: 0 broken\n`,
      stderr: '',
    });
  });

  test('finds nothing wrong where there is nothing', async () => {
    expect(await verify()).toMatchObject({ status: 0, stdout: '0 events of 0 accounts verified: 0 broken\n' });
  });

  test.each([
    [
      'another actor',
      `UPDATE account_event SET subject = 'somebody else' WHERE account_id = $1 AND chain_seq = 2`,
      'event 2 does not match its hash',
    ],
    [
      'another time',
      `UPDATE account_event SET occurred_at = '2020-01-01Z' WHERE account_id = $1 AND chain_seq = 1`,
      'event 1 does not match its hash',
    ],
    [
      'other data',
      `UPDATE account_event SET data = data || '{"x": 1}' WHERE account_id = $1 AND chain_seq = 3`,
      'event 3 does not match its hash',
    ],
    [
      'an event less in the middle',
      `DELETE FROM account_event WHERE account_id = $1 AND chain_seq = 2`,
      'event 3 or one before it is missing',
    ],
    [
      'an event less at the start',
      `DELETE FROM account_event WHERE account_id = $1 AND chain_seq = 1`,
      'event 2 or one before it is missing',
    ],
    [
      'an event that was rewritten with a hash that fits',
      `UPDATE account_event SET data = '{}' WHERE account_id = $1 AND chain_seq = 2;
       DO 'DECLARE fitting bytea; BEGIN
         SELECT account_event_hash(b.hash, e.chain_seq, e.id, e.occurred_at, e.program, e.client_id, e.subject, e.request_id, e.action, e.account_id, e.object, e.data)
           INTO fitting FROM account_event e JOIN account_event b ON b.account_id = e.account_id AND b.chain_seq = 1 WHERE e.account_id = '$1' AND e.chain_seq = 2;
         UPDATE account_event SET hash = fitting WHERE account_id = '$1' AND chain_seq = 2;
       END'`,
      'event 3 does not match its hash',
    ],
  ])('tells of %s', async (_what, statement, told) => {
    const [account] = await givenEvents(3, 1);
    await tamper(statement, account);
    const { status, stdout, stderr } = await verify();
    expect(stderr.split('\n')[0]).toBe(`account ${account}: ${told}`);
    expect([status, stdout]).toEqual([1, expect.stringMatching(/ of 2 accounts verified: [12] broken\n$/)]);
  });

  test('with kept heads also tells of what was cut off at the end, and of a chain that was written anew', async () => {
    const [first, second] = await givenEvents(3, 2);
    const heads = join(folder, 'heads');
    expect(await verify('--heads', heads)).toMatchObject({ status: 0, stderr: '' });
    const kept = await readFile(heads, 'utf8');
    expect(kept.split('\n').sort().filter(Boolean)).toEqual(
      [`${first} 3`, `${second} 2`].sort().map(line => expect.stringMatching(new RegExp(`^${line} [0-9a-f]{64}$`))),
    );

    await tamper('DELETE FROM account_event WHERE account_id = $1 AND chain_seq = 3', first);
    const end = `account ${first}: event 2 is the last one, and the account names another\n`;
    expect(await verify()).toMatchObject({ status: 1, stderr: end });
    const cut = await verify('--heads', heads);
    expect(cut).toMatchObject({ status: 1, stderr: `account ${first}: event 3 or one before it is missing\n${end}` });
    expect(await readFile(heads, 'utf8')).toBe(kept);

    await gateway.sql.query(
      `INSERT INTO event (program, client_id, subject, request_id, action, account_id, object, data)
       VALUES ('p', 'c', 's', 'r', 'note.add', $1, 'note/1', '{}')`,
      [first],
    );
    expect(await verify()).toMatchObject({ status: 0 });
    expect(await verify('--heads', heads)).toMatchObject({
      status: 1,
      stderr: `account ${first}: event 3 does not match its hash\n`,
    });
  });

  test('tells of denied attempts, too, and with kept heads of those that were cut off at the end', async () => {
    const [account] = await givenEvents(1);
    const prying = await gateway.caller({ program: 'prying', scopes: ['accounts.read'] });
    for (let n = 0; n < 2; n++) await gateway.as(prying).rest.delete(`/accounts/${account}/beneficiaries/x`);
    await gateway.recorded();
    const heads = join(folder, 'heads');
    expect(await verify('--heads', heads)).toMatchObject({
      status: 0,
      stdout: '1 events of 1 accounts and 2 denied attempts in 1 programs verified: 0 broken\n',
    });
    expect(await readFile(heads, 'utf8')).toMatch(
      new RegExp(`^${account} 1 [0-9a-f]{64}\ndenied prying 2 [0-9a-f]{64}\n$`),
    );

    await tamper(
      `UPDATE denied_attempt SET data = '{}' WHERE seq = 1; DELETE FROM denied_attempt WHERE seq = 2`,
      account,
    );
    expect(await verify('--heads', heads)).toMatchObject({
      status: 1,
      stderr:
        'denied attempts in prying: event 1 does not match its hash\ndenied attempts in prying: event 2 or one before it is missing\n',
    });
    const { stdout } = await verify('--json');
    expect(JSON.parse(stdout)).toEqual({
      events: 1,
      accounts: 1,
      programEvents: 0,
      denied: 1,
      programs: 1,
      broken: 1,
      finished: true,
      links: [
        {
          program: 'prying',
          event: 1,
          problem: 'changed',
        },
      ],
    });
  });

  test('with kept heads goes on where the chains have grown', async () => {
    const [account] = await givenEvents(1);
    const heads = join(folder, 'heads');
    expect((await verify('--heads', heads)).status).toBe(0);
    await gateway.sql.query(
      `INSERT INTO event (program, client_id, subject, request_id, action, account_id, object, data)
       VALUES ('p', 'c', 's', 'r', 'note.add', $1, 'note/1', '{}')`,
      [account],
    );
    expect((await verify('--heads', heads)).status).toBe(0);
    expect(await readFile(heads, 'utf8')).toMatch(new RegExp(`^${account} 2 `));
  });

  test('refuses a file of heads that is none, and says so', async () => {
    const heads = join(folder, 'heads');
    await writeFile(heads, 'my diary\n');
    expect(await verify('--heads', heads)).toMatchObject({
      status: 2,
      stderr: 'The file of --heads was not written by this command. Name another file.\n',
    });
    expect(await readFile(heads, 'utf8')).toBe('my diary\n');
  });

  test('refuses a file of heads that it could not write before it verifies anything', async () => {
    const [account] = await givenEvents(1);
    await tamper(`UPDATE account_event SET data = '{}' WHERE account_id = $1`, account);
    expect(await verify('--heads', join(folder, 'missing', 'heads'))).toMatchObject({
      status: 2,
      stdout: '',
      stderr:
        'The file of --heads cannot be written. Check that its folder exists and that this user may write there.\n',
    });
  });
});
