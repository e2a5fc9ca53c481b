// Agents: the command line of the inspector, the SDK of today and the one of the revision before list and call every
// tool, read every resource, and get every prompt. Both SDKs hold each result against the schema of its tool.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ACCOUNT, root, tokenOf } from './gateway.mjs';
import { startGateway } from './start.mjs';

const pathOf = file => fileURLToPath(new URL(file, root));
const INSPECTOR = fileURLToPath(new URL('node_modules/.bin/mcp-inspector', import.meta.url));
const OTHER_ACCOUNT = 'demo-1002';
/** The record of the program, which lets agents propose. */
const DEMO = { demo: { name: 'Demo', approvals: { agentProposals: true } } };
const REASON = 'A customer asked for it by telephone.';
const RESOURCES = ['tillgate://accounts/{accountId}/statement', 'tillgate://events/{id}'];
const PROMPTS = { explain_last_week: { accountId: ACCOUNT }, why_refused: { requestId: 'refused-by-mcp' } };

let folder;
let gateway;
let token;
/** The arguments of a call of each tool, by its name. */
let calls;
/** The id of an event. */
let eventId;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tillgate-mcp-'));
  const data = { DATA_DIR: join(folder, 'data') };
  gateway = await startGateway({ ...data, FEDERATION: 'false', MCP: 'true' });
  await writeFile(join(folder, 'programs.json'), JSON.stringify(DEMO));
  const set = [pathOf('dist/src/main.js'), 'programs', 'set', join(folder, 'programs.json')];
  await promisify(execFile)(process.execPath, set, { env: { ...process.env, ...data } });
  token = await tokenOf({}, gateway.address);
  calls = await givenCalls();
});
after(async () => {
  await gateway?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** What a person does before, over REST, so that every tool has something to show or to change. */
async function rest(method, path, body) {
  const headers = {
    authorization: `Bearer ${token}`,
    'x-request-id': path.includes('demo-0') ? PROMPTS.why_refused.requestId : crypto.randomUUID(),
    'x-idempotency-key': crypto.randomUUID(),
    ...(body && { 'content-type': 'application/json' }),
  };
  const answer = await fetch(`${gateway.address}${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  return answer.json();
}

async function givenCalls() {
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
  const of = { accountId: ACCOUNT };
  const state = await rest('GET', `/accounts/${ACCOUNT}`);
  assert.equal(state.accountId, ACCOUNT);
  const owner = (await rest('GET', '/customers?limit=1')).customers[0].customerId;
  const { holdId } = await rest('POST', `/accounts/${ACCOUNT}/holds`, {
    holdId: 'held-before',
    amount: 1,
    description: 'Pump 4',
    expiresAt,
  });
  const { endpointId } = await rest('POST', '/webhook-endpoints', { url: 'https://bank.example/' });
  await rest('POST', '/accounts/demo-0/close', { reason: 'Moved away' });
  const owned = await rest('GET', `/accounts/${ACCOUNT}/transactions?status=POSTED&limit=100`);
  return {
    find_account: { text: 'Ashdown' },
    list_accounts: { customerId: owner, first: 2 },
    account_state: of,
    account_history: { ...of, directions: ['DEBIT'], minAmount: '1.00', first: 3 },
    account_holds: { ...of, statuses: ['ACTIVE'] },
    account_documents: of,
    document_runs: { first: 1 },
    tax_duties: { taxYear: 2025 },
    who_changed: { ...of, first: 5 },
    explain_refusal: PROMPTS.why_refused,
    list_webhooks: {},
    webhook_failures: { endpointId },
    place_hold: { ...of, holdId: 'held-by-agent', amount: '2.00', description: 'Pump 5', expiresAt },
    release_hold: { ...of, holdId },
    reverse_transaction: { ...of, transactionId: reversible(owned), reversalReason: 'Posted twice' },
    create_transfer: { fromAccountId: ACCOUNT, toAccountId: OTHER_ACCOUNT, transferId: 'by-agent', amount: '1.00' },
  };
}

/** A transaction that is neither part of a transfer nor given back. */
function reversible({ transactions }) {
  const found = transactions.map(one => one.depositTransaction).find(one => one.transactionType !== 'TRANSFER');
  return found.transactionId;
}

/** Calls every tool, reads every resource and gets every prompt, by what `client` makes of these. */
async function goThrough(client) {
  const { tools } = await client.tools();
  const files = await readdir(pathOf('packages/agents/mcp'), { recursive: true });
  const known = files.filter(file => file.endsWith('.graphql')).map(file => basename(file, '.graphql'));
  assert.deepEqual(tools.map(({ name }) => name).toSorted(), known.toSorted());

  const results = {};
  const call = async (name, args) => {
    const { isError = false, content, structuredContent } = await client.call(name, args);
    assert.ok(!isError, `${name}: ${content[0].text}`);
    assert.deepEqual(JSON.parse(content[0].text), structuredContent, name);
    results[name] = structuredContent;
  };
  for (const { name, annotations } of tools) {
    if (calls[name]) await call(name, annotations.readOnlyHint ? calls[name] : { ...calls[name], reason: REASON });
  }
  const [card] = results.account_state.account.cards;
  await call('freeze_card', { accountId: ACCOUNT, cardId: card.cardId, reason: REASON });
  await call('proposal_state', { approvalId: results.freeze_card.approvalId });
  assert.deepEqual(Object.keys(results).toSorted(), known.toSorted());

  for (const name of ['place_hold', 'release_hold', 'freeze_card', 'reverse_transaction', 'create_transfer']) {
    assert.equal(results[name].status, 'WAITING', name);
  }
  assert.equal(results.proposal_state.approval.status, 'WAITING');
  assert.deepEqual(results.explain_refusal.apiRequest.problems[0].code, { untrusted: 'account_not_found' });
  assert.equal(results.account_history.account.transactions.nodes.length, 3);
  assert.ok(results.find_account.search.length > 0);

  eventId = results.who_changed.events.nodes[0].id;
  const { resourceTemplates } = await client.templates();
  assert.deepEqual(
    resourceTemplates.map(({ uriTemplate }) => uriTemplate),
    RESOURCES,
  );
  for (const [uri, text] of [
    [`tillgate://accounts/${ACCOUNT}/statement`, `Account ${ACCOUNT}: `],
    [`tillgate://events/${encodeURIComponent(eventId)}`, '"eventId"'],
  ]) {
    const { contents } = await client.read(uri);
    assert.ok(contents[0].text.includes(text), uri);
  }
  const { prompts } = await client.prompts();
  assert.deepEqual(
    prompts.map(({ name }) => name),
    Object.keys(PROMPTS),
  );
  for (const [name, args] of Object.entries(PROMPTS)) {
    const { messages } = await client.prompt(name, args);
    assert.ok(messages[0].content.text.includes(Object.values(args)[0]), name);
  }
}

/** A client of an SDK, connected. */
async function connected(client, Transport) {
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new Transport(new URL(`${gateway.address}/mcp`), { requestInit }));
  return {
    tools: () => client.listTools(),
    call: (name, args) => client.callTool({ name, arguments: args }),
    templates: () => client.listResourceTemplates(),
    read: uri => client.readResource({ uri }),
    prompts: () => client.listPrompts(),
    prompt: (name, args) => client.getPrompt({ name, arguments: args }),
    close: () => client.close(),
  };
}

