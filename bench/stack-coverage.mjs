// Which functions of the packages run for one warm request: V8's precise coverage of a read, a write, a REST read and
// an operator's list, each sent a hundred times before. `node bench/stack-coverage.mjs` after `npm run build`.
import { mkdtempSync, rmSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGateway } from '../dist/src/index.js';

const WARM = 100;
const PACKAGES = [
  '@apollo/server',
  'type-graphql',
  '@mikro-orm',
  'graphql-jit',
  'graphql',
  'express',
  'router',
  'dataloader',
  'pg',
];

const dataDir = mkdtempSync(join(tmpdir(), 'tillgate-coverage-'));
const session = new Session();
session.connect();
await session.post('Profiler.enable');
// Counts from the first call on; functions that were optimised meanwhile would not be counted otherwise.
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
const settings = {
  ...process.env,
  PORT: '0',
  LOG_LEVEL: 'silent',
  DATA_DIR: dataDir,
  RATE_LIMIT_PER_SECOND: '100000',
  RATE_LIMIT_BURST: '100000',
};
const gateway = await createGateway({ settings });
const token = await tokenOf([
  'accounts.read',
  'beneficiaries.read',
  'beneficiaries.write',
  'transactions.read',
  'operations',
]);
let key = 0;

const REQUESTS = {
  'a read': () =>
    graphql(
      '{ account(accountId: "demo-1001") { status owners { name { last } } transactions(first: 10) { nodes { amount } } } }',
    ),
  'a write': () =>
    graphql(
      'mutation($input: BeneficiaryPatch!) { updateBeneficiary(accountId: "demo-1001", beneficiaryId: "' +
        beneficiaryId +
        '", input: $input) { sharePercentage } }',
      { input: { sharePercentage: key % 100 } },
      { 'x-idempotency-key': `coverage-${(key += 1)}` },
    ),
  'a REST read': () => get('/accounts/demo-1001/transactions'),
  "an operator's list": () => graphql('{ webhookEndpoints(first: 10) { nodes { endpointId url } } }'),
  'the list of approvals': () => graphql('{ approvals(first: 10) { totalCount nodes { approvalId status } } }'),
  'the list of runs': () => graphql('{ statementRuns(first: 10) { totalCount nodes { runId status } } }'),
  'the program': () => graphql('{ program { name clients } }'),
};

const [{ beneficiaryId }] = (
  await graphql('{ account(accountId: "demo-1001") { beneficiaries { nodes { beneficiaryId } } } }')
).data.account.beneficiaries.nodes;
try {
  console.log(['functions that ran', ...PACKAGES, 'Tillgate'].join(' | '));
  for (const [name, send] of Object.entries(REQUESTS)) {
    for (let time = 0; time < WARM; time++) await send();
    await session.post('Profiler.takePreciseCoverage');
    await send();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const count = filter =>
      result
        .filter(({ url }) => filter(url))
        .flatMap(({ functions }) => functions.filter(({ ranges }) => ranges[0].count > 0)).length;
    const of = PACKAGES.map(one => count(url => url.includes(`/node_modules/${one}/`)));
    console.log([name, ...of, count(url => /\/dist\/(src|lib)\//.test(url))].join(' | '));
  }
} finally {
  await gateway.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

async function tokenOf(scopes) {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: 'demo',
    client_secret: 'demo-secret',
    scope: scopes.join(' '),
  });
  const answer = await fetch(`${gateway.url}/oauth/token`, { method: 'POST', body });
  return (await answer.json()).access_token;
}

async function graphql(query, variables, headers = {}) {
  const answer = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query, variables }),
  });
  const body = await answer.json();
  if (body.errors) throw new Error(JSON.stringify(body.errors));
  return body;
}

async function get(path) {
  const answer = await fetch(`${gateway.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
  return answer.json();
}
