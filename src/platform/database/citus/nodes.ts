import type { Statement, StatementPart } from '../../../../lib/pg-wire/statement.js';
import { isConnectionLost } from '../../../../lib/pg-wire/pg-errors.js';
import { Placements } from './placements.js';

/** A node that could not be reached is left alone for so long. */
const PAUSE_MS = 10_000;

/** The database by its coordinator, or by another node. */
interface Server {
  readonly url: string;
  query<Row extends unknown[]>(statement: Statement, values?: readonly unknown[]): Promise<Row[]>;
  queryShared<Row extends unknown[]>(statement: Statement, values: readonly unknown[]): Promise<Row[]>;
  reopen(changes: { readonly url: string; readonly entities: [] }): Promise<Server>;
  close(): Promise<void>;
}

interface Node {
  readonly database: Promise<Server>;
  leftUntilMs: number;
}

/**
 * Sends reads of accounts to the nodes that have them, where Citus keeps their plans and saves the way through the
 * coordinator. What a node does not answer is asked of the coordinator.
 */
export class CitusNodes {
  readonly placements = new Placements();
  private readonly nodes = new Map<string, Node>();

  constructor(private readonly coordinator: Server) {}

  async read<Row extends unknown[]>(
    part: StatementPart,
    fallBack: (part: StatementPart) => Promise<Row[]>,
  ): Promise<Row[]> {
    const place = part.key === undefined ? null : this.placeOf(part.key);
    const node = place === null ? null : this.nodeAt(place);
    if (!node || performance.now() < node.leftUntilMs) return fallBack(part);
    try {
      const database = await node.database;
      return await database.queryShared<Row>(part.statement, part.values);
    } catch (error) {
      if (!isConnectionLost(error) && !isRefused(error)) throw error;
      node.leftUntilMs = performance.now() + PAUSE_MS;
      return fallBack(part);
    }
  }

  /** The node of an account; null where it is the coordinator, or not known. */
  placeOf(accountId: string): string | null {
    if (this.placements.isOld) {
      const ask = <Row extends unknown[]>(statement: Statement, values?: readonly unknown[]) =>
        this.coordinator.query<Row>(statement, values);
      void this.placements.read(ask).catch(() => undefined);
    }
    return this.placements.nodeOf(accountId);
  }

  async close(): Promise<void> {
    const nodes = [...this.nodes.values()];
    this.nodes.clear();
    await Promise.all(nodes.map(async ({ database }) => (await database).close()));
  }

  private nodeAt(place: string): Node | null {
    let node = this.nodes.get(place);
    if (!node) {
      const url = new URL(this.coordinator.url);
      if (url.host === place) return null;
      url.host = place;
      node = { database: this.coordinator.reopen({ url: url.href, entities: [] }), leftUntilMs: 0 };
      this.nodes.set(place, node);
    }
    return node;
  }
}

/** Whether a server refused the connection: it may know other users than the coordinator. */
function isRefused(error: unknown): boolean {
  const { code = '' } = error as { readonly code?: string };
  return code.startsWith('28') || code.startsWith('08') || code === '3D000';
}
