import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  addBeneficiary,
  createCard,
  deleteBeneficiary,
  postTransaction,
  type WriteAnswer,
  type Write,
} from './writes.js';

export interface AcknowledgedWrite {
  readonly write: Write;
  /** What was written. */
  readonly id: string;
}

/** What says: the same again, later. Everything else that is no success is a failure. */
const RETRYABLE = new Set([
  'unavailable',
  'overloaded',
  'stopping',
  'rate_limited',
  'idempotency_in_progress',
  'timed_out',
]);
const MAX_TRIES = 200;
const PAUSE_MS = 50;
const ANSWER_WITHIN_MS = 15_000;
/** How many failures are told word by word. */
const MAX_TOLD = 20;
const [CARDS, BENEFICIARIES, DELETED] = [0.01, 0.3, 0.95];
const READS = [
  (account: string) => ({ path: `/accounts/${account}/beneficiaries?limit=100` }),
  (account: string) => ({ path: `/accounts/${account}/transactions?limit=20` }),
  (account: string) => ({
    path: '/graphql',
    body: {
      query: `query ($account: ID!) { account(accountId: $account) { availableBalance owners { name { last } }
        beneficiaries(first: 5) { totalCount } transactions(first: 20) { nodes { transactionId amount postedTime } } } }`,
      variables: { account },
    },
  }),
];
/** Clients that write and read without end, of any gateway that serves, and ask again where that may help. */
export class Load {
  /** Where they ask. It changes while they do. */
  urls: readonly string[] = [];
  readonly done: AcknowledgedWrite[] = [];
  reads = 0;
  /** What was heard that is to be asked again, and how often. */
  readonly again: Record<string, number> = {};
  readonly failures: string[] = [];
  private readonly stopping = new AbortController();

  constructor(
    private readonly token: string,
    private readonly accounts: readonly string[],
    /** Who owns all the accounts. */
    private readonly customer: string,
  ) {}

  async run(clients: number): Promise<void> {
    await Promise.all(
      Array.from({ length: clients }, async () => {
        while (!this.stopping.signal.aborted) {
          await this.read(anyOf(this.accounts));
          await this.write(anyOf(this.accounts));
        }
      }),
    );
  }

  stop(): void {
    this.stopping.abort();
  }

  /** Sends a write until there is a definite answer, and gives it. */
  async ask(method: string, path: string, body: unknown, key: string) {
    for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
      const answer = await this.once(method, path, body, key);
      if (typeof answer !== 'string') return answer;
      this.again[answer] = (this.again[answer] ?? 0) + 1;
      await sleep(PAUSE_MS * Math.random() * Math.min(tries, 10));
    }
    throw new Error(`${method} ${path} had no definite answer after ${MAX_TRIES} tries.`);
  }

  private async once(method: string, path: string, body: unknown, key: string) {
    try {
      const response = await fetch(`${anyOf(this.urls)}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${this.token}`,
          'content-type': 'application/json',
          'x-idempotency-key': key,
          'x-request-id': key,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      });
      const answered = (await response.json()) as WriteAnswer;
      const code = answered.errors?.[0]?.extensions?.code ?? (response.ok ? undefined : (answered.code ?? 'no code'));
      if (code !== undefined && RETRYABLE.has(code)) return code;
      const replayed = response.headers.get('idempotent-replayed') === 'true';
      return { status: response.status, code, answered, replayed };
    } catch (error) {
      const { cause } = error as Error;
      return cause instanceof Error ? cause.message : (error as Error).name;
    }
  }

  private async read(account: string): Promise<void> {
    const { path, body }: { path: string; body?: unknown } = anyOf(READS)(account);
    const { status, code } = await this.ask(body ? 'POST' : 'GET', path, body, randomUUID());
    this.reads += 1;
    if (code !== undefined) this.fail(`${path}: ${status} ${code}`);
  }

  /** Beneficiaries and cards of an account are limited, so they are deleted again, and seldom. */
  private async write(account: string): Promise<void> {
    if (Math.random() < CARDS) await this.settle(createCard(account, this.customer));
    if (Math.random() >= BENEFICIARIES) return void (await this.settle(postTransaction(account)));
    const id = await this.settle(addBeneficiary(account));
    if (id !== undefined && Math.random() < DELETED) await this.settle(deleteBeneficiary(account, id));
  }

  private async settle(write: Write): Promise<string | undefined> {
    const { status, code, answered } = await this.ask(write.method, write.path, write.body, write.key);
    const id = code === undefined ? write.idOf(answered) : undefined;
    if (id === undefined) this.fail(`${write.kind}: ${status} ${code}`);
    else this.done.push({ write, id });
    return id;
  }

  private fail(line: string): void {
    if (this.failures.length < MAX_TOLD) this.failures.push(line);
  }
}

function anyOf<Item>(items: readonly Item[]): Item {
  return items[Math.floor(Math.random() * items.length)] as Item;
}
