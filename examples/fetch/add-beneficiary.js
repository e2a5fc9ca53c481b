// Adds a beneficiary to an account, once, however often it is started and whatever breaks meanwhile; then lists what
// the account has.
import { rm } from 'node:fs/promises';
import { ClientCredentials } from './client-credentials.js';
import { keptOrder } from './order.js';
import { OutcomeUnknown, Tillgate, TillgateError } from './tillgate-client.js';

const {
  TILLGATE_URL: url = 'http://127.0.0.1:4000',
  TILLGATE_TOKEN_URL: tokenUrl = `${url}/oauth/token`,
  TILLGATE_CLIENT_ID: clientId = 'demo',
  TILLGATE_CLIENT_SECRET: clientSecret = 'demo-secret',
  TILLGATE_TIMEOUT_MS: attemptTimeoutMs = '15000',
  ORDER_FILE: orderFile = 'order.json',
} = process.env;
const [account = 'demo-1009', first = 'Ada', last = 'Villaseñor'] = process.argv.slice(2);

const tokens = new ClientCredentials({ tokenUrl, clientId, clientSecret });
const bank = new Tillgate({ url, tokens, attemptTimeoutMs: Number(attemptTimeoutMs) });

const list = `/accounts/${encodeURIComponent(account)}/beneficiaries`;
const beneficiary = { name: { first, last }, beneficiaryType: 'PRIMARY', relationship: 'CHILD', sharePercentage: 100 };
const { method, path, ...order } = await keptOrder(orderFile, { method: 'POST', path: list, body: beneficiary });
try {
  const { body, replayed } = await bank.write(method, path, order);
  console.log(`${replayed ? 'was added before' : 'added'}: ${body.beneficiaryId}`);
  await rm(orderFile);
  for await (const { name, relationship, sharePercentage } of bank.list(path, 'accountBeneficiaries')) {
    console.log(`${name.first} ${name.last}, ${relationship}, ${sharePercentage} %`);
  }
} catch (error) {
  process.exitCode = 1;
  if (error instanceof TillgateError) {
    console.error(`refused: ${error.code} (request ${error.requestId}): ${error.message}`);
    for (const { pointer, detail } of error.errors) console.error(`  ${pointer}: ${detail}`);
    // It is decided, and the answer is kept under the key: another order needs another key.
    if (error.isFinal) await rm(orderFile, { force: true });
  } else if (error instanceof OutcomeUnknown) {
    console.error(`${error.message} It is in ${orderFile}: start this program again.`);
  } else {
    console.error(`no answer: ${error.cause?.message ?? error.message}`);
  }
}
