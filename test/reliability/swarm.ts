import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, HttpClient } from '../support/http.js';
import { changeAccount, createCustomer, openAccount, stepAccount, updateCustomer } from './bank-writes.js';
import { anyOf } from './any-of.js';
import type { Site } from './site.js';
import { makeTransfer, makeTransfers, reverseTransfer } from './transfer-writes.js';
import {
  addBeneficiary,
  addStatement,
  captureHold,
  changeOwner,
  createCard,
  deleteBeneficiary,
  placeHold,
  postTransactions,
  releaseHold,
  reverseTransaction,
  simulateAchCredit,
  resultOf,
  stepCard,
  updateBeneficiary,
  type WriteApi,
  type Result,
  type Write,
} from './writes.js';

export interface AcknowledgedWrite {
  readonly write: Write;
  readonly result: Result;
}

const MAX_TRIES = 1000;
const ANSWER_WITHIN_MS = 2000;
const MAX_PAUSE_MS = 250;
/** An account has at most 50 cards, whatever their status. */
const CARDS_AN_ACCOUNT = 40;
/** What becomes of a card that was created, step by step. */
const LIVES: readonly (readonly string[])[] = [
  ['activateCard', 'freezeCard', 'unfreezeCard', 'closeCard'],
  ['activateCard', 'reportCard'],
  ['closeCard'],
  ['activateCard', 'freezeCard'],
];
/** So many accounts a write of several transfers pays at most. */
const PAID_AT_ONCE = 4;
/** How often a client forgets a write of which it does not know what became. */
const FORGETS = 0.02;

/**
 * Clients that write without end, and ask again, of either gateway and over REST or GraphQL, until they know what
 * became of each write.
 */
export class Swarm {
  /** In the order of their answers. */
  readonly acknowledged: AcknowledgedWrite[] = [];
  /** Writes that nobody ever got an answer to. */
  readonly forgotten: Write[] = [];
  /** Definite answers that were not the right ones. */
  readonly wrong: string[] = [];
  /** What was heard that decides nothing, and how often. */
  readonly unsure: Record<string, number> = {};
  retries = 0;
  /** Answers to a retry that told of what an earlier try had done. */
  replays = 0;
  stopped = false;
  private readonly cards = new Map<string, number>();

  constructor(
    private readonly site: Site,
    private readonly token: string,
    private readonly accounts: readonly string[],
  ) {}

  /** One client for each customer, until `stop`. */
  async run(customers: readonly string[]): Promise<void> {
    await Promise.all(
      customers.map(async customer => {
        while (!this.stopped) await this.errand(customer);
      }),
    );
  }

  stop(): void {
    this.stopped = true;
  }

  /** Asks once, over one API. A text says why the answer decides nothing. */
  async ask(write: Write, api: WriteApi, http: HttpClient): Promise<Result | string> {
    const headers = {
      authorization: `Bearer ${this.token}`,
      'x-idempotency-key': write.key,
      'x-request-id': write.key,
      ...(write.requests[api]?.body !== undefined && { 'content-type': 'application/json' }),
    };
    const asking = http.send({ path: '', ...write.requests[api], headers });
    const answer = await inTime(asking).catch((error: NodeJS.ErrnoException) => error.code ?? error.message);
    return typeof answer === 'string' ? answer : resultOf(write, api, answer);
  }

