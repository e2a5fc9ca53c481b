// What a DPoP proof costs: the same requests with a plain token, and with one that is bound to a key and a new proof for
// each request (ES256). Proofs are made before they are sent, so their making costs the gateway nothing.
//   npm run proofs -- [--requests 2000] [--accounts 400]
import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { join, resolve } from 'node:path';
import { connectTo, importLedger } from './lib/data.mjs';
import { folderForThisRun } from './lib/folder.mjs';
import { readOptions } from './lib/options.mjs';
import { cpuSeconds } from './lib/processes.mjs';
import { openProduct } from './lib/product.mjs';
import { digits, table } from './lib/report.mjs';
import { run } from './lib/run.mjs';
import { ADD_BENEFICIARY, BENEFICIARY, during } from './lib/writes.mjs';
import { accountId } from './make-ledger.mjs';

const ROUNDS = 5;
const PATIENCE_SECONDS = 60;
/** In production a proof is compared with the address at which clients find the gateway. */
const PUBLIC_URL = 'https://gateway.bench.test';
const SETTINGS = { AUTH_SENDER_CONSTRAINED: 'accept', PUBLIC_URL };
const READ = `query ($a: ID!) { account(accountId: $a) { accountId status currency availableBalance
  beneficiaries(first: 4) { nodes { beneficiaryId name { first middle last } taxId relationship sharePercentage } } } }`;

await run(async () => {
  const {
    requests,
    accounts,
    product: root,
  } = readOptions({
    requests: 2000,
    accounts: 400,
    product: resolve(import.meta.dirname, '..'),
  });
  const folder = folderForThisRun();
  const product = await openProduct(root, folder, SETTINGS);
  const db = await connectTo(product.databaseUrl);
  await importLedger(product, join(folder, 'files'), { accounts, beneficiaries: 4, transactions: 1, largest: [1] });
  await db.query('VACUUM ANALYZE');
  const gateway = await product.serve(folder);
  let turn = 0;
  const account = () => accountId(1 + (turn++ % accounts));
  const works = {
    'a read of an account with its beneficiaries (W1)': () => [READ, { a: account() }],
    'a write with an idempotency key (W7)': () => [ADD_BENEFICIARY, { a: account(), i: BENEFICIARY }],
  };
  const tokens = { plain: () => () => ({ authorization: gateway.authorization }), bound: boundToken(gateway) };
  const figures = new Map();
  // One after another in each round, so that a busy moment of the machine falls on all of them. The first one warms up.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [work, write] of Object.entries(works)) {
      for (const [token, credentialsFor] of Object.entries(tokens)) {
        let left = requests;
        const next = () => (left-- > 0 ? write() : null);
        const credentials = credentialsFor(requests);
        const before = cpuSeconds(product.postgresPid);
        const { writes, cpu, took } = await during(gateway, PATIENCE_SECONDS, next, credentials);
        if (round === 0) continue;
        const sum = figures.get(`${work}|${token}`) ?? { writes: 0, cpu: 0, postgres: 0, took: 0 };
        figures.set(`${work}|${token}`, {
          writes: sum.writes + writes,
          cpu: sum.cpu + cpu,
          postgres: sum.postgres + cpuSeconds(product.postgresPid) - before,
          took: sum.took + took,
        });
      }
    }
  }
  const rows = [...figures].map(([name, { writes, cpu, postgres, took }]) => [
    ...name.split('|'),
    digits(writes / took, 0),
    digits((cpu / writes) * 1000, 3),
    digits((postgres / writes) * 1000, 3),
  ]);
  console.log(table(['request', 'token', 'requests/s', 'gateway CPU ms', 'PostgreSQL CPU ms'], rows));
});

/** A token that is bound to a key: makes so many proofs by it, and gives what takes one of them for each request. */
function boundToken(gateway) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { crv, kty, x, y } = publicKey.export({ format: 'jwk' });
  // The members of a thumbprint, in the order of RFC 7638.
  const jkt = createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');
  const token = gateway.tokenOf({ cnf: { jkt } }).replace('Bearer ', '');
  const ath = createHash('sha256').update(token).digest('base64url');
  const header = encoded({ typ: 'dpop+jwt', alg: 'ES256', jwk: { kty, crv, x, y } });
  const newProof = () => {
    const iat = Math.floor(Date.now() / 1000);
    const claims = { jti: randomUUID(), htm: 'POST', htu: `${PUBLIC_URL}/graphql`, iat, ath };
    const signed = `${header}.${encoded(claims)}`;
    const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' });
    return `${signed}.${signature.toString('base64url')}`;
  };
  return count => {
    const proofs = Array.from({ length: count }, newProof);
    return () => ({ authorization: `DPoP ${token}`, dpop: proofs.pop() });
  };
}

function encoded(part) {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
