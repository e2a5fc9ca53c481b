// The CPU that each keyed mutation takes of the gateway, beside that of addBeneficiary: 32 clients write to many
// accounts at once.
//   npm run mutations -- [--seconds 4] [--accounts 400] [--only transfer,tenTransfers,hotTransfers]
import { randomUUID } from 'node:crypto';
import { join, resolve } from 'node:path';
import { connectTo, importLedger } from './lib/data.mjs';
import { folderForThisRun } from './lib/folder.mjs';
import { readOptions } from './lib/options.mjs';
import { openProduct } from './lib/product.mjs';
import { digits, table } from './lib/report.mjs';
import { run } from './lib/run.mjs';
import { ADD_BENEFICIARY, BENEFICIARY, during, posting } from './lib/writes.mjs';
import { accountId } from './make-ledger.mjs';

const WARM_SECONDS = 2;
const ROUNDS = 3;

const CARD = { type: 'VIRTUAL', currency: 'USD', expiration: '1239', cardProductId: 'bench', pin: '1234' };
await run(async () => {
  const options = readOptions({ seconds: 4, accounts: 400, only: [], product: resolve(import.meta.dirname, '..') });
  const folder = folderForThisRun();
  const product = await openProduct(options.product, folder);
  const db = await connectTo(product.databaseUrl);
  const sizes = { accounts: options.accounts, beneficiaries: 4, transactions: 1, largest: [1] };
  await importLedger(product, join(folder, 'files'), sizes);
  await db.query('VACUUM ANALYZE');
  const gateway = await product.serve(folder);
  const figures = new Map();
  const only = options.only.length === 0 ? null : ['addBeneficiary', ...options.only];
  // One after another in each round, so that a busy moment of the machine falls on all of them.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [name, kind] of Object.entries(mutations(db, options.accounts))) {
      if (only && !only.includes(name)) continue;
      const next = await kind();
      const seconds = round === 0 ? WARM_SECONDS : options.seconds / ROUNDS;
      const { writes, cpu, took, durations, busy } = await during(gateway, seconds, next);
      if (round === 0 || writes === 0) continue;
      const sum = figures.get(name) ?? { writes: 0, cpu: 0, seconds: 0, busy: 0, durations: [] };
      figures.set(name, {
        writes: sum.writes + writes,
        cpu: sum.cpu + cpu,
        seconds: sum.seconds + took,
        busy: sum.busy + busy,
        durations: [...sum.durations, ...durations],
      });
    }
  }
  const { cpu, writes } = figures.get('addBeneficiary');
  const rows = [...figures].map(([name, of]) => [
    name,
    digits(of.writes / of.seconds, 0),
    digits((of.cpu / of.writes) * 1000, 3),
    digits(of.cpu / of.writes / (cpu / writes), 2),
    digits(quantile(of.durations, 0.5), 1),
    digits(quantile(of.durations, 0.99), 1),
    digits(of.busy, 0),
  ]);
  console.log(
    table(['mutation', 'writes/s', 'CPU ms a write', 'of addBeneficiary', 'p50 ms', 'p99 ms', '429 or 503'], rows),
  );
});

/**
 * For each mutation what makes the next write: a query and its variables, or null where nothing is left to write to.
 */
