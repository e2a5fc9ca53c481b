import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { freshDatabase, type FreshDatabase } from '../support/postgres.js';
import { documentedResult, run } from './command-line.js';

const HARBOR = `
harbor:
  name: Harbor
  letterhead: { name: Harbor Bank, addressLines: [1 Quay Street] }
  payer: { name: Harbor Bank, telephone: +1 503 555 0100, taxId: 12-3456789 }
  clients: [harbor-core]
  approvals: { changingOwners: true }
  transfers: { customersTo: PROGRAM, limits: [{ currency: USD, perDay: '5000.00' }] }
  webhookEndpoints:
    - url: https://hooks.harbor.example/in?token=SECRET
      description: Core ledger
      types: [transaction.posted]
`;
const QUAY = { quay: { name: 'Quay' } };

let database: FreshDatabase;
let gateway: TestGateway;
let data: string;
let folder: string;
beforeAll(async () => {
  database = await freshDatabase();
  data = await mkdtemp(join(tmpdir(), 'tillgate-apply-'));
  gateway = await startTestGateway({ databaseUrl: database.url, dataDir: data });
});
afterAll(async () => {
  await gateway.stop();
  await database.drop();
  await rm(data, { recursive: true, force: true });
});
beforeEach(async () => {
  folder = await mkdtemp(join(data, 'bank-'));
  await gateway.sql.query('TRUNCATE program, webhook_endpoint');
});

const applying = (...options: string[]) =>
  run(['apply', folder, ...options], { DATABASE_URL: database.url, DATA_DIR: data });
const file = (name: string, content: unknown) =>
  writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));

async function endpoints(program = 'harbor') {
  const client = gateway.as(await gateway.caller({ program }));
  const { body } = await client.rest.get<{ webhookEndpoints: Record<string, unknown>[] }>('/webhook-endpoints');
  return body.webhookEndpoints;
}

async function events(program: string): Promise<string[]> {
  const { rows } = await gateway.sql.query('SELECT action FROM program_event WHERE program = $1 ORDER BY seq', [
    program,
  ]);
  return rows.map(({ action }) => action as string);
}

