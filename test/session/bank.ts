import type { ServerResponse } from 'node:http';
import { readConfig, type Config } from '../../src/app/config.js';
import { customerRecord, importing } from '../cli/importing.js';
import type { Receiver } from '../../lib/guarded-connect/test/receiver.js';
import { issue } from '../statement/issue/issuing.js';
import { keyed } from '../support/gateway.js';
import { newBeneficiary, PROGRAM } from '../support/given.js';
import { newCard } from '../support/card.js';
import { jobsDone } from '../support/jobs.js';
import { entry, line, post } from '../transaction/support/ledger.js';
import { inSeconds } from '../hold/support/in-seconds.js';
import { until } from '../support/until.js';
import { Site } from '../../packages/webhooks/test/delivery/site.js';

/** The program of those who sign in with a button, and another one whose data look alike. */
export const OWN = 'demo';
export const OTHER = 'acme';

/** The joint account of Maren Ashdown and Ilya Brandt, which has something of everything. */
export const JOINT = 'harbor-2041';
export const OTHERS_JOINT = 'acme-2041';
export const MAREN = '00002041-0000-4000-8000-000000000001';
const ILYA = '00002041-0000-4000-8000-000000000002';
/** With the same last four digits. */
const CARD_NUMBERS = { [OWN]: '9999002041004417', [OTHER]: '9999002042094417' };
const OTHERS_MAREN = '00002042-0000-4000-8000-000000000001';

export const HISTORY_LENGTH = 130;
export const OLDEST = 'Opening deposit';
export const FEES_OF_1995 = 12;
export const BIRTHDAY = '1968-04-17';
export const CARD_LAST4 = '4417';

/** Ids of what the bank has besides what is named above. */
export interface BankIds {
  /** Up to the second, such as `2026-03-31 18:05:00 UTC`. */
  readonly addedAt: string;
  readonly beneficiary: string;
  readonly card: string;
  readonly hold: string;
  readonly statement: string;
  readonly endpoint: string;
}

/** A gateway with the console, whose program `demo` has all that an operator's day is made of. */
export class Bank {
  private constructor(
    readonly site: Site,
    readonly receiver: Receiver,
    /** What the receiver of webhooks answers from now on. */
    readonly answers: { status: number; body: string },
    readonly own: BankIds,
    readonly others: BankIds,
  ) {}

  static async open(changes: Partial<Config> = {}): Promise<Bank> {
    // The first attempt is the last, so that a delivery fails at once.
    const webhooks = { ...readConfig({}).webhooks, allowLoopback: true, retrySeconds: [] };
    const site = await Site.start(webhooks, { console: readConfig({}).console, ...changes });
    const answers = { status: 500, body: 'The database of the receiver is away.' };
    const receiver = await site.receiver((response: ServerResponse) => {
      response.writeHead(answers.status).end(answers.body);
    });
    try {
      const own = await furnish(site, OWN, JOINT, [MAREN, ILYA], receiver.url);
      const others = await furnish(site, OTHER, OTHERS_JOINT, [OTHERS_MAREN], receiver.url);
      return new Bank(site, receiver, answers, own, others);
    } catch (error) {
      await site.stop();
      throw error;
    }
  }

  get gateway() {
    return this.site.gateway;
  }

  get url(): string {
    return this.gateway.url;
  }

  /** Clients of REST and GraphQL for somebody of the program who is not at the console. */
  async somebody(subject = 'nightly-batch', program = OWN) {
    return this.gateway.as(await this.gateway.caller({ program, subject, clientId: 'back-office' }));
  }

  /** When the beneficiary was added, as the events say it in UTC. */
  get addedAt(): string {
    return this.own.addedAt;
  }

  /** A new account with 1,000.00 on it and a card of its own. */
  async accountWithCard(): Promise<{ readonly account: string; readonly cardId: string; readonly last4: string }> {
    const { account, caller, owners } = await this.gateway.given.account({ program: OWN });
    const card = newCard(account, owners[0] as string);
    const { status, text } = await (await this.somebody()).rest.post('/cards/v1/cards', card);
    if (status !== 201) throw new Error(`The card was not created: ${text}`);
    await post(this.gateway, { account, caller }, [entry({ amount: '1000' })]);
    return { account, cardId: card.cardId, last4: card.last4 };
  }

  /**
   * Two new accounts, the first one with 1,000.00. It lets out 300.00 a day, unless `perDay` says otherwise, in five
   * transfers.
   */
  async limitedPair(
    changes: { readonly perDay?: number | null } = {},
  ): Promise<{ readonly from: string; readonly to: string }> {
    const { account: from, caller } = await this.gateway.given.account({ program: OWN });
    const { account: to } = await this.gateway.given.account({ program: OWN });
    await post(this.gateway, { account: from, caller }, [entry({ amount: '1000' })]);
    const limits = { perDay: 300, transfersPerDay: 5, ...changes };
    const { status, text } = await (await this.somebody()).rest.patch(`/accounts/${from}/transfer-limits`, limits);
    if (status !== 200) throw new Error(`The limits were not set: ${text}`);
    return { from, to };
  }

  async balanceOf(account: string): Promise<string> {
    const { data } = await (
      await this.somebody()
    ).graphql<{ account: { availableBalance: string } }>(
      'query ($id: ID!) { account(accountId: $id) { availableBalance } }',
      { id: account },
    );
    return data.account.availableBalance;
  }

