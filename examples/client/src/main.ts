import { NoAnswer, OutcomeUnknown, RuleBroken, Tillgate, TillgateError, clientCredentials } from '@tillgate/client';
import { add } from '@tillgate/client/decimal';
import { Account, TransactionPosted } from '@tillgate/client/documents';

const {
  TILLGATE_URL: url = 'http://127.0.0.1:4000',
  TILLGATE_CLIENT_ID: clientId = 'demo',
  TILLGATE_CLIENT_SECRET: clientSecret = 'demo-secret',
} = process.env;
const [accountId = 'demo-1001', follow = ''] = process.argv.slice(2);

const token = clientCredentials({ tokenUrl: `${url}/oauth/token`, clientId, clientSecret });
const tillgate = new Tillgate({ url, token });

await showAccount();
await sumUp();
await addOnce({ first: 'Ada', last: 'Ashdown' });
await addOnce({ first: 'Ada', last: '' });
if (follow) await followPostings(Number(follow));

/** Over GraphQL: a typed document, and what it selects. */
async function showAccount(): Promise<void> {
  const { account } = await tillgate.graphql(Account, { accountId });
  // What the caller may not see is null, and so is what does not exist.
  if (!account) throw new Error(`There is no account ${accountId}.`);
  const names = account.owners.map(({ name }) => `${name?.first} ${name?.last}`);
  console.log(`${accountId}: ${account.availableBalance} ${account.currency}, owned by ${names.join(' and ')}`);
}

/** Over REST: page by page, and only as far as it goes. Amounts are texts, and are added exactly. */
async function sumUp(): Promise<void> {
  let sum = '0.00';
  let count = 0;
  for await (const { amount } of tillgate.accounts.transactions(accountId, { debitCreditMemo: ['CREDIT'] })) {
    sum = add(sum, amount);
    count += 1;
  }
  console.log(`${count} credits, ${sum} in all`);
}

/** Sends the same order twice, as somebody who has crashed would: its key makes one beneficiary of it. */
async function addOnce(name: { readonly first: string; readonly last: string }): Promise<void> {
  const key = crypto.randomUUID();
  for (const time of ['first', 'second']) {
    try {
      const { beneficiaryId } = await tillgate.beneficiaries.add(
        accountId,
        { name, beneficiaryType: 'CONTINGENT', relationship: 'FRIEND', sharePercentage: 100 },
        { key },
      );
      console.log(`${time} time: ${beneficiaryId}`);
    } catch (error) {
      console.log(`${time} time: ${explain(error)}`);
    }
  }
}

/** A program decides by the class of an error; people are told what is wrong where. */
function explain(error: unknown): string {
  if (error instanceof RuleBroken) return error.errors.map(({ pointer, detail }) => `${pointer}: ${detail}`).join('; ');
  if (error instanceof OutcomeUnknown) return `may have been done; the key is ${error.key}`;
  if (error instanceof NoAnswer) return 'nobody answered';
  if (error instanceof TillgateError) return `refused, ${error.code}`;
  throw error;
}

/** As they are posted. It goes on after a lost connection, and misses and repeats none. */
async function followPostings(count: number): Promise<void> {
  let left = count;
  for await (const { transactionPosted } of tillgate.subscribe(TransactionPosted, { accountId })) {
    console.log(`${transactionPosted?.transaction.transactionId}: ${transactionPosted?.transaction.amount}`);
    if (--left === 0) return;
  }
}
