import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { importing } from '../cli/importing.js';
import { keyed, startTestGateway, type TestGateway } from '../support/gateway.js';
import { PROGRAM } from '../support/given.js';
import { restCode } from '../support/answers.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const GROUPS = [{ name: 'Bank Operations', roles: ['operator', 'pii'] }];
const LOGO = { svgPath: 'M0 0H9V9Z', viewBox: [0, 0, 9, 9], color: '#123abc' };
const QUERY = `{ program { programId name letterhead { name addressLines telephone } payer { name addressLines telephone taxId }
  errorResolution { telephone email addressLines } logo { png svgPath viewBox color } clients checkFunds exactSearch statementsWithoutActivity operatorGroups { name roles } retentionYears } }`;

async function given(changes: object = {}) {
  const program = gateway.given.program();
  await gateway.given.programRecord(program, { logo: LOGO, clients: ['core'], ...changes });
  return { program, caller: gateway.as(await gateway.caller({ program })) };
}

async function eventsOf(program: string): Promise<unknown[]> {
  const { rows } = await gateway.sql.query(
    'SELECT action, client_id, account_id, object, data FROM event WHERE program = $1 ORDER BY id',
    [program],
  );
  return rows;
}

test('a program is shown alike over GraphQL and REST, its tax id by the last four digits', async () => {
  const { program, caller } = await given({
    checkFunds: true,
    exactSearch: true,
    statementsWithoutActivity: 'QUARTERLY',
    operatorGroups: GROUPS,
    retentionYears: 7,
  });
  const payer = { ...PROGRAM.payer, taxId: '******6789' };
  const shown = {
    programId: program,
    ...PROGRAM,
    payer,
    clients: ['core'],
    checkFunds: true,
    exactSearch: true,
    statementsWithoutActivity: 'QUARTERLY',
    operatorGroups: GROUPS,
    retentionYears: 7,
  };
  const graphql = await caller.graphql(QUERY);
  expect(graphql.data.program).toEqual({ ...shown, logo: { png: null, ...LOGO } });
  const rest = await caller.rest.get('/program');
  const times = { createdAt: expect.any(String), updatedAt: expect.any(String) };
  const errorResolution = { ...PROGRAM.errorResolution, email: '' };
  const stated = { ...shown, payer: { ...payer, state: '', stateTaxId: '' } };
  expect([rest.status, rest.body]).toEqual([200, { ...stated, errorResolution, logo: LOGO, ...times }]);
});

test('what is not on record is null over GraphQL and absent over REST', async () => {
  const { program, caller } = await given({ letterhead: null, payer: null, errorResolution: null, logo: null });
  const { data } = await caller.graphql('{ program { letterhead { name } payer { name } logo { png } } }');
  expect(data.program).toEqual({ letterhead: null, payer: null, logo: null });
  const { body } = await caller.rest.get('/program');
  expect(Object.keys(body)).toEqual([
    'programId',
    'name',
    'clients',
    'checkFunds',
    'exactSearch',
    'statementsWithoutActivity',
    'operatorGroups',
    'createdAt',
    'updatedAt',
  ]);
  expect(body.programId).toBe(program);
});

test('a program without a record is null, and over REST not found', async () => {
  const caller = gateway.as(await gateway.caller({ program: gateway.given.program() }));
  expect(await caller.graphql(QUERY)).toMatchObject({ data: { program: null }, errors: undefined });
  expect(await caller.rest.get('/program')).toMatchObject({ status: 404, body: { code: 'program_not_found' } });
});

test('the tax id of the payer is sealed in the row, and in no event and no line of the log', async () => {
  const taxId = '45-6170923';
  const { program } = await given({ payer: { ...PROGRAM.payer, taxId } });
  const { rows } = await gateway.sql.query('SELECT p::text AS row FROM program p WHERE program_id = $1', [program]);
  const digits = /45-?6170923/;
  expect(rows[0].row).toContain('******0923');
  for (const text of [rows[0].row, JSON.stringify(await eventsOf(program)), ...gateway.log]) {
    expect(text).not.toMatch(digits);
  }
});

