import type { ServerResponse } from 'node:http';
import { readConfig, type Config } from '../../../../src/app/config.js';
import type { WebhookSettings } from '../../src/webhook.settings.js';
import { Receiver, type ReceivedRequest } from '../../../../lib/guarded-connect/test/receiver.js';
import { startTestGateway, unique, type TestGateway } from '../../../../test/support/gateway.js';
import { until } from '../../../../test/support/until.js';
import type * as Inside from './site.inside.js';

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
  private constructor(readonly gateway: TestGateway) {}

  static async start(changes: Partial<WebhookSettings> = {}, more: Partial<Config> = {}): Promise<Site> {
    const webhooks = { ...readConfig({}).webhooks, allowLoopback: true, retrySeconds: SHORT, ...changes };
    return new Site(await startTestGateway({ webhooks, ...more }));
  }

  async receiver(
    answer: (response: ServerResponse, received: ReceivedRequest) => void = response => response.end(),
  ): Promise<Receiver> {
    const receiver = await Receiver.start(answer);
    this.receivers.push(receiver);
    return receiver;
  }

  /** An endpoint of a program of its own, unless one is given. */
  async endpoint(url: string, changes: Record<string, unknown> = {}, program = unique('program')): Promise<Endpoint> {
    const me = await this.operator(program);
    const { status, body } = await me.rest.post('/webhook-endpoints', { url, types: ['card.frozen'], ...changes });
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

  /** Resolves once nobody holds an endpoint. */
  released(endpointId: string): Promise<void> {
    return until(async () => {
      const { rowCount } = await this.gateway.sql.query(
        'SELECT FROM webhook_sender WHERE endpoint_id = $1 AND holder IS NULL',
        [endpointId],
      );
      return rowCount === 1;
    });
  }

  /** Resolves once what is committed now is distributed. */
  async distributed(): Promise<void> {
    await this.gateway.feedReady();
    const { rows } = await this.gateway.sql.query<{ position: string }>('SELECT position FROM feed_state');
    await until(async () => {
      const { rows: reached } = await this.gateway.sql.query<{ position: string }>(
        'SELECT position FROM webhook_distribution',
      );
      return BigInt(reached[0]?.position ?? 0) >= BigInt(rows[0]?.position ?? 0);
    });
  }

  /** Deletes what is old, and what belongs to no endpoint. */
  kept(): Promise<number> {
    return this.inside.kept();
  }

  /** Erases secrets that sign no longer. */
  async secretsForgotten(): Promise<void> {
    await this.inside.secretsForgotten();
  }

  private get inside() {
    return this.gateway.module<typeof Inside>('packages/webhooks/test/delivery/site');
  }

  async stop(): Promise<void> {
    await this.gateway.stop();
    await Promise.all(this.receivers.map(receiver => receiver.stop()));
  }
}

/** The numbers of the events that came, in order, with repetitions; of some accounts. */
export function idsOf(
  { received }: Pick<Receiver, 'received'>,
  isWanted: (accountId: string) => boolean = () => true,
): string[] {
  return received
    .filter(({ body }) => isWanted((JSON.parse(body) as { data: { accountId: string } }).data.accountId))
    .map(({ headers }) => String(headers['webhook-id']).replace('evt_', ''));
}

export function accountsOf({ received }: Pick<Receiver, 'received'>): string[] {
  return received.map(({ body }) => (JSON.parse(body) as { data: { accountId: string } }).data.accountId);
}

export interface ShownDelivery {
  readonly deliveryId: string;
  readonly status: string;
  readonly attempts: readonly {
    readonly httpStatus: number | null;
    readonly error: string | null;
    readonly answer: string | null;
  }[];
}

/** The deliveries of an endpoint as operators see them, the newest first. */
export async function attemptsOf(site: Site, program: string, endpointId: string): Promise<readonly ShownDelivery[]> {
  const { data } = await (
    await site.operator(program)
  ).graphql<{ webhookEndpoint: { deliveries: { nodes: ShownDelivery[] } } }>(
    `query ($id: ID!) { webhookEndpoint(endpointId: $id) { deliveries(first: 100) {
       nodes { deliveryId status attempts { httpStatus error answer } } } } }`,
    { id: endpointId },
  );
  return data.webhookEndpoint.deliveries.nodes;
}
