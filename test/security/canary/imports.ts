import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { CommandResult } from '../../cli/command-line.js';
import type { Canaries, Person } from './canaries.js';
import { PROGRAM, type CanaryGateway } from './house.js';
import type { Place } from './places.js';
import { beneficiaryOf, customerOf, type CanaryRecords } from './records.js';

/**
 * Imports records of every kind, and for each kind lines that are wrong in every way. Gives what the writes need, and
 * the files of rejected lines.
 */
export async function importAll(
  house: CanaryGateway,
  canaries: Canaries,
): Promise<{ given: CanaryRecords; rejected: Place[] }> {
  // The files themselves hold canaries in the clear, so they are not in the data folder.
  const folder = await mkdtemp(join(tmpdir(), 'tillgate-canary-import-'));
  const rejected: Place[] = [];
  const importLines = async (kind: string, lines: readonly string[], { gzip = false } = {}) => {
    const file = join(folder, `${kind}.ndjson`);
    const bytes = Buffer.from(lines.map(line => `${line}\n`).join(''));
    await writeFile(file, gzip ? gzipSync(bytes) : bytes);
    const ended = await house.command(['import', kind, file, '--program', PROGRAM]);
    if (!/ [1-9]\d* new, .* [1-9]\d* rejected /.test(ended.stdout)) {
      throw new Error(`The import of ${kind} did not go as it should: ${ended.stdout}${ended.stderr}`);
    }
    rejected.push(await rejectedBy(ended));
  };
  try {
    const account = `nest-${randomUUID().slice(0, 8)}`;
    const [owner, other] = [newCustomer(canaries, 'imported owner'), newCustomer(canaries, 'imported other')];
    const wrong = canaries.person('stray', 'wrong customers');
    await importLines('customers', [json(owner), json(other), ...wrongLines(customerOf(wrong), wrong)]);
    await importLines('accounts', [json(accountOf(account, owner)), ...wrongAccounts(canaries, owner)], { gzip: true });

    const [payer, nobody] = [canaries.person('stray', 'program'), canaries.person('stray', 'wrong programs')];
    const program = programOf(PROGRAM, payer);
    await importLines('programs', [json(program), ...wrongLines(program, nobody), json(programOf('other', nobody))]);

    const beneficiary = (sentBy: string) => beneficiaryOf(canaries.person('beneficiary', sentBy));
    const wrongOne = canaries.person('stray', 'wrong beneficiaries');
    // Without a customer id the first line is wrong, and without its end the second.
    const stray = customerOf(canaries.person('stray', 'standard input'));
    await Promise.all([
      house
        .command(['import', 'customers', '-', '--program', PROGRAM], `${json(stray)}\n${json(stray).slice(0, -9)}`)
        .then(async ended => rejected.push(await rejectedBy(ended))),
      importLines('beneficiaries', [
        json({ accountId: account, ...beneficiary('imported beneficiary') }),
        json({ accountId: account, ...beneficiary('another imported beneficiary') }),
        ...wrongLines({ accountId: account, ...beneficiaryOf(wrongOne) }, wrongOne),
      ]),
      importLines('transactions', [json(transactionOf(account)), ...wrongTransactions(canaries, account)]),
    ]);
    return { given: { account, owner: owner.customerId, other: other.customerId }, rejected };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The command says where it puts the lines that it rejects: beside the file, and elsewhere those of standard input. */
async function rejectedBy({ stdout, stderr }: CommandResult): Promise<Place> {
  const [, name] = /^Rejected lines and the reasons: (.+)$/m.exec(stdout) ?? [];
  if (name === undefined) throw new Error(`No line was rejected: ${stdout}${stderr}`);
  const bytes = await readFile(name);
  await rm(name);
  return { name, bytes, isText: true };
}

type Customer = ReturnType<typeof newCustomer>;

const STARLING = { first: 'Robin', middle: null, last: 'Starling' };

export function newCustomer(canaries: Canaries, sentBy: string) {
  return { customerId: randomUUID(), ...customerOf(canaries.person('customer', sentBy), STARLING) };
}

export function json(value: unknown): string {
  return JSON.stringify(value);
}

/** A payer's tax id is nobody's to see, and has a hyphen at another place than a person's. */
function programOf(programId: string, { taxId }: Person) {
  const digits = taxId.replaceAll('-', '');
  return { programId, name: 'Nest', payer: { name: 'Nest', taxId: `${digits.slice(0, 2)}-${digits.slice(2)}` } };
}

/** A good record, made wrong: cut, with values of a wrong type, at wrong places and as names. */
export function wrongLines(record: Record<string, unknown>, person: Person): string[] {
  const { taxId, governmentId, email, phone, streets, birthDate } = person;
  const good = { ...record, customerId: randomUUID() };
  return [
    json(good).slice(0, -1),
    json({ ...good, customerId: governmentId, accountId: email }),
    json({ ...good, taxId: `${taxId}${taxId}${taxId}`, dateOfBirth: `${birthDate}T00:00` }),
    json({ ...good, name: { first: { [email]: phone } }, addresses: streets }),
    json({ ...good, [taxId]: governmentId, [email]: phone, [streets[0]]: birthDate }),
    json({ ...good, emails: [{ type: email, email: phone }], contact: { email: [streets[0]], telephones: [taxId] } }),
    json([taxId, governmentId, email, phone, birthDate, ...streets]),
    json(`${taxId} ${governmentId} ${email} ${phone} ${birthDate} ${streets.join(' ')}`),
    `${taxId} ${governmentId} ${email} ${phone} ${birthDate} ${streets.join(' ')}`,
    Buffer.from(json(good), 'utf16le').toString('latin1'),
  ];
}

export function accountOf(accountId: string, owner: Customer): object {
  return {
    accountId,
    accountType: 'CHECKING',
    currency: 'USD',
    timeZone: 'America/New_York',
    interestBearing: false,
    openedOn: '2020-02-29',
    owners: [owner.customerId],
  };
}

function wrongAccounts(canaries: Canaries, owner: Customer): string[] {
  const { taxId, email, birthDate, streets, governmentId } = canaries.person('stray', 'wrong accounts');
  const good = accountOf('nest-wrong', owner);
  return [
    json({ ...good, accountType: taxId, currency: email }),
    json({ ...good, accountId: streets[0], timeZone: `America/${governmentId}` }),
    json({ ...good, owners: [taxId, email, governmentId] }),
    json({ ...good, openedOn: `${birthDate}!`, [email]: taxId }),
  ];
}

export function transactionOf(accountId: string, changes: object = {}): object {
  return {
    depositTransaction: {
      accountId,
      transactionId: `${accountId}-seed`,
      amount: 80.25,
      debitCreditMemo: 'CREDIT',
      category: 'ACH',
      transactionType: 'DIRECTDEPOSIT',
      status: 'POSTED',
      transactionTimestamp: '2026-01-02T15:00:00.000Z',
      postedTimestamp: '2026-01-02T16:00:00.000Z',
      ...changes,
    },
  };
}

export function wrongTransactions(canaries: Canaries, account: string): string[] {
  const { taxId, email, governmentId, phone } = canaries.person('stray', 'wrong transactions');
  const { number } = canaries.card('stray', 'wrong transactions');
  return [
    json(transactionOf(account, { transactionId: `${phone} ${email}` })),
    json(transactionOf(account, { category: email, transactionType: phone, status: taxId })),
    json(transactionOf(number, { transactionId: 'seed-2' })),
    json(transactionOf(account, { transactionId: 'seed-3', transactionTimestamp: governmentId })),
    json(transactionOf(account, { transactionId: 'seed-4', [taxId]: number })),
    json(transactionOf(account, { transactionId: 'seed-5', amount: Number(number), availableBalance: 1 })),
    // A balance that contradicts the ledger, of a description that is then nowhere.
    json(transactionOf(account, { transactionId: 'seed-6', availableBalance: 1, description: email, memo: taxId })),
  ];
}
