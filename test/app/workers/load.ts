import { Agent } from 'node:http';
import { leastBeneficiary, type GivenAccount } from '../../support/given.js';
import { unique, keyed } from '../../support/gateway.js';
import { until } from '../../support/until.js';
import type { WorkerGateway } from './served.js';

/** An account takes a hundred beneficiaries. */
const MOST = 90;
/** How often a write is sent again with its key until its client knows what became of it. */
const MAX_TRIES = 200;

/** Clients that add beneficiaries over connections that stay open, each write under a key until it is answered. */
export class Load {
  /** What was answered, or why nothing was, and how often. */
  readonly outcomes: Record<string, number> = {};
  /** Answered writes by account. */
  readonly written = new Map<string, number>();
  private isRunning = true;
  private readonly agent = new Agent({ keepAlive: true });
  private readonly clients: Promise<void>[];

  constructor(
    private readonly served: WorkerGateway,
    accounts: readonly GivenAccount[],
  ) {
    this.clients = accounts.map(of => this.client(of));
  }

  /** Resolves when so many more were answered. */
  async more(count: number): Promise<void> {
    const before = this.answered;
    await until(() => this.answered >= before + count || this.isOver);
  }

  async stop(): Promise<void> {
    this.isRunning = false;
    await Promise.all(this.clients);
    this.agent.destroy();
  }

  private get answered(): number {
    return this.outcomes['200'] ?? 0;
  }

  private get isOver(): boolean {
    return [...this.written.values()].every(count => count >= MOST);
  }

  private async client({ account, caller }: GivenAccount): Promise<void> {
    const path = `/accounts/${account}/beneficiaries`;
    this.written.set(account, 0);
    while (this.isRunning) {
      // Reads go on when there is no place for more.
      const written = this.written.get(account) ?? 0;
      if (written < MOST) {
        await this.write(path, caller, unique('key'));
        this.written.set(account, written + 1);
      }
      await this.outcome(() => this.served.ask(path, { token: caller, agent: this.agent }));
    }
  }

  private async write(path: string, token: string, key: string): Promise<void> {
    const asked = { token, method: 'POST', body: leastBeneficiary(), headers: keyed(key), agent: this.agent };
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      if ((await this.outcome(() => this.served.ask(path, asked))) === '201') return;
    }
    throw new Error('A write was not answered.');
  }

  private async outcome(ask: () => Promise<{ status: number }>): Promise<string> {
    const outcome = await ask().then(
      ({ status }) => String(status),
      (error: NodeJS.ErrnoException) => error.code ?? error.message,
    );
    this.outcomes[outcome] = (this.outcomes[outcome] ?? 0) + 1;
    return outcome;
  }
}
