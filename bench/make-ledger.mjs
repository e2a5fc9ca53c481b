// Makes files in the import format with as many transactions as asked: customers, accounts, and transactions of many accounts
// interleaved, one account much larger than the others. The same arguments give the same files.
//   node bench/make-ledger.mjs --out FOLDER [--transactions 2000000] [--accounts 2000] [--largest 500000]
import { once } from 'node:events';
import { createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { createGzip } from 'node:zlib';

const { values } = parseArgs({
  options: {
    out: { type: 'string' },
    transactions: { type: 'string', default: '2000000' },
    accounts: { type: 'string', default: '2000' },
    largest: { type: 'string', default: '500000' },
  },
});
const [transactions, accounts, largest] = [values.transactions, values.accounts, values.largest].map(Number);
if (!values.out || !(largest <= transactions) || !(accounts >= 2)) {
  console.error('usage: node bench/make-ledger.mjs --out FOLDER [--transactions N] [--accounts N] [--largest N]');
  process.exit(2);
}
mkdirSync(values.out, { recursive: true });

let state = 88172645463325252n;
/** xorshift64: small, and the same everywhere. */
function random(below) {
  state ^= (state << 13n) & 0xffffffffffffffffn;
  state ^= state >> 7n;
  state ^= (state << 17n) & 0xffffffffffffffffn;
  return Number(state % BigInt(below));
}

async function write(name, lines) {
  const zip = createGzip({ level: 1 });
  const file = zip.pipe(createWriteStream(join(values.out, `${name}.ndjson.gz`)));
  let block = '';
  for (const line of lines) {
    block += `${JSON.stringify(line)}\n`;
    if (block.length < 1 << 18) continue;
    if (!zip.write(block)) await once(zip, 'drain');
    block = '';
  }
  zip.end(block);
  await finished(file);
}

const customerId = n => `0000be5c-0000-4000-8000-${String(n).padStart(12, '0')}`;
const accountId = n => `bench-${String(n).padStart(6, '0')}`;

function* customers() {
  for (let n = 1; n <= accounts; n++) {
    yield {
      customerId: customerId(n),
      name: { first: 'Bench', middle: null, last: `Owner ${n}` },
      taxId: '987654320',
      taxIdCountry: 'US',
      governmentId: `B${String(n).padStart(8, '0')}`,
      dateOfBirth: '1980-01-01',
      contact: { email: [`owner${n}@example.test`], telephones: [] },
      addresses: [],
    };
  }
}

function* accountRecords() {
  for (let n = 1; n <= accounts; n++) {
    const owners = [customerId(n)];
    const kind = { accountType: 'CHECKING', currency: 'USD', timeZone: 'America/New_York', interestBearing: true };
    yield { accountId: accountId(n), ...kind, openedOn: '2020-01-01', owners };
  }
}

const KINDS = [
  ['CREDIT', 'ACH', 'DIRECTDEPOSIT', 'Direct deposit', 250000],
  ['DEBIT', 'ACH', 'DIRECTDEBIT', 'Direct debit', 20000],
  ['DEBIT', 'CARD', 'PURCHASE', 'Card purchase', 9000],
  ['DEBIT', 'CARD', 'PURCHASE', 'Card purchase', 4000],
  ['DEBIT', 'OTHER', 'FEE', 'Service fee', 500],
  ['CREDIT', 'OTHER', 'INTEREST', 'Interest', 300],
];

function* transactionRecords() {
  const balances = Array.from({ length: accounts + 1 }, () => 0);
  const start = Date.UTC(2024, 0, 1);
  let ofLargest = largest;
  for (let i = 1; i <= transactions; i++) {
    const isOfLargest = random(transactions - i + 1) < ofLargest;
    if (isOfLargest) ofLargest -= 1;
    const n = isOfLargest ? 1 : 2 + random(accounts - 1);
    const [debitCreditMemo, category, transactionType, description, most] = KINDS[random(KINDS.length)];
    const cents = 1 + random(most);
    balances[n] += debitCreditMemo === 'CREDIT' ? cents : -cents;
    const at = new Date(start + Math.floor((i / transactions) * 730 * 86_400_000)).toISOString();
    const direction = debitCreditMemo === 'CREDIT' ? 'RECEIVING' : 'ORIGINATING';
    yield {
      depositTransaction: {
        transactionId: `T${i}`,
        reference: `0000be5c-0000-4000-9000-${String(i).padStart(12, '0')}`,
        accountId: accountId(n),
        amount: cents / 100,
        availableBalance: balances[n] / 100,
        ...{ debitCreditMemo, category, transactionType, status: 'POSTED', description, memo: '' },
        ...{ transactionTimestamp: at, postedTimestamp: at },
        additionalInformation: [
          { key: 'usage', value: transactionType === 'FEE' ? 'FEES' : 'MONETARY' },
          { key: 'direction', value: direction },
        ],
        lineItem: [],
      },
    };
  }
}

await write('customers', customers());
await write('accounts', accountRecords());
await write('transactions', transactionRecords());
