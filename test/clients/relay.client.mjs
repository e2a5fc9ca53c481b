// Relay: its compiler reads the schema as it is published, and its store keeps what the gateway answers. No handler, no
// resolver of ids and no updater is written here: Relay asks for `id`, pages by the connections, and reads a record
// again by `node`.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL, fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import compiler from 'relay-compiler';
import relay from 'relay-runtime';
import { ACCOUNT, ask, beneficiary, root } from './gateway.mjs';

const { Environment, Network, RecordSource, Store, commitMutation, createOperationDescriptor, fetchQuery } = relay;
const { getSelector } = relay;
const runtime = createRequire(import.meta.url).resolve('relay-runtime');

let folder;
let bank;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tillgate-relay-'));
  await cp(fileURLToPath(new URL('relay', import.meta.url)), join(folder, 'src'), { recursive: true });
  await cp(new URL('schema.graphql', root), join(folder, 'schema.graphql'));
  const settings = { src: 'src', schema: 'schema.graphql', language: 'javascript', eagerEsModules: true };
  await writeFile(join(folder, 'relay.config.json'), JSON.stringify(settings));
  await promisify(execFile)(compiler, [], { cwd: folder });
  bank = await artifacts(join(folder, 'src', '__generated__'));
});
after(() => rm(folder, { recursive: true, force: true }));

/** What the compiler wrote, by name. It leaves the extensions of imports to bundlers. */
async function artifacts(generated) {
  const names = (await readdir(generated)).map(file => file.replace('.graphql.js', ''));
  const contents = names.map(name => `export { default as ${name} } from './${name}.graphql';`).join('\n');
  const outfile = join(folder, 'artifacts.mjs');
  const stdin = { contents, resolveDir: generated };
  await build({ stdin, outfile, bundle: true, format: 'esm', alias: { 'relay-runtime': runtime }, platform: 'node' });
  return import(pathToFileURL(outfile).href);
}

function environment() {
  const network = Network.create(({ text }, variables) => ask({ query: text, variables }));
  return new Environment({ network, store: new Store(new RecordSource()) });
}

async function fetched(store, query, variables) {
  const data = await fetchQuery(store, query, variables).toPromise();
  // As a component that shows it does.
  store.retain(createOperationDescriptor(query, variables));
  return data;
}

function written(store, mutation, variables) {
  const { promise, resolve, reject } = Promise.withResolvers();
  const onCompleted = (data, errors) => (errors ? reject(new Error(errors[0].message)) : resolve(data));
  commitMutation(store, { mutation, variables, onCompleted, onError: reject });
  return promise;
}

/** What a component sees that shows this fragment of the account. */
function seen(store, fragment, account) {
  return store.lookup(getSelector(fragment, account)).data;
}

test('Relay pages through a list of an account that it refetches by its id', async () => {
  const store = environment();
  const { account } = await fetched(store, bank.bankAccountQuery, { accountId: ACCOUNT });
  const first = seen(store, bank.bankBeneficiaries, account).beneficiaries;
  assert.equal(first.edges.length, 2);
  assert.equal(first.pageInfo.hasNextPage, true);
  const page = { id: account.id, count: 2, cursor: first.pageInfo.endCursor };
  await fetched(store, bank.bankBeneficiariesPageQuery, page);
  const { edges } = seen(store, bank.bankBeneficiaries, account).beneficiaries;
  assert.ok(edges.length > 2);
  assert.equal(new Set(edges.map(({ node }) => node.id)).size, edges.length);
});

test('Relay pages backward', async () => {
  const store = environment();
  const { account } = await fetched(store, bank.bankAccountQuery, { accountId: ACCOUNT });
  const last = seen(store, bank.bankTransactions, account).transactions;
  assert.deepEqual([last.edges.length, last.pageInfo.hasPreviousPage], [3, true]);
  const page = { id: account.id, count: 3, cursor: last.pageInfo.startCursor };
  await fetched(store, bank.bankTransactionsPageQuery, page);
  const { edges } = seen(store, bank.bankTransactions, account).transactions;
  assert.equal(new Set(edges.map(({ node }) => node.transactionId)).size, 6);
  assert.deepEqual(edges.slice(-3), last.edges);
});

test('what Relay adds, changes and deletes is in the list at once, without a word about how', async () => {
  const store = environment();
  const { account } = await fetched(store, bank.bankAccountQuery, { accountId: ACCOUNT });
  const list = () => seen(store, bank.bankBeneficiaries, account).beneficiaries;
  const ids = () => list().edges.map(({ node }) => node.id);
  const there = ids();
  const connections = [list().__id];
  const {
    addBeneficiary: { beneficiary: added },
  } = await written(store, bank.bankAddMutation, {
    accountId: ACCOUNT,
    input: beneficiary('Relay'),
    connections,
  });
  assert.deepEqual(ids(), [...there, added.id]);
  const { beneficiaryId } = added;
  const change = { accountId: ACCOUNT, beneficiaryId, input: { sharePercentage: 7 } };
  await written(store, bank.bankUpdateMutation, change);
  assert.equal(list().edges.at(-1).node.sharePercentage, 7);
  await written(store, bank.bankDeleteMutation, { accountId: ACCOUNT, beneficiaryId, connections });
  assert.deepEqual(ids(), there);
});