  /** Asks until there is a definite answer. Null if the client forgets the write before. */
  async settle(write: Write, forgets = FORGETS): Promise<Result | null> {
    const client = Object.keys(write.requests) as WriteApi[];
    for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
      const result = await this.ask(write, anyOf(client), anyOf(this.site.gateways).http);
      if (typeof result === 'object') {
        if (tries > 1 && result.replayed) this.replays += 1;
        if (tries === 1 && result.replayed && !this.forgotten.includes(write)) {
          this.wrong.push(`${write.key}: a first request was replayed`);
        }
        if (result.refusal !== write.refusal) this.wrong.push(`${write.key}: ${result.text}`);
        this.acknowledged.push({ write, result });
        return result;
      }
      this.unsure[result] = (this.unsure[result] ?? 0) + 1;
      if (Math.random() < forgets) {
        this.forgotten.push(write);
        return null;
      }
      this.retries += 1;
      await sleep(Math.random() * Math.min(MAX_PAUSE_MS, 10 * 2 ** tries));
    }
    throw new Error(`${write.key} had no definite answer after ${MAX_TRIES} tries.`);
  }

  private async errand(customer: string): Promise<void> {
    const account = anyOf(this.accounts);
    const dice = Math.random();
    if (dice < 0.3) return this.beneficiaryErrand(account);
    if (dice < 0.5) {
      // The same customer comes again, and who forgot a write would not know the order of the two.
      await this.settle(changeOwner('add', account, customer), 0);
      await this.settle(changeOwner('remove', account, customer), 0);
      return;
    }
    if (dice < 0.6) return this.cardErrand(account, customer);
    if (dice < 0.63) return this.openingErrand(customer);
    if (dice < 0.66) return this.customerErrand();
    if (dice < 0.74) return this.holdErrand(account);
    if (dice < 0.78) return void (await this.settle(addStatement(account)));
    if (dice < 0.83) return void (await this.settle(simulateAchCredit(account)));
    if (dice < 0.93) return this.transferErrand(account);
    await this.ledgerErrand(account);
  }

  private async transferErrand(account: string): Promise<void> {
    const others = this.accounts.filter(other => other !== account);
    if (Math.random() < 0.3) {
      const paid = Array.from({ length: 1 + Math.floor(Math.random() * PAID_AT_ONCE) }, () => anyOf(others));
      return void (await this.settle(makeTransfers(account, paid)));
    }
    const made = (await this.settle(makeTransfer(account, anyOf(others))))?.effect;
    if (!made || !('transfers' in made) || Math.random() < 0.5) return;
    for (const { transferId } of made.transfers) {
      if (!(await this.settle(reverseTransfer(account, transferId)))) return;
      if (Math.random() < 0.3) await this.settle(reverseTransfer(account, transferId, true));
    }
  }

  private async ledgerErrand(account: string): Promise<void> {
    const done = (await this.settle(postTransactions(account)))?.effect;
    if (!done || !('posted' in done) || Math.random() < 0.7) return;
    const posted = done.posted.find(({ status }) => status === 'POSTED');
    if (!posted || !(await this.settle(reverseTransaction(account, posted.transactionId)))) return;
    if (Math.random() < 0.3) await this.settle(reverseTransaction(account, posted.transactionId, true));
  }

  private async cardErrand(account: string, customer: string): Promise<void> {
    const cards = this.cards.get(account) ?? 0;
    if (cards >= CARDS_AN_ACCOUNT) return;
    this.cards.set(account, cards + 1);
    const created = (await this.settle(createCard(account, customer)))?.effect;
    if (!created || !('card' in created)) return;
    for (const step of anyOf(LIVES)) {
      if (!(await this.settle(stepCard(step, account, created.card)))) return;
    }
  }

  private async openingErrand(customer: string): Promise<void> {
    const account = `opened-${randomUUID().slice(0, 13)}`;
    if (!(await this.settle(openAccount(account, customer)))) return;
    if (Math.random() < 0.3) await this.settle(openAccount(account, customer, true));
    if (!(await this.settle(changeAccount(account)))) return;
    for (const step of ['restrict', 'unrestrict', 'close'] as const) {
      if (!(await this.settle(stepAccount(step, account)))) return;
    }
  }

  private async customerErrand(): Promise<void> {
    const created = (await this.settle(createCustomer()))?.effect;
    if (!created || !('customer' in created)) return;
    for (let updates = 1 + Math.floor(Math.random() * 3); updates > 0; updates -= 1) {
      if (!(await this.settle(updateCustomer(created.customer)))) return;
    }
  }

  private async holdErrand(account: string): Promise<void> {
    const placed = (await this.settle(placeHold(account)))?.effect;
    if (!placed || !('hold' in placed)) return;
    const { hold } = placed;
    for (let parts = Math.floor(Math.random() * 3); parts > 0; parts -= 1) {
      if (!(await this.settle(captureHold(account, hold, 1 + Math.floor(Math.random() * 2000))))) return;
    }
    const dice = Math.random();
    if (dice < 0.8) await this.settle(dice < 0.4 ? captureHold(account, hold, null) : releaseHold(account, hold));
  }

  private async beneficiaryErrand(account: string): Promise<void> {
    const added = (await this.settle(addBeneficiary(account)))?.effect;
    if (!added || !('beneficiary' in added)) return;
    const { beneficiaryId, name } = added.beneficiary;
    for (let updates = Math.floor(Math.random() * 3); updates > 0; updates -= 1) {
      if (!(await this.settle(updateBeneficiary(account, beneficiaryId, name)))) return;
    }
    if (Math.random() < 0.2) return;
    if (!(await this.settle(deleteBeneficiary(account, beneficiaryId)))) return;
    if (Math.random() < 0.3) await this.settle(deleteBeneficiary(account, beneficiaryId, true));
  }
}

async function inTime(asking: Promise<Answer>): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), ANSWER_WITHIN_MS);
  });
  try {
    return await Promise.race([asking, late]);
  } finally {
    clearTimeout(timer);
  }
}
