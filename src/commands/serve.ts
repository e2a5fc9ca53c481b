import { once } from 'node:events';
import type { Command } from 'commander';
import { startGateway } from '../app.js';
import { readConfig } from '../config.js';
import { keepHeapNearUse } from '../platform/cli/heap.js';
import { stopSignal } from '../platform/cli/stop-signal.js';
import { createLogger } from '../platform/logging/logger.js';

export function serve(command: Command): void {
  command.description('Serve both doors until SIGTERM or SIGINT. The default command.').action(async () => {
    keepHeapNearUse();
    const config = readConfig(process.env);
    const log = createLogger({ level: config.logLevel });
    const stop = stopSignal();
    const gateway = await startGateway(config, log);
    process.stdout.write(`${gateway.url}\n`);
    if (!stop.aborted) await once(stop, 'abort');
    log.info({ signal: stop.reason as string }, 'stopping');
    await gateway.stop();
    log.info('stopped');
  });
}
