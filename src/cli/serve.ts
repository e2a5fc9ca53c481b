import { once } from 'node:events';
import type { Command } from 'commander';
import { readConfig } from '../app/config.js';
import { WRONG_USAGE, explain } from './explain.js';
import { keepHeapNearUse } from './heap.js';
import { stopSignal } from '../platform/report/stop-signal.js';
import { createLogger } from '../platform/logging/logger.js';
import { settings } from './options.js';

export function serve(command: Command): void {
  explain(command, {
    about: [
      'The first line on standard output that starts with http is the address. Every other line is one JSON object: the log.',
      'After the first SIGTERM or SIGINT the process finishes the running requests; a second signal ends it at once.',
    ],
    settings: settings('HOST', 'PORT', 'DATABASE_URL', 'DATA_DIR', 'FIELD_KEYS', 'AUTH_ISSUER', 'LOG_LEVEL'),
    examples: {
      'tillgate serve': 'Serves until the process is stopped.',
      'PORT=0 LOG_LEVEL=silent tillgate serve': 'Prints the address of a free port, and nothing else.',
    },
    status: {
      0: 'stopped by a signal, with every request answered',
      1: 'the start failed: no database, no free port, or missing migrations',
      2: WRONG_USAGE,
    },
  });
  command.description('Serve GraphQL and REST until SIGTERM or SIGINT. The default command.').action(async () => {
    keepHeapNearUse();
    const config = readConfig(process.env);
    const log = createLogger({ level: config.logLevel });
    const stop = stopSignal();
    const { startGateway } = await import('../app/gateway.js');
    const gateway = await startGateway(config, log);
    process.stdout.write(`${gateway.url}\n`);
    if (!stop.aborted) await once(stop, 'abort');
    log.info({ signal: stop.reason as string }, 'stopping');
    await gateway.stop();
    log.info('stopped');
  });
}
