import { expect } from '@jest/globals';
import pg from 'pg';
import type { TestGateway } from './gateway.js';
import type * as Inside from './explained.inside.js';

/** A node of a plan, as PostgreSQL explains it. */
export interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly Plan[];
}

export interface ExplainedStatement {
  readonly text: string;
  /** Every node that reads one of the tables, as `<node> <index>`. */
  readonly reads: string[];
  readonly nodes: readonly Plan[];
  /** Pages of eight kilobytes that the statement touched. */
  readonly blocks: number;
}

/** What the gateway sends while `ask` runs that reads one of the tables, with PostgreSQL's account of what it did. */
export async function explained(
  gateway: TestGateway,
  tables: readonly string[],
  ask: () => Promise<unknown>,
): Promise<ExplainedStatement[]> {
  const { watch, taken } = gateway.module<typeof Inside>('test/support/explained');
  await watch(String.raw`\b(FROM|JOIN) "?(${tables.join('|')})\b`);
  await ask();
  const sent = await taken();
  expect(sent).not.toEqual([]);
  return Promise.all(sent.map(({ text, values }) => explainedOf(gateway, tables, text, values)));
}

/** PostgreSQL's account of one statement. */
export async function explainedOf(
  gateway: TestGateway,
  tables: readonly string[],
  text: string,
  values: readonly unknown[],
): Promise<ExplainedStatement> {
  const client = await gateway.sql.connect();
  try {
    // As on the service's own connections: one plan for all values.
    await client.query(`SET plan_cache_mode = force_generic_plan; SET timezone = 'UTC'; PREPARE explained AS ${text}`);
    const execute = values.length > 0 ? `EXECUTE explained(${values.map(literal).join(', ')})` : 'EXECUTE explained';
    await client.query(execute);
    const { rows } = await client.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${execute}`);
    const nodes = nodesOf(rows[0]['QUERY PLAN'][0].Plan as Plan);
    const [top] = nodes as [Plan];
    const reads = nodes
      .filter(node => /Scan/.test(node['Node Type']) && isOf(tables, node))
      .map(node => `${node['Node Type']} ${node['Index Name'] ?? ''}`.trim());
    return { text, reads, nodes, blocks: top['Shared Hit Blocks'] + top['Shared Read Blocks'] };
  } finally {
    await client.query('DEALLOCATE ALL; RESET ALL');
    client.release();
  }
}

function literal(value: unknown): string {
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.map(item => JSON.stringify(item)).join(',')}}`);
  return typeof value === 'number' ? String(value) : pg.escapeLiteral(String(value));
}

function nodesOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

/** A bitmap's scan of an index has no name but the index's. */
function isOf(tables: readonly string[], { 'Relation Name': relation = '', 'Index Name': index = '' }: Plan): boolean {
  return tables.some(table => relation === table || index.startsWith(`${table}_`));
}

/** Rows that a plan took from an index, in all its loops. */
export function rowsFrom(nodes: readonly Plan[], index: string): number {
  return nodes
    .filter(node => node['Index Name'] === index)
    .reduce((sum, node) => sum + node['Actual Rows'] * node['Actual Loops'], 0);
}
