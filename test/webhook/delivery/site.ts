import type { ServerResponse } from 'node:http';
import { readConfig } from '../../../src/app/config.js';
import type { WebhookSettings } from '../../../src/webhook/webhook.settings.js';
import { Receiver, type Received } from '../../lib/guarded-connect/receiver.js';
import { startTestGateway, unique, type TestGateway } from '../../support/gateway.js';
import { until } from '../../support/until.js';

/** Pauses so short that a test sees many attempts. */
export const SHORT: readonly number[] = Array.from({ length: 9 }, () => 0.02);

export interface Endpoint {
  readonly endpointId: string;
  readonly program: string;
  readonly secret: string;
}

/** A gateway that delivers to receivers on this machine. */
export class Site {
  private readonly receivers: Receiver[] = [];
  private chained = 0;

  private constructor(readonly gateway: TestGateway) {}

  static async start(changes: Partial<WebhookSettings> = {}, databaseUrl: string | null = null): Promise<Site> {
    const webhooks = { ...readConfig({}).webhooks, allowLoopback: true, retrySeconds: SHORT, ...changes };
    return new Site(await startTestGateway({ webhooks, ...(databaseUrl !== null && { databaseUrl }) }));
  }

  async receiver(
    answer: (response: ServerResponse, received: Received) => void = response => response.end(),
  ): Promise<Receiver> {
    const receiver = await Receiver.start(answer);
    this.receivers.push(receiver);
    return receiver;
  }

  /** An endpoint of a program of its own, unless one is given. */
  async endpoint(url: string, changes: Record<string, unknown> = {}, program = unique('program')): Promise<Endpoint> {
    const me = await this.operator(program);
    const { status, body } = await me.rest.post('/webhook-endpoints', { url, ...changes });
    if (status !== 201) throw new Error(`The endpoint was not created: ${JSON.stringify(body)}`);
    return { endpointId: body.endpointId as string, program, secret: body.secret as string };
  }

  async operator(program: string) {
    return this.gateway.as(await this.gateway.caller({ program, scopes: 'operations' }));
  }

  /** Commits events of accounts, in this order. Gives their ids. */
  async events(program: string, accounts: readonly (string | null)[], action = 'card.freeze'): Promise<string[]> {
    const { rows } = await this.gateway.sql.query<{ id: string }>(
      `INSERT INTO event (program, client_id, subject, request_id, action, account_id, object, data)
       SELECT $1, 'test', 'test', 'test', $2, account_id, 'card/card-' || n, '{"last4": "4242"}'
       FROM unnest($3::text[]) WITH ORDINALITY k(account_id, n) ORDER BY n RETURNING id::text`,
      [program, action, accounts],
    );
    this.chained += rows.length;
    return rows.map(({ id }) => id);
  }

  /** Resolves once all deliveries to an endpoint have these states. */
  async settled(endpointId: string, count: number, states: readonly string[] = ['DELIVERED']): Promise<void> {
    await until(async () => {
      const { rows } = await this.gateway.sql.query<{ state: string; count: number }>(
        'SELECT state, count(*)::int FROM webhook_delivery WHERE endpoint_id = $1 GROUP BY state',
        [endpointId],
      );
      const settled = rows.filter(({ state }) => states.includes(state)).reduce((sum, row) => sum + row.count, 0);
      return settled === count && rows.every(({ state }) => states.includes(state));
    });
  }

  async stop(): Promise<void> {
    await this.gateway.stop();
    await Promise.all(this.receivers.map(receiver => receiver.stop()));
  }
}
