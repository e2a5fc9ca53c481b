import type { KeyRing } from '../platform/crypto/key-ring.js';
import type { Database } from '../platform/database/orm.js';
import type { Asking } from '../platform/database/transaction.js';
import { BatchedRepository } from '../platform/repository/batched-repository.js';
import { oneByOrdinal, type WithOrdinal } from '../platform/repository/by-ordinal.js';
import { UUID_TEXT } from '../shared/ids.js';
import { WebhookEndpoint, type WebhookEndpointView, type WebhookSecrets } from './webhook.entity.js';
import { MAX_ENDPOINTS } from './webhook.errors.js';

/** An endpoint as it is read. Its secrets are opened when they are looked at. */
export type WebhookEndpointRead = WebhookEndpointView &
  Readonly<Pick<WebhookEndpoint, 'program' | 'fromPosition' | 'version'>> & { readonly secrets: WebhookSecrets };

/** What decides on the endpoint that a caller names, and on the accounts that the caller names for it. */
export interface Deciding {
  /** Of the program. */
  readonly endpoints: number;
  /** Whether all the accounts are the program's. */
  readonly hasAccounts: boolean;
  /** The last position of the feed. */
  readonly head: number;
}

const DECIDING = {
  name: 'webhook_endpoints_deciding',
  text: `SELECT (SELECT count(*)::int FROM webhook_endpoint e WHERE e.program = k.program),
      NOT EXISTS (SELECT FROM unnest(k.account_ids) i(account_id) WHERE NOT EXISTS
        (SELECT FROM account a WHERE a.account_id = i.account_id AND a.program = k.program)),
      (SELECT s.position::float8 FROM feed_state s), k.n
    FROM json_to_recordset($1) k(n int, program text, account_ids text[])`,
};

export class WebhookRepository extends BatchedRepository<WebhookEndpoint, WebhookEndpointRead> {
  constructor(database: Database, keys: KeyRing) {
    super(database, WebhookEndpoint, keys, {
      parent: 'program',
      order: ['createdAt', 'endpointId'],
      cursor: 'endpointId',
    });
  }

  /** The endpoints of a program, the oldest first, without their secrets. */
  all(program: string): Promise<WebhookEndpointRead[]> {
    return this.page({ parent: program, skip: 0, size: MAX_ENDPOINTS, lazy: false });
  }

  /** The endpoint that each command names, or null. */
  named(
    transaction: Asking,
    asked: readonly { readonly input: { readonly endpointId: string } }[],
  ): Promise<(WebhookEndpointRead | null)[]> {
    const keys = asked.map(({ input: { endpointId } }) => [UUID_TEXT.test(endpointId) ? endpointId : null]);
    return this.each(transaction, keys);
  }

  async deciding(
    transaction: Asking,
    asked: readonly { readonly program: string; readonly accountIds: readonly string[] }[],
  ): Promise<Deciding[]> {
    const keys = asked.map(({ program, accountIds }, index) => ({ n: index + 1, program, account_ids: accountIds }));
    const rows = await transaction.query<WithOrdinal<[number, boolean, number]>>(DECIDING, [JSON.stringify(keys)]);
    const decidingOf = ([endpoints, hasAccounts, head]: [number, boolean, number]): Deciding => ({
      endpoints,
      hasAccounts,
      head,
    });
    return oneByOrdinal(rows, asked.length, decidingOf) as Deciding[];
  }
}
