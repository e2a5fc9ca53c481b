import {
  BatchedRepository,
  UUID_TEXT,
  batchedFind,
  cursorOptions,
  inReadingOrder,
  oneByOrdinal,
  apart,
  type Database,
  type KeyRing,
  type Page,
  type PageRequest,
  type StatementSender,
  type Window,
  type WithOrdinal,
} from 'tillgate/noun';
import { WebhookEndpoint, type WebhookEndpointRead, type WebhookEndpointView } from './webhook.entity.js';
import { shown } from './webhook.record.js';

/** Where an endpoint stands in the list of its program. */
export type EndpointPlace = Pick<WebhookEndpoint, 'createdAt' | 'endpointId'>;

/** The facts that decide on the endpoint that a caller names, and on the accounts that the caller names for it. */
export interface EndpointCommandFacts {
  /** The number of endpoints of the program. */
  readonly endpoints: number;
  /** True if all the accounts are the program's. */
  readonly hasAccounts: boolean;
  /** The last position of the feed. */
  readonly head: number;
}

// Commands of a group read theirs together: what decides about an endpoint, of several tables.
const decidingBy = (hasAccounts: string): string =>
  `SELECT (SELECT count(*)::int FROM webhook_endpoint e WHERE e.program = k.program), ${hasAccounts},
      (SELECT s.position::float8 FROM feed_state s), k.n
    FROM json_to_recordset($1) k(n int, program text, account_ids text[])`;
const DECIDING = apart(
  {
    name: 'webhook_endpoints_deciding',
    text: decidingBy(`NOT EXISTS (SELECT FROM unnest(k.account_ids) i(account_id) WHERE NOT EXISTS
        (SELECT FROM account a WHERE a.account_id = i.account_id AND a.program = k.program))`),
  },
  decidingBy('are_accounts_of(k.program, k.account_ids)'),
);

/** The oldest first, without their secrets. */
const LISTED = { orderBy: { createdAt: 'asc', endpointId: 'asc' }, exclude: ['sealed'] } as const;

/** Batches what commands and the delivery read and write; the EntityManager finds what operators look at. */
export class WebhookRepository extends BatchedRepository<WebhookEndpoint, WebhookEndpointRead> {
  private readonly ofId: (
    endpointId: string,
  ) => Promise<(Parameters<typeof shown>[0] & Pick<WebhookEndpoint, 'program'>) | null>;

  constructor(database: Database, keys: KeyRing) {
    super(database, WebhookEndpoint, keys);
    this.ofId = batchedFind(
      ids => database.em().find(WebhookEndpoint, { endpointId: { $in: ids } }, { exclude: ['sealed'] }),
      ({ endpointId }) => endpointId,
    );
  }

  /** A part of the endpoints of a program, in the order in which `sliceOf` takes them. */
  async between(program: string, window: Window<EndpointPlace>): Promise<WebhookEndpointView[]> {
    const found = await this.database.em().find(WebhookEndpoint, { program }, { ...LISTED, ...cursorOptions(window) });
    return inReadingOrder(found, window).map(shown);
  }

  async at(program: string, { offset, limit }: PageRequest): Promise<Page<WebhookEndpointView>> {
    const [found, total] = await this.database
      .em()
      .findAndCount(WebhookEndpoint, { program }, { ...LISTED, offset, limit });
    return { items: found.map(shown), total };
  }

  total(program: string): Promise<number> {
    return this.database.em().count(WebhookEndpoint, { program });
  }

  /** An endpoint of a program without its secrets, or null. */
  async find(program: string, endpointId: string): Promise<WebhookEndpointView | null> {
    const found = UUID_TEXT.test(endpointId) ? await this.ofId(endpointId.toLowerCase()) : null;
    return found?.program === program ? shown(found) : null;
  }

  /** The endpoint that each command names, or null. */
  named(
    transaction: StatementSender,
    requests: readonly { readonly input: { readonly endpointId: string } }[],
  ): Promise<(WebhookEndpointRead | null)[]> {
    const keys = requests.map(({ input: { endpointId } }) => [UUID_TEXT.test(endpointId) ? endpointId : null]);
    return this.each(transaction, keys);
  }

  async deciding(
    transaction: StatementSender,
    requests: readonly { readonly program: string; readonly accountIds: readonly string[] }[],
  ): Promise<EndpointCommandFacts[]> {
    const keys = requests.map(({ program, accountIds }, index) => ({ n: index + 1, program, account_ids: accountIds }));
    const rows = await transaction.query<WithOrdinal<[number, boolean, number]>>(DECIDING, [JSON.stringify(keys)]);
    const decidingOf = ([endpoints, hasAccounts, head]: [number, boolean, number]): EndpointCommandFacts => ({
      endpoints,
      hasAccounts,
      head,
    });
    return oneByOrdinal(rows, requests.length, decidingOf) as EndpointCommandFacts[];
  }
}
