import type { Command } from 'commander';
import { readDatabaseConfig } from '../app/config.js';
import type { shardsOf } from '../platform/database/citus/shards.js';
import type { Database } from '../platform/database/orm.js';
import { Report } from '../platform/report/report.js';
import { UsageError } from '../shared/usage-error.js';
import { WRONG_USAGE, explain } from './explain.js';
import { jsonOption, settings } from './options.js';
import type { CommandProcess } from './command-process.js';

interface Options {
  readonly json?: boolean;
}

export function shardsShow(command: Command, process: CommandProcess): void {
  explain(command, {
    about: [
      'A shard has a part of the accounts, and all that belongs to them. Rows are as counted by the last ANALYZE.',
    ],
    settings: settings('DATABASE_URL', 'DATA_DIR'),
    result: { nodes: [{ node: '10.0.0.7:5432', shards: 16, rows: 12_400_000, bytes: 9_100_000_000 }] },
    examples: { 'tillgate shards show': 'Shows the nodes of a Citus cluster, and how much each has.' },
    status: { 0: 'shown', 1: 'the database failed', 2: WRONG_USAGE },
  });
  command
    .description('Show on which nodes of a Citus cluster the accounts are.')
    .addOption(jsonOption())
    .action((options: Options) =>
      onCluster(process, options, async ({ nodes }, report) => {
        const found = await nodes();
        for (const { node, shards, rows, bytes } of found) {
          report.line(`${node}: ${shards} shards, ${rows} rows, ${bytes} bytes`);
        }
        report.result({ nodes: found });
      }),
    );
}

export function shardsWhere(command: Command, process: CommandProcess): void {
  explain(command, {
    settings: settings('DATABASE_URL', 'DATA_DIR'),
    result: { node: '10.0.0.7:5432', shard: 102_008 },
    examples: { 'tillgate shards where demo-1001': 'Shows the node that has the account demo-1001.' },
    status: { 0: 'shown', 1: 'the database failed', 2: WRONG_USAGE },
  });
  command
    .description('Show which node of a Citus cluster has an account, if it exists.')
    .argument('<ACCOUNT>', 'the id of the account')
    .addOption(jsonOption())
    .action((account: string, options: Options) =>
      onCluster(process, options, async ({ placeOf }, report) => {
        const place = await placeOf(account);
        report.line(`${place.node}, shard ${place.shard}`);
        report.result(place);
      }),
    );
}

export function shardsRebalance(command: Command, process: CommandProcess): void {
  explain(command, {
    about: [
      'Starts the rebalancer of Citus, which moves shards in the background. Accounts are read and posted to meanwhile, except for a moment at the end of each move. When it is called while shards move, it shows how far that is.',
      'With --stop it stops after the shard that is moving is undone. Start it again at any time.',
    ],
    settings: settings('DATABASE_URL', 'DATA_DIR'),
    result: { state: 'running', moved: 3, left: 5 },
    examples: {
      'tillgate shards rebalance': 'Moves shards until all nodes have as many, for example after citus_add_node.',
      'tillgate shards rebalance --stop': 'Stops moving shards.',
    },
    status: { 0: 'shards move, or nothing is to be moved', 1: 'the database failed', 2: WRONG_USAGE },
  });
  command
    .description('Spread the shards evenly over the nodes of a Citus cluster.')
    .option('--stop', 'stop moving shards')
    .addOption(jsonOption())
    .action(({ stop = false, ...options }: Options & { readonly stop?: boolean }) =>
      onCluster(process, options, async ({ rebalance, stopRebalance }, report) => {
        const status = stop ? await stopRebalance() : await rebalance();
        report.line(`${status.state}: ${status.moved} shards moved, ${status.left} left`);
        report.result(status);
      }),
    );
}

type Shards = ReturnType<typeof shardsOf>;

async function onCluster(
  process: CommandProcess,
  { json = false }: Options,
  work: (shards: Shards, report: Report) => Promise<void>,
): Promise<void> {
  const { openConfiguredDatabase } = await import('../platform/database/open-configured.js');
  const shards = await import('../platform/database/citus/shards.js');
  const opened = await openConfiguredDatabase(readDatabaseConfig(process.env), []);
  const database: Database = opened.database;
  try {
    if (!(await database.isDistributed())) {
      throw new UsageError('The database has no shards: it is no Citus cluster, or its tables are not distributed.');
    }
    await work(shards.shardsOf(database), new Report(process.stdout, json));
  } finally {
    await opened.close();
  }
}