function mutations(db, accounts) {
  let turn = 0;
  const account = () => accountId(1 + (turn++ % accounts));
  const rows = async (text, values = []) => (await db.query(text, values)).rows;
  const each = (list, writeOf) => () => (list.length > 0 ? writeOf(list.pop()) : null);
  const shuffled = text => `${text} ORDER BY random()`;
  const BENEFICIARIES = shuffled('SELECT account_id AS account, beneficiary_id AS id FROM beneficiary');
  const cards = status => shuffled(`SELECT account_id AS account, card_id AS id FROM card WHERE status = '${status}'`);
  const step = (name, status) => async () =>
    each(await rows(cards(status)), ({ account: a, id }) => [
      `mutation ($a: ID!, $c: ID!) { ${name}(accountId: $a, cardId: $c) { status } }`,
      { a, c: id },
    ]);
  let customers = [];
  return {
    addBeneficiary: async () => () => [ADD_BENEFICIARY, { a: account(), i: BENEFICIARY }],
    updateBeneficiary: async () => {
      const found = await rows(BENEFICIARIES);
      return () => {
        const { account: a, id } = found[turn++ % found.length];
        const i = { sharePercentage: turn % 101 };
        return [
          'mutation ($a: ID!, $b: UUID!, $i: BeneficiaryPatch!) { updateBeneficiary(accountId: $a, beneficiaryId: $b, input: $i) { beneficiaryId } }',
          { a, b: id, i },
        ];
      };
    },
    deleteBeneficiary: async () =>
      each(await rows(BENEFICIARIES), ({ account: a, id }) => [
        'mutation ($a: ID!, $b: UUID!) { deleteBeneficiary(accountId: $a, beneficiaryId: $b) { beneficiaryId } }',
        { a, b: id },
      ]),
    createCard: async () => {
      customers = (await rows('SELECT customer_id FROM customer')).map(row => row.customer_id);
      return () => [
        'mutation ($i: CardInput!) { createCard(input: $i) { cardId } }',
        {
          i: { ...CARD, accountId: account(), cardHolderId: customers[turn % customers.length], number: cardNumber() },
        },
      ];
    },
    activateCard: step('activateCard', 'INACTIVE'),
    freezeCard: step('freezeCard', 'ACTIVE'),
    unfreezeCard: step('unfreezeCard', 'FROZEN'),
    closeCard: step('closeCard', 'ACTIVE'),
    addAccountOwners: async () => () => [
      'mutation ($a: ID!, $c: [UUID!]!) { addAccountOwners(accountId: $a, customerIds: $c) { results { ownerStatus } } }',
      { a: account(), c: [customers[(turn * 7) % customers.length]] },
    ],
    removeAccountOwners: async () => () => [
      'mutation ($a: ID!, $c: [UUID!]!) { removeAccountOwners(accountId: $a, customerIds: $c) { results { ownerStatus } } }',
      { a: account(), c: [customers[(turn * 7) % customers.length]] },
    ],
    postAccountTransactions: async () => () => posting(account()),
    transfer: async () => () => [
      'mutation ($i: TransferInput!) { transfer(input: $i) { transferId } }',
      { i: transferFrom(account(), account()) },
    ],
    // Of 32 clients all wait for the same two accounts.
    hotTransfers: async () => () => {
      const [from, to] = turn++ % 2 === 0 ? [1, 2] : [2, 1];
      return [
        'mutation ($i: TransferInput!) { transfer(input: $i) { transferId } }',
        { i: transferFrom(accountId(from), accountId(to)) },
      ];
    },
    tenTransfers: async () => () => [
      'mutation ($i: [TransferInput!]!) { transfers(inputs: $i) { results { transferId } } }',
      { i: Array.from({ length: 10 }, () => transferFrom(account(), account())) },
    ],
  };
}

/** The duration that this share of the writes did not exceed. */
function quantile(durations, share) {
  const ordered = durations.toSorted((one, other) => one - other);
  return ordered[Math.min(ordered.length - 1, Math.floor(ordered.length * share))] ?? 0;
}

function transferFrom(fromAccountId, toAccountId) {
  return { fromAccountId, toAccountId, transferId: `tr-${randomUUID()}`, amount: '0.01' };
}

/** Sixteen digits with a right check digit (ISO/IEC 7812-1, annex B). */
function cardNumber() {
  const head = `4${String(Math.floor(Math.random() * 1e14)).padStart(14, '0')}`;
  const sum = [...head].reduce((total, digit, index) => {
    const weighted = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (weighted > 9 ? weighted - 9 : weighted);
  }, 0);
  return `${head}${(10 - (sum % 10)) % 10}`;
}