  /** Resolves once a delivery is given up. */
  failed(deliveryId: string): Promise<void> {
    return until(async () => {
      const { rows } = await this.gateway.sql.query<{ state: string }>(
        'SELECT state FROM webhook_delivery WHERE delivery_id = $1',
        [deliveryId],
      );
      return rows[0]?.state === 'FAILED';
    });
  }

  close(): Promise<void> {
    return this.site.stop();
  }
}

async function furnish(
  site: Site,
  program: typeof OWN | typeof OTHER,
  account: string,
  owners: readonly string[],
  receiverUrl: string,
): Promise<BankIds> {
  const { gateway } = site;
  await gateway.given.programRecord(program, {
    name: PROGRAM.name,
    approvals: { closingAccounts: true, transfersAbove: [{ currency: 'USD', amount: '500.00' }] },
  });
  await importCustomers(site, program, owners);
  await gateway.given.account({
    program,
    accountId: account,
    owners,
    openedOn: '1994-11-01',
    interestBearing: true,
  });
  await importHistory(site, program, account);
  const teller = gateway.as(await gateway.caller({ program, subject: 'teller-07', clientId: 'branch-desk' }));
  const added = await teller.rest.post(
    `/accounts/${account}/beneficiaries`,
    newBeneficiary({ name: { first: 'Grace', last: 'Lindqvist' } }),
    keyed('add-grace'),
  );
  const card = newCard(account, owners[0] as string, {
    cardId: `card-of-${account}`,
    number: CARD_NUMBERS[program],
    last4: CARD_LAST4,
  });
  const hold = { holdId: `hold-of-${account}`, amount: 75, description: 'Quarry Road Fuel, pump 4' };
  const answers = [
    added,
    await teller.rest.post('/cards/v1/cards', card),
    await teller.rest.post(`/accounts/${account}/holds`, { ...hold, expiresAt: inSeconds(86_400) }),
  ];
  for (const { status, text } of answers) if (status !== 201) throw new Error(`The bank lacks something: ${text}`);
  await issue(gateway, 'close', '1995-12', program);
  const { endpointId } = await site.endpoint(receiverUrl, { types: ['card.frozen', 'card.unfrozen'] }, program);
  await jobsDone(gateway.sql);
  return {
    addedAt: await additionOf(site, account),
    beneficiary: String(added.body.beneficiaryId),
    card: card.cardId,
    hold: hold.holdId,
    statement: await statementOf(site, account),
    endpoint: endpointId,
  };
}

async function importCustomers({ gateway }: Site, program: string, ids: readonly string[]): Promise<void> {
  const names = [
    { first: 'Maren', last: 'Ashdown' },
    { first: 'Ilya', last: 'Brandt' },
  ];
  const records = ids.map((customerId, index) =>
    customerRecord({ customerId, name: names[index], taxId: `900-00-208${index}`, dateOfBirth: BIRTHDAY }),
  );
  const became = await importing(gateway, 'customers', program, records);
  if (became.some(one => one !== 'new')) throw new Error(`Customers were not imported: ${JSON.stringify(became)}`);
}

/**
 * With what the hold adds: one opening deposit, then until December 1996 what each month brings: a salary, purchases,
 * and a fee.
 */
async function importHistory({ gateway }: Site, program: string, account: string): Promise<void> {
  const months = Array.from({ length: 24 }, (_, month) => new Date(Date.UTC(1995, month, 1)).toISOString().slice(0, 7));
  const rows = [
    history('1994-12-01', 'CREDIT', '2500.00', 'DEPOSIT', OLDEST),
    ...months.flatMap(month => [
      history(`${month}-03`, 'CREDIT', '1840.50', 'DIRECTDEPOSIT', 'Salary, Orchard Cannery'),
      history(`${month}-08`, 'DEBIT', '612.00', 'WITHDRAWAL', 'Rent, 1 Quill Lane'),
      history(`${month}-15`, 'DEBIT', '48.25', 'PURCHASE', 'Thistlewick Grocer'),
      history(`${month}-21`, 'DEBIT', '19.99', 'PURCHASE', 'Lantern Books'),
      history(`${month}-28`, 'DEBIT', '4.50', 'FEE', 'Monthly service fee'),
    ]),
    ...Array.from({ length: HISTORY_LENGTH - 122 }, (_, day) =>
      history(`1997-01-0${day + 1}`, 'CREDIT', `${day + 1}.00`, 'INTEREST', `Interest, part ${day + 1}`),
    ),
  ];
  const lines = rows.map((row, index) => line(account, { ...row, transactionId: `h-${index + 1}` }));
  const became = await gateway.importLines('transactions', program, lines);
  if (became.some(one => one !== 'new')) throw new Error(`Not all was imported: ${JSON.stringify(became)}`);
}

function history(day: string, debitCreditMemo: 'CREDIT' | 'DEBIT', amount: string, type: string, description: string) {
  const at = `${day}T17:00:00.000Z`;
  return entry({
    debitCreditMemo,
    amount,
    description,
    transactionType: type,
    transactionTimestamp: at,
    postedTimestamp: at,
  });
}

async function statementOf({ gateway }: Site, account: string): Promise<string> {
  const { rows } = await gateway.sql.query<{ id: string }>(
    'SELECT statement_id AS id FROM statement WHERE account_id = $1',
    [account],
  );
  if (!rows[0]) throw new Error('No statement was issued.');
  return rows[0].id;
}

async function additionOf({ gateway }: Site, account: string): Promise<string> {
  const { rows } = await gateway.sql.query<{ at: Date }>(
    `SELECT occurred_at AS at FROM event WHERE account_id = $1 AND action LIKE 'beneficiary.add%'`,
    [account],
  );
  return `${rows[0]?.at.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