describe('tillgate apply', () => {
  test('makes what a folder says, with events, and the same folder again changes nothing', async () => {
    await file('harbor.yaml', HARBOR);
    await file('quay.json', QUAY);
    await file('notes.txt', 'not a document');
    const before = (await events('harbor')).length;
    const checked = await applying('--check');
    expect(checked).toMatchObject({ status: 0, stderr: '' });
    expect(checked.stdout).toMatch(
      /^harbor: is new\n  name: none -> "Harbor"\n  letterhead\.name: none -> "Harbor Bank"\n/,
    );
    expect(checked.stdout).toContain('  payer.taxId: changes, and is not shown\n');
    expect(checked.stdout).toContain(`quay: is new
  name: none -> "Quay"
harbor, webhook endpoint at hooks.harbor.example: is new
  description: none -> "Core ledger"
  types: none -> ["transaction.posted"]
`);
    expect(checked.stdout).toMatch(/\nNothing was changed\.\n$/);
    expect([await endpoints(), (await events('harbor')).length]).toEqual([[], before]);

    const applied = await applying('--yes');
    expect(applied).toMatchObject({ status: 0, stdout: checked.stdout.replace('Nothing was changed.', 'Applied.') });
    expect((await events('harbor')).slice(before)).toEqual(['program.create', 'webhook_endpoint.create']);
    expect(await endpoints()).toMatchObject([
      { description: 'Core ledger', types: ['transaction.posted'], status: 'ENABLED' },
    ]);
    const client = gateway.as(await gateway.caller({ program: 'harbor' }));
    expect((await client.rest.get('/program')).body).toMatchObject({
      letterhead: { name: 'Harbor Bank' },
      clients: ['harbor-core'],
      approvals: { changingOwners: true },
      transfers: { customersTo: 'PROGRAM' },
    });
    expect(await applying('--yes')).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^harbor: is as the folder says\n(.*\n)*Everything is as the folder says\.\n$/),
    });
    expect((await events('harbor')).length).toBe(before + 2);
    for (const { stdout, stderr } of [checked, applied]) expect(stdout + stderr).not.toMatch(/SECRET|whsec_|6789/);
  });

  test('changes what differs, and leaves what the folder does not say', async () => {
    await file('harbor.yaml', HARBOR);
    await applying('--yes');
    await file(
      'harbor.yaml',
      `{"harbor": {"name": "Harbor Bank", "webhookEndpoints": [
        {"url": "https://hooks.harbor.example/in?token=SECRET", "status": "DISABLED"}, {"url": "https://other.harbor.example/", "signing": "V1A"}]}}`,
    );
    const { stdout } = await applying('--yes');
    expect(stdout).toBe(`harbor: changes
  name: "Harbor" -> "Harbor Bank"
harbor, webhook endpoint at hooks.harbor.example: changes
  status: "ENABLED" -> "DISABLED"
harbor, webhook endpoint at other.harbor.example: is new
Applied.
`);
    expect(await endpoints()).toMatchObject([
      { description: 'Core ledger', types: ['transaction.posted'], status: 'DISABLED' },
      { signing: 'V1A' },
    ]);
    await file('harbor.yaml', 'harbor: { name: Harbor Bank }');
    expect((await applying('--check')).stdout).toContain(
      'harbor, webhook endpoint at other.harbor.example: is not in the folder, and stays as it is\n',
    );
  });

  test('has endpoints wait for another person where the program says so', async () => {
    await file('quay.yaml', 'quay: { name: Quay, approvals: { changingWebhookEndpoints: true } }');
    await applying('--yes');
    await file('quay.yaml', 'quay: { name: Quay, webhookEndpoints: [{ url: "https://hooks.quay.example/" }] }');
    const { status, stdout } = await applying('--yes', '--json');
    const { webhookEndpoints } = JSON.parse(stdout);
    expect([status, webhookEndpoints]).toMatchObject([0, [{ outcome: 'waiting', approvalId: expect.any(String) }]]);
    const [{ approvalId }] = webhookEndpoints;
    expect(await endpoints('quay')).toEqual([]);
    const approver = gateway.as(await gateway.caller({ program: 'quay' }));
    expect((await approver.rest.post(`/approvals/${approvalId}/approve`)).status).toBe(200);
    expect(await endpoints('quay')).toHaveLength(1);
    expect((await applying('--check')).stdout).toContain('Everything is as the folder says.');
  });

  test('with --json has the names that its help says', async () => {
    await file('harbor.yaml', HARBOR);
    const { stdout } = await applying('--yes', '--json');
    const [result, sample] = [JSON.parse(stdout), (await documentedResult('apply')) as Record<string, object[]>];
    expect(Object.keys(result)).toEqual(Object.keys(sample));
    for (const list of ['programs', 'webhookEndpoints']) {
      expect(Object.keys(result[list][0])).toEqual(Object.keys(sample[list]?.[0] ?? {}));
    }
  });

  test('names every mistake with its file, repeats no value, and changes nothing', async () => {
    await file(
      'a.yaml',
      'harbor: { name: Harbor, colour: SECRET, webhookEndpoints: [{ url: "http://SECRET.example" }, { ulr: x }] }',
    );
    await file(
      'b.yaml',
      'quay: { name: Quay, webhookEndpoints: [{ url: "https://q.example/" }, { url: "https://q.example/" }] }',
    );
    await file('c.json', QUAY);
    const { status, stdout, stderr } = await applying('--yes');
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr.trim().split('\n')).toEqual([
      expect.stringMatching(/^a\.yaml: harbor: A field is unknown\. Use one of /),
      'b.yaml: quay: webhookEndpoints.1.url: Is in the list twice. Remove one.',
      'c.json: quay: Is in another file, too.',
    ]);
    await rm(join(folder, 'b.yaml'));
    await rm(join(folder, 'c.json'));
    await file(
      'a.yaml',
      'harbor: { name: Harbor, webhookEndpoints: [{ url: "http://SECRET.example/", types: [no.such] }] }',
    );
    const second = await applying('--yes');
    expect([second.status, second.stdout]).toEqual([2, '']);
    expect(second.stderr).toMatch(
      /^harbor: webhook endpoint at secret\.example: url: Must begin with https:\/\/\.\n.* types\.0: /,
    );
    expect((await gateway.sql.query('SELECT FROM program')).rowCount).toBe(0);
  });

  test('follows links within the folder, as mounted volumes have them, and none out of it', async () => {
    await mkdir(join(folder, '..data'));
    await writeFile(join(folder, '..data', 'quay.json'), JSON.stringify(QUAY));
    await symlink(join('..data', 'quay.json'), join(folder, 'quay.json'));
    expect((await applying('--check')).stdout).toContain('quay: is new\n');
    const outside = join(data, 'outside.yaml');
    await writeFile(outside, HARBOR);
    await mkdir(`${folder}-beside`);
    await writeFile(join(`${folder}-beside`, 'b.yaml'), HARBOR);
    await symlink(outside, join(folder, 'a.yaml'));
    await symlink(join(`${folder}-beside`, 'b.yaml'), join(folder, 'b.yaml'));
    await symlink(join(folder, 'nowhere'), join(folder, 'c.yaml'));
    await mkdir(join(folder, 'd.yaml'));
    const { status, stdout, stderr } = await applying('--yes');
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toBe(
      ['a', 'b']
        .map(name => `${name}.yaml: Is a symbolic link out of the folder. Put the file into the folder.\n`)
        .join('') +
        ['c', 'd']
          .map(name => `${name}.yaml: Cannot be read as a file. Check the path and the permissions.\n`)
          .join(''),
    );
  });

  test.each([
    ['a file of passwords', 'root:$y$SECRET:19000:0:::\ndaemon:SECRET:19000:0:::\n'],
    ['settings of an environment', 'SECRET_KEY: SECRET\nOTHER-SECRET: [1]\n'],
    ['a secret of Kubernetes', 'kind: Secret\ndata: { SECRET: SECRET }\n'],
    ['keys that are no texts', '? { SECRET: 1 }\n: 1\n? [SECRET]\n: 2\n'],
    ['a fault within', 'quay: { name: Quay, payer: { SECRET: 1 }, SECRET: 2, webhookEndpoints: [{ SECRET: 1 }] }'],
    ['a name twice', '{ "SECRET": { "name": "A", "SECRET": 1, "SECRET": 2 } }'],
    ['an alias that is not there', 'SECRET: *SECRET'],
  ])('repeats nothing of %s', async (_what, content) => {
    await file('a.yaml', content);
    const { status, stdout, stderr } = await applying('--yes');
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).not.toContain('SECRET');
    expect(stderr).toContain('a.yaml');
  });

  test.each([
    ['a folder that is not there', 'nowhere', 'cannot be read as a folder'],
    ['a folder without documents', 'empty', 'has no file that ends with .yaml, .yml or .json.'],
  ])('refuses %s', async (_what, name, message) => {
    await mkdir(join(data, 'empty'), { recursive: true });
    const { status, stderr } = await run(['apply', join(data, name), '--yes'], {
      DATABASE_URL: database.url,
      DATA_DIR: data,
    });
    expect([status, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  test('asks nobody where there is no terminal', async () => {
    await file('quay.json', QUAY);
    expect(await applying()).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('Add --yes to apply the folder'),
    });
  });
});