void test('the SDK of the revision of 2026-07-28 uses everything', async () => {
  const options = { versionNegotiation: { mode: { pin: '2026-07-28' } } };
  const client = await connected(new Client({ name: 'new', version: '1' }, options), StreamableHTTPClientTransport);
  await goThrough(client);
  await client.close();
});

void test('the SDK of the revision of 2025-11-25 uses everything', async () => {
  const client = await connected(new OldClient({ name: 'old', version: '1' }), OldTransport);
  await goThrough(client);
  await client.close();
});

for (const era of ['legacy', 'modern']) {
  void test(`the command line of the inspector uses everything (${era} protocol), and finds no schema that clients refuse`, async () => {
    const server = ['--transport', 'http', '--server-url', `${gateway.address}/mcp`, '--protocol-era', era];
    const usual = ['--header', `Authorization: Bearer ${token}`, '--format', 'json', '--quiet', '--stored-auth-only'];
    const run = async (method, ...more) => {
      const args = ['--cli', ...server, ...usual, '--method', method, ...more];
      // It keeps what it remembers of servers in the home of its user.
      const { stdout, stderr } = await promisify(execFile)(INSPECTOR, args, { env: { ...process.env, HOME: folder } });
      assert.equal(stderr, '', method);
      return JSON.parse(stdout).result;
    };
    await goThrough({
      tools: () => run('tools/list', '--strict'),
      call: (name, args) => run('tools/call', '--tool-name', name, '--tool-args-json', JSON.stringify(args)),
      templates: () => run('resources/templates/list'),
      read: uri => run('resources/read', '--uri', uri),
      prompts: () => run('prompts/list'),
      prompt: (name, args) =>
        run('prompts/get', '--prompt-name', name, '--prompt-args', ...Object.entries(args).map(pair => pair.join('='))),
    });
  });
}
