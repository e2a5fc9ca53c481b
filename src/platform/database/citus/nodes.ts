import type pg from 'pg';
import type { Statement, StatementPart } from '../../../../lib/pg-wire/statement.js';
import type { Question } from '../ask.js';
import { Placements, type Shard } from './placements.js';
import { shardStatement } from './shard-statement.js';

/** A node that could not be reached is left alone for so long. */
const PAUSE_MS = 10_000;
/** So many reads are sent together. */
const MOST_TOGETHER = 50;
/** How placements name the coordinator, which may have shards as well. */
const COORDINATOR = 0;
/** Which of these shards a node has. Citus changes that on the node when it has moved a shard. */
const HAS: Statement = {
  name: 'citus_has',
  text: 'SELECT count(*)::int FROM pg_dist_placement WHERE shardid = ANY($1::int8[]) AND groupid = $2::int',
};

/** The database by its coordinator, or by another node. */
export interface Server {
  readonly url: string;
  readonly pool: pg.Pool;
  query<Row extends unknown[]>(statement: Statement, values?: readonly unknown[]): Promise<Row[]>;
  flight(questions: readonly Question[], isShort: boolean): Promise<unknown[][][]>;
  reopen(changes: { readonly url?: string; readonly entities: []; readonly pooling?: 'none' }): Promise<Server>;
  close(): Promise<void>;
}

interface Waiting {
  readonly question: Question;
  readonly shard: Shard;
  readonly resolve: (rows: unknown[][] | null) => void;
}

/** A node that has accounts. Its statements are those of shards, which are plain ones there. */
export class CitusNode {
  private leftUntilMs = 0;
  private waiting: Waiting[] = [];

  constructor(
    private readonly opening: Promise<Server>,
    private readonly placements: Placements,
  ) {}

  get isLeft(): boolean {
    return performance.now() < this.leftUntilMs;
  }

  async pool(): Promise<pg.Pool> {
    return (await this.opening).pool;
  }

  /** Rows of a shard, with those of other reads of this moment; null where the node could not tell. */
  read(question: Question, shard: Shard): Promise<unknown[][] | null> {
    return new Promise(resolve => {
      this.waiting.push({ question, shard, resolve });
      if (this.waiting.length === 1) process.nextTick(() => this.send());
      else if (this.waiting.length === MOST_TOGETHER) this.send();
    });
  }

  /** Whether the error says that nobody can connect to the node, which is left alone then for a while. */
  fails(error: unknown): boolean {
    const isAway = isUnreachable(error);
    if (isAway) this.leftUntilMs = performance.now() + PAUSE_MS;
    return isAway;
  }

  async close(): Promise<void> {
    await (await this.opening).close();
  }

  private send(): void {
    const sent = this.waiting;
    this.waiting = [];
    if (sent.length > 0) void this.answer(sent);
  }

  /** A node that has the shards behind the reads had them before: rows of a shard that has moved are not used. */
  private async answer(sent: readonly Waiting[]): Promise<void> {
    try {
      const database = await this.opening;
      const questions = [...sent.map(({ question }) => question), hasShards(sent.map(({ shard }) => shard))];
      const answers = await database.flight(questions, true);
      const isHere = areThere(questions.at(-1), answers.at(-1));
      if (!isHere) this.placements.forget();
      sent.forEach(({ resolve }, index) => resolve(isHere ? (answers[index] ?? []) : null));
    } catch (error) {
      // Whether it is the node's fault or that of one of the reads is found out by asking the coordinator.
      if (!this.fails(error)) this.placements.forget();
      for (const { resolve } of sent) resolve(null);
    }
  }
}

/** Asks a node whether it has shards. */
export function hasShards(shards: readonly Shard[]): Question {
  const ids = [...new Set(shards.map(({ id }) => id))];
  return { statement: HAS, values: [ids, shards[0]?.group] };
}

/** Whether it has all of them, by its answer. */
export function areThere(question: Question | undefined, rows: unknown[][] | undefined): boolean {
  return rows?.[0]?.[0] === (question?.values[0] as unknown[] | undefined)?.length;
}

/**
 * The nodes that have accounts, which gateways ask without the coordinator. What a node does not answer is asked of the
 * coordinator.
 */
export class CitusNodes {
  readonly placements = new Placements();
  private readonly nodes = new Map<string, CitusNode>();

  constructor(private readonly coordinator: Server) {}

  async read<Row extends unknown[]>(
    part: StatementPart,
    fallBack: (part: StatementPart) => Promise<Row[]>,
  ): Promise<Row[]> {
    const shard = part.key === undefined ? null : this.shardOf(part.key);
    const node = shard && this.nodeOf(shard);
    const statement = node && shardStatement(part.statement, shard, true);
    const rows = node && statement && (await node.read({ statement, values: part.values }, shard));
    return rows ? (rows as Row[]) : fallBack(part);
  }

  /** The shard of an account; null where it is not known. */
  shardOf(accountId: string): Shard | null {
    if (this.placements.isOld) {
      const ask = <Row extends unknown[]>(statement: Statement, values?: readonly unknown[]) =>
        this.coordinator.query<Row>(statement, values);
      void this.placements.read(ask).catch(() => undefined);
    }
    return this.placements.shardOf(accountId);
  }

  /** The node of a shard; null where it cannot be worked with now. */
  nodeOf({ node: place, group, knows }: Shard): CitusNode | null {
    let node = this.nodes.get(place);
    if (!node) {
      const address =
        group === COORDINATOR ? {} : ({ url: addressOf(this.coordinator.url, place), pooling: 'none' } as const);
      node = new CitusNode(this.coordinator.reopen({ ...address, entities: [] }), this.placements);
      this.nodes.set(place, node);
    }
    return knows && !node.isLeft ? node : null;
  }

  async close(): Promise<void> {
    const nodes = [...this.nodes.values()];
    this.nodes.clear();
    await Promise.all(nodes.map(node => node.close()));
  }
}

function addressOf(coordinator: string, node: string): string {
  const url = new URL(coordinator);
  url.host = node;
  // Nothing is asked there that Citus plans, so plans are kept as on plain PostgreSQL.
  const options = url.searchParams.get('options');
  url.searchParams.set('options', `${options ? `${options} ` : ''}-c plan_cache_mode=force_generic_plan`);
  return url.href;
}

/** What a connection to a server fails with: it may also know other users than the coordinator. */
const UNREACHABLE =
  /^(?:28|08)|^(?:3D000|57P03|53300|ECONNREFUSED|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN)$/;

function isUnreachable(error: unknown): boolean {
  const { code, message = '' } = error as { readonly code?: unknown; readonly message?: string };
  return typeof code === 'string'
    ? UNREACHABLE.test(code)
    : message.includes('timeout exceeded when trying to connect');
}
