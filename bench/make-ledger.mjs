// Makes files in the import format, the same files for the same arguments: customers, accounts, beneficiaries, and
// transactions of all accounts interleaved, some accounts much larger than the others. node make-ledger.mjs --out
// FOLDER [--transactions 2000000] [--accounts 10000] [--beneficiaries 4] [--largest 410000] [--from 2024-01-01] [--days
// 730] --largest has the sizes of the first accounts, for example 10000,100000; the others share what is left.
import { once } from 'node:events';
import { createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { createGzip } from 'node:zlib';

const DEFAULTS = {
  transactions: 2_000_000,
  accounts: 10_000,
  beneficiaries: 4,
  largest: [410_000],
  from: '2024-01-01',
  days: 730,
};

export const accountId = n => `bench-${String(n).padStart(6, '0')}`;
const customerId = n => `0000be5c-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** The kinds of files, in the order in which they are to be imported. */
export const KINDS_OF_FILES = ['customers', 'accounts', 'beneficiaries', 'transactions'];

/** Writes `<kind>.ndjson.gz` into `folder`. @param {Partial<typeof DEFAULTS>} sizes */
export async function makeLedger(folder, sizes) {
  const plan = { ...DEFAULTS, ...sizes };
  const inLargest = plan.largest.reduce((sum, size) => sum + size, 0);
  if (!(inLargest <= plan.transactions) || !(plan.accounts > plan.largest.length)) {
    throw new RangeError('The largest accounts must fit into the transactions, and others must be left beside them.');
  }
  mkdirSync(folder, { recursive: true });
  const random = randomFrom(88172645463325252n);
  await write(folder, 'customers', customers(plan));
  await write(folder, 'accounts', accounts(plan));
  await write(folder, 'beneficiaries', beneficiaries(plan, random));
  await write(folder, 'transactions', transactions(plan, random));
}

/** xorshift64: small, and the same everywhere. */
function randomFrom(seed) {
  let state = seed;
  return below => {
    state ^= (state << 13n) & 0xffffffffffffffffn;
    state ^= state >> 7n;
    state ^= (state << 17n) & 0xffffffffffffffffn;
    return Number(state % BigInt(below));
  };
}

async function write(folder, name, lines) {
  const zip = createGzip({ level: 1 });
  const file = zip.pipe(createWriteStream(join(folder, `${name}.ndjson.gz`)));
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

const ADDRESS = {
  line1: '1 Main Street',
  city: 'Springfield',
  state: 'IL',
  postalCode: '62701',
  country: 'US',
  type: 'HOME',
};

function* customers(plan) {
  for (let n = 1; n <= plan.accounts; n++) {
    yield {
      customerId: customerId(n),
      name: { first: 'Bench', middle: null, last: `Owner ${n}` },
      taxId: '987654320',
      taxIdCountry: 'US',
      governmentId: `B${String(n).padStart(8, '0')}`,
      dateOfBirth: '1980-01-01',
      contact: { email: [`owner${n}@example.test`], telephones: [] },
      addresses: [ADDRESS],
    };
  }
}

function* accounts(plan) {
  for (let n = 1; n <= plan.accounts; n++) {
    const owners = [customerId(n)];
    const kind = { accountType: 'CHECKING', currency: 'USD', timeZone: 'America/New_York', interestBearing: true };
    yield { accountId: accountId(n), ...kind, openedOn: '2020-01-01', owners };
  }
}

const FIRST_NAMES = ['Ada', 'Bela', 'Chidi', 'Dana', 'Emre', 'Freya', 'Goran', 'Hana'];
const LAST_NAMES = ['Archer', 'Bianchi', 'Castillo', 'Dvořák', 'Eriksen', 'Fontaine', 'García', 'Hughes'];
const RELATIONSHIPS = ['SPOUSE', 'CHILD', 'PARENT', 'SIBLING', 'FRIEND'];

function* beneficiaries(plan, random) {
  const one = list => list[random(list.length)];
  for (let n = 1; n <= plan.accounts; n++) {
    for (let k = 1; k <= plan.beneficiaries; k++) {
      const number = String((n - 1) * plan.beneficiaries + k);
      yield {
        accountId: accountId(n),
        beneficiaryId: `0000be5c-0000-4000-a000-${number.padStart(12, '0')}`,
        name: { first: one(FIRST_NAMES), middle: k % 2 === 0 ? 'Q' : null, last: one(LAST_NAMES) },
        taxId: `9${String(10_000_000 + random(90_000_000))}`,
        taxIdType: 'ITIN',
        dateOfBirth: `${1950 + random(60)}-06-15`,
        addresses: [ADDRESS],
        emails: [{ type: 'HOME', email: `b${number}@example.test` }],
        phones: [{ type: 'HOME', country: 'US', number: '(555) 010-0000' }],
        beneficiaryType: k <= 2 ? 'PRIMARY' : 'CONTINGENT',
        relationship: one(RELATIONSHIPS),
        sharePercentage: 50,
      };
    }
  }
}

const MOVEMENTS = [
  ['CREDIT', 'ACH', 'DIRECTDEPOSIT', 'Direct deposit', 250000],
  ['DEBIT', 'ACH', 'DIRECTDEBIT', 'Direct debit', 20000],
  ['DEBIT', 'CARD', 'PURCHASE', 'Card purchase', 9000],
  ['DEBIT', 'CARD', 'PURCHASE', 'Card purchase', 4000],
  ['DEBIT', 'OTHER', 'FEE', 'Service fee', 500],
  ['CREDIT', 'OTHER', 'INTEREST', 'Interest', 300],
];

function* transactions(plan, random) {
  const balances = Array.from({ length: plan.accounts + 1 }, () => 0);
  const left = [...plan.largest];
  const start = Date.parse(plan.from);
  for (let i = 1; i <= plan.transactions; i++) {
    const n = accountOf(plan, left, random, plan.transactions - i + 1);
    const [debitCreditMemo, category, transactionType, description, most] = MOVEMENTS[random(MOVEMENTS.length)];
    const cents = 1 + random(most);
    balances[n] += debitCreditMemo === 'CREDIT' ? cents : -cents;
    const at = new Date(start + Math.floor((i / plan.transactions) * plan.days * 86_400_000)).toISOString();
    const direction = debitCreditMemo === 'CREDIT' ? 'RECEIVING' : 'ORIGINATING';
    yield {
      depositTransaction: {
        transactionId: `T${i}`,
        reference: `0000be5c-0000-4000-9000-${String(i).padStart(12, '0')}`,
        accountId: accountId(n),
        amount: cents / 100,
        availableBalance: balances[n] / 100,
        debitCreditMemo,
        category,
        transactionType,
        status: 'POSTED',
        description,
        memo: '',
        transactionTimestamp: at,
        postedTimestamp: at,
        additionalInformation: [
          {
            key: 'usage',
            value: transactionType === 'FEE' ? 'FEES' : 'MONETARY',
          },
          {
            key: 'direction',
            value: direction,
          },
        ],
        lineItem: [],
      },
    };
  }
}

/** Picks one of the large accounts in proportion to what it still needs, or any of the others. */
function accountOf(plan, left, random, open) {
  let at = random(open);
  for (let n = 0; n < left.length; n++) {
    if (at < left[n]) {
      left[n] -= 1;
      return n + 1;
    }
    at -= left[n];
  }
  return left.length + 1 + random(plan.accounts - left.length);
}

if (import.meta.main) {
  const option = { type: 'string' };
  const { values } = parseArgs({
    options: {
      out: option,
      transactions: option,
      accounts: option,
      beneficiaries: option,
      largest: option,
      from: option,
      days: option,
    },
  });
  if (!values.out) {
    console.error('usage: node make-ledger.mjs --out FOLDER [--transactions N] [--accounts N] [--largest N,N ...]');
    process.exit(2);
  }
  const { out, largest, from, ...numbers } = values;
  await makeLedger(out, {
    ...Object.fromEntries(Object.entries(numbers).map(([name, text]) => [name, Number(text)])),
    ...(from && { from }),
    ...(largest && { largest: largest.split(',').map(Number) }),
  });
}
