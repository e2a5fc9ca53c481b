import { createClient } from './client.js';
import { postings } from './postings.js';
import { clientCredentials } from './tokens.js';

const {
  TILLGATE_URL: url = 'http://127.0.0.1:4000',
  TILLGATE_CLIENT_ID: clientId = 'demo',
  TILLGATE_CLIENT_SECRET: clientSecret = 'demo-secret',
} = process.env;
const [accountId = 'demo-1001', most = 'Infinity'] = process.argv.slice(2);

const client = createClient(url, clientCredentials({ tokenUrl: `${url}/oauth/token`, clientId, clientSecret }));
let count = 0;
for await (const { transaction } of postings(client, accountId)) {
  console.log(`${transaction.transactionId}: ${transaction.amount} ${transaction.direction}`);
  // Nobody reads it again, and there is no end to them.
  client.cache.evict({ id: client.cache.identify(transaction) });
  if (++count >= Number(most)) break;
}
client.stop();