test('each change is an event with the names of the fields, and the same record again is none', async () => {
  const { program } = await given({ clients: [] });
  const set = async (changes: object) =>
    importing(gateway, 'programs', program, [{ programId: program, ...PROGRAM, logo: LOGO, ...changes }]);
  expect(await set({})).toEqual(['unchanged']);
  expect(await set({ payer: { ...PROGRAM.payer, taxId: '12-3456780' } })).toEqual(['updated']);
  const letterhead = { name: PROGRAM.letterhead.name, addressLines: ['3 Quay Street'], telephone: null };
  expect(await set({ letterhead, logo: null })).toEqual(['updated']);
  const event = { client_id: 'tillgate', account_id: null, object: `program/${program}` };
  expect(await eventsOf(program)).toEqual([
    {
      ...event,
      action: 'program.create',
      data: {
        changed: [
          'name',
          'letterhead.name',
          'letterhead.addressLines',
          'letterhead.telephone',
          'payer.name',
          'payer.addressLines',
          'payer.telephone',
          'payer.taxId',
          'errorResolution.telephone',
          'errorResolution.addressLines',
          'logo',
        ],
      },
    },
    { ...event, action: 'program.update', data: { changed: ['payer.taxId'] } },
    {
      ...event,
      action: 'program.update',
      data: { changed: ['letterhead.addressLines', 'payer.taxId', 'letterhead.telephone', 'logo'] },
    },
  ]);
});

test('the feed tells that a program changed, to readers of that program alone', async () => {
  const { program, caller } = await given();
  await gateway.feedReady();
  const { body } = await caller.rest.get('/events?types=program.created');
  expect(body.events).toMatchObject([{ type: 'program.created', data: { programId: program, sequence: 1 } }]);
  const stranger = gateway.as(await gateway.caller({ program: gateway.given.program() }));
  expect((await stranger.rest.get('/events?types=program.created')).body.events).toEqual([]);
});

test('records that come twice at the same moment are one', async () => {
  const program = gateway.given.program();
  const records = [{ programId: program, ...PROGRAM }];
  const outcomes = await Promise.all([1, 2, 3, 4].map(() => importing(gateway, 'programs', program, records)));
  expect(outcomes.flat().filter(outcome => outcome === 'new')).toHaveLength(1);
  expect(await eventsOf(program)).toHaveLength(1);
});

const UPDATE = `mutation ($input: ProgramPatch!, $dryRun: Boolean! = false) {
  updateProgram(input: { patch: $input, dryRun: $dryRun }) { program { name letterhead { name telephone } logo { color } clients approvals { changingOwners } } } }`;

