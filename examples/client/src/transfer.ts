import { OutcomeUnknown, Tillgate, TransferMismatch, clientCredentials } from '@tillgate/client';
import { subtract } from '@tillgate/client/decimal';

const {
  TILLGATE_URL: url = 'http://127.0.0.1:4000',
  TILLGATE_CLIENT_ID: clientId = 'demo',
  TILLGATE_CLIENT_SECRET: clientSecret = 'demo-secret',
} = process.env;
const [fromAccountId = 'demo-1001', toAccountId = 'demo-1003', amount = '25.00'] = process.argv.slice(2);

const token = clientCredentials({ tokenUrl: `${url}/oauth/token`, clientId, clientSecret });
const tillgate = new Tillgate({ url, token });

const [fromBefore, toBefore] = await balances();
// The id belongs to an order of the shop. It is kept with the order, so that one order never moves money twice.
const transferId = `order-${crypto.randomUUID()}`;
await move(amount);
await move(amount);
await move('1.00');
const [from, to] = await balances();
console.log(`${fromAccountId}: ${subtract(from, fromBefore)}, ${toAccountId}: ${subtract(to, toBefore)}`);

async function move(moved: string): Promise<void> {
  try {
    const { status, currency } = await tillgate.transfers.make({
      transferId,
      fromAccountId,
      toAccountId,
      amount: moved,
    });
    console.log(`${moved} ${currency}: ${status}`);
  } catch (error) {
    if (error instanceof TransferMismatch) console.log(`${moved}: refused, since this order moved another amount`);
    else if (error instanceof OutcomeUnknown) console.log(`${moved}: may have been made; the key is ${error.key}`);
    else throw error;
  }
}

/** What the two accounts have, as exact decimals. */
function balances(): Promise<readonly [string, string]> {
  return Promise.all([balanceOf(fromAccountId), balanceOf(toAccountId)]);
}

async function balanceOf(accountId: string): Promise<string> {
  return (await tillgate.accounts.get(accountId)).availableBalance;
}
