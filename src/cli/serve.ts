import cluster from 'node:cluster';
import { once } from 'node:events';
import v8 from 'node:v8';
import type { Command } from 'commander';
import { readServedConfig } from '../app/served-config.js';
import { WRONG_USAGE, explain } from './explain.js';
import { tellAddress } from '../app/tell-address.js';
import { stopSignal } from '../platform/report/stop-signal.js';
import { Member } from '../platform/workers/member.js';
import { settings } from './options.js';
import type { CommandProcess } from './command-process.js';

export function serve(command: Command, process: CommandProcess): void {
  explain(command, {
    about: [
      'The first line on standard output that starts with http is the address. Every other line is one JSON object: the log. With NODE_ENV=production and a PORT each line is one, and that with the message serving has the address.',
      'After the first SIGTERM or SIGINT the process finishes the running requests; a second signal ends it at once.',
      'With WORKERS, SIGHUP replaces the processes that serve one by one by new ones.',
    ],
    settings: settings(
      'HOST',
      'PORT',
      'WORKERS',
      'DATABASE_URL',
      'DATABASE_PASSWORD',
      'DATABASE_DIRECT_URL',
      'DATA_DIR',
      'FIELD_KEYS',
      'CARD_KEYS',
      'KEY_COMMAND',
      'AUTH_ISSUER',
      'LOG_LEVEL',
    ),
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
    const config = await readServedConfig(process.env);
    const { createLogger } = await import('../platform/logging/logger.js');
    const log = createLogger({ level: config.logLevel, isShared: config.workers > 1 });
    if (config.workers > 1 && cluster.isPrimary) {
      const { serveInWorkers } = await import('../app/workers/primary.js');
      return serveInWorkers(config, process.env, log);
    }
    keepHeapNearUse();
    const member = cluster.isWorker ? await Member.join() : null;
    const stop = member ? member.stop : stopSignal(process);
    const { startGateway } = await import('../app/gateway.js');
    const gateway = await startGateway(config, log, member ? { together: member } : {});
    if (member) member.ready(gateway.url);
    else tellAddress(gateway.url, config, log);
    if (!stop.aborted) await once(stop, 'abort');
    if (!member) log.info({ signal: stop.reason as string }, 'stopping');
    await gateway.stop({ replaced: stop.reason === 'replaced' });
    if (member) await member.leave();
    else log.info('stopped');
  });
}

/**
 * Keeps the memory of the gateway near what is in use, without answers that wait for collections. What outlives its
 * request may grow by half before it is looked through. What does not is in the young generation, which `npm start` and
 * the image make large enough for the requests of a moment (`--max-semi-space-size`, in MB; it can only be set when a
 * process starts).
 */
function keepHeapNearUse(): void {
  v8.setFlagsFromString('--heap-growing-percent=50');
  // V8 would watch where the objects are made that survive its first collections, and make later ones old from the
  // start.
  v8.setFlagsFromString('--no-allocation-site-pretenuring');
  // After the collections that V8 makes in quiet times to give memory back, the next seconds of load cost up to twice
  // as much (docs/adr/0016).
  v8.setFlagsFromString('--memory-reducer-gc-count=0');
  // V8 would keep the functions of compiled operations for the case that their text comes again, even when they have
  // left our cache.
  v8.setFlagsFromString('--no-compilation-cache');
}