describe('the record of a program', () => {
  test('is changed by a patch, with an event that names the fields', async () => {
    const { program, caller } = await given();
    const input = { name: 'Cedar', letterhead: { name: 'Cedar Bank', telephone: null }, logo: null };
    const { data } = await caller.graphql(UPDATE, { input });
    expect(data.updateProgram.program).toEqual({
      name: 'Cedar',
      letterhead: { name: 'Cedar Bank', telephone: null },
      logo: null,
      clients: ['core'],
      approvals: null,
    });
    await caller.graphql(UPDATE, { input: { statementsWithoutActivity: 'ALWAYS' } });
    expect((await caller.rest.get('/program')).body).toMatchObject({
      name: 'Cedar',
      letterhead: { addressLines: PROGRAM.letterhead.addressLines },
      statementsWithoutActivity: 'ALWAYS',
    });
    const updates = (await eventsOf(program)).filter(
      event => (event as { action: string }).action === 'program.update',
    );
    expect(updates).toMatchObject([
      { data: { changed: ['name', 'letterhead.name', 'letterhead.telephone', 'logo'] } },
      { data: { changed: ['statementsWithoutActivity'] } },
    ]);
  });

  test('that is as the patch says makes no event, and a dry run keeps nothing', async () => {
    const { program, caller } = await given();
    const before = await caller.rest.get('/program');
    const same = await caller.graphql(UPDATE, { input: { name: PROGRAM.name, clients: ['core'] } });
    expect(same.data.updateProgram.program.name).toBe(PROGRAM.name);
    const { data } = await caller.graphql(UPDATE, { input: { name: 'Cedar' }, dryRun: true });
    expect(data.updateProgram.program.name).toBe('Cedar');
    expect((await caller.rest.get('/program')).body).toEqual(before.body);
    expect(await eventsOf(program)).toHaveLength(1);
  });

  test('has its controls changed by two persons, also where nothing else waits', async () => {
    const { program, caller } = await given();
    const input = {
      clients: ['core', 'cards'],
      approvals: { changingOwners: true },
      payer: { name: PROGRAM.payer.name, taxId: '98-7654321' },
    };
    const asked = await caller.graphql(UPDATE, { input }, { headers: keyed('controls') });
    const { code, approvalId } = asked.errors?.[0].extensions ?? {};
    expect([asked.data.updateProgram, code]).toEqual([null, 'APPROVAL_REQUIRED']);
    expect((await caller.rest.get('/program')).body).toMatchObject({ clients: ['core'] });
    const approver = gateway.as(await gateway.caller({ program, subject: 'somebody-else' }));
    const path = `/approvals/${String(approvalId)}`;
    const { body } = await approver.rest.get(path);
    expect(body).toMatchObject({
      command: 'program.update',
      object: `program/${program}`,
      facts: { changed: expect.arrayContaining(['clients', 'payer.taxId']) },
    });
    expect(body.changes).toEqual(
      expect.arrayContaining([
        { field: 'clients', before: '["core"]', after: '["core","cards"]' },
        { field: 'approvals.changingOwners', before: '', after: 'true' },
        { field: 'payer.taxId', before: 'on record', after: 'another one' },
      ]),
    );
    expect((await caller.rest.post(`${path}/approve`)).body.code).toBe('own_approval');
    expect((await approver.rest.post(`${path}/approve`)).status).toBe(200);
    expect((await caller.rest.get('/program')).body).toMatchObject({
      clients: ['core', 'cards'],
      approvals: { changingOwners: true },
      payer: { taxId: '******4321' },
    });
    // Without a key nobody could get the result later.
    const { errors } = await caller.graphql(UPDATE, { input: { exactSearch: true } });
    expect(errors?.[0].extensions.code).toBe('IDEMPOTENCY_KEY_REQUIRED');
  });

  test('gives roles to groups of the provider when a second person approves', async () => {
    const { program, caller } = await given();
    const asked = await caller.graphql(UPDATE, { input: { operatorGroups: GROUPS } }, { headers: keyed('groups') });
    const { code, approvalId } = asked.errors?.[0].extensions ?? {};
    expect(code).toBe('APPROVAL_REQUIRED');
    expect((await caller.rest.get('/program')).body.operatorGroups).toEqual([]);
    const approver = gateway.as(await gateway.caller({ program, subject: 'somebody-else' }));
    const path = `/approvals/${String(approvalId)}`;
    expect((await approver.rest.get(path)).body.changes).toEqual([
      { field: 'operatorGroups', before: '', after: JSON.stringify(GROUPS) },
    ]);
    expect((await approver.rest.post(`${path}/approve`)).status).toBe(200);
    expect((await caller.rest.get('/program')).body.operatorGroups).toEqual(GROUPS);
  });

  test('keeps closed accounts as long as a second person approves, from 1 to 100 years', async () => {
    const { program, caller } = await given();
    const change = (retentionYears: number, key: string) =>
      caller.graphql(UPDATE, { input: { retentionYears } }, { headers: keyed(key) });
    const asked = await change(7, 'seven');
    const { code, approvalId } = asked.errors?.[0].extensions ?? {};
    expect(code).toBe('APPROVAL_REQUIRED');
    const approver = gateway.as(await gateway.caller({ program, subject: 'somebody-else' }));
    const path = `/approvals/${String(approvalId)}`;
    expect((await approver.rest.get(path)).body.changes).toEqual([{ field: 'retentionYears', before: '', after: '7' }]);
    expect((await approver.rest.post(`${path}/approve`)).status).toBe(200);
    expect((await caller.rest.get('/program')).body.retentionYears).toBe(7);
    for (const years of [0, 101]) {
      const { errors } = await change(years, `years-${years}`);
      expect(errors?.[0].extensions).toMatchObject({
        errors: [{ pointer: '/input/patch/retentionYears', code: 'range' }],
      });
    }
    const record = { programId: program, name: 'Harbor', retentionYears: 1 };
    const imported = await caller.rest.post('/imports/programs', { lines: JSON.stringify(record) });
    expect(imported.body).toMatchObject({ rejected: [{ pointer: '/retentionYears', code: 'fixed' }] });
    expect((await caller.rest.get('/program')).body.retentionYears).toBe(7);
  });

  test('names each group once, with roles that exist', async () => {
    const { caller } = await given();
    const operatorGroups = [
      { name: 'Tellers', roles: ['viewer', 'gardener'] },
      { name: 'Auditors', roles: [] },
      { name: 'Tellers', roles: ['viewer'] },
    ];
    const { errors } = await caller.graphql(UPDATE, { input: { operatorGroups } });
    const found = errors?.[0]?.extensions.errors?.map(({ pointer, code }) => [pointer, code]);
    expect(found).toEqual([
      ['/input/patch/operatorGroups/0/roles/1', 'format'],
      ['/input/patch/operatorGroups/1/roles', 'size'],
      ['/input/patch/operatorGroups/2', 'distinct'],
    ]);
  });

  test('is not there to be changed until an import made it', async () => {
    const stranger = gateway.as(await gateway.caller({ program: gateway.given.program() }));
    const codeOf = async (client: typeof stranger, input: object) =>
      restCode((await client.graphql(UPDATE, { input })).errors?.[0].extensions.code);
    expect(await codeOf(stranger, { name: 'Cedar' })).toBe('program_not_found');
    expect(await codeOf((await given()).caller, { name: null })).toBe('rule_broken');
  });
});
