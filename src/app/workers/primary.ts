import { once } from 'node:events';
import { isatty } from 'node:tty';
import { BadSettings } from '../../platform/settings/settings.js';
import type { Config } from '../config.js';
import { readServedConfig } from '../served-config.js';
import { tellAddress } from '../tell-address.js';
import type { Logger } from '../../platform/logging/logger.js';
import { stopSignal } from '../../platform/report/stop-signal.js';
import type { StopReason } from '../../platform/workers/messages.js';
import { Workers, envFilesIn } from '../../platform/workers/workers.js';
import { Environment, FileWatch } from './settings-files.js';

/**
 * The time that a process may take to stop after its grace: running requests have 10 s, jobs and connections some more.
 */
const STOP_WITHIN_MS = 25_000;

/**
 * Runs the gateway in several processes until SIGTERM or SIGINT. SIGHUP, and files of settings that change, replace the
 * processes one by one. Throws `WorkersFailed`.
 */
export async function serveInWorkers(config: Config, env: NodeJS.ProcessEnv, log: Logger): Promise<void> {
  const stop = stopSignal(process);
  const hadTerminal = isatty(0);
  const hungUp = new AbortController();
  const environment = await Environment.open(envFilesIn(process.execArgv), env);
  const workers = new Workers({
    count: config.workers,
    host: config.host,
    port: config.port,
    env,
    stopWithinMs: config.shutdownGraceMs + STOP_WITHIN_MS,
    log,
  });
  let current = config;
  const watch = new FileWatch(
    () => [...environment.files, ...filesOf(current)],
    () => void reload('changed files'),
  );
  const reload = async (reason: string): Promise<void> => {
    await watch.remember();
    const changed = await environment.now();
    try {
      current = await readServedConfig(changed);
    } catch (error) {
      if (!(error instanceof BadSettings)) throw error;
      log.error({ reason, problems: error.problems }, 'the settings are wrong; the worker processes go on as they are');
      return;
    }
    if (current.workers !== config.workers) {
      log.warn('WORKERS has changed, and is read at the start alone: restart the gateway');
    }
    log.info({ reason }, 'the worker processes are replaced one by one');
    if (await workers.reload(changed)) log.info('all worker processes were replaced');
  };
  process.on('SIGHUP', () => {
    // A terminal that is closed sends it as well, and then ends the gateway as it ends other programs.
    if (hadTerminal && !isatty(0)) hungUp.abort();
    else void reload('SIGHUP');
  });
  const signals = [stop, hungUp.signal].map(signal => (signal.aborted ? Promise.resolve() : once(signal, 'abort')));
  try {
    await watch.remember();
    const started = workers.start();
    started.catch(() => undefined);
    const address = await Promise.race([started, ...signals]);
    if (typeof address === 'string') {
      tellAddress(address, config, log);
      await Promise.race([...signals, workers.failed]);
    }
    const reason = stop.aborted ? (stop.reason as StopReason) : 'SIGTERM';
    log.info({ signal: hungUp.signal.aborted ? 'SIGHUP' : reason }, 'stopping');
    await workers.stop(reason);
    log.info('stopped');
  } catch (error) {
    await workers.stop('SIGTERM');
    throw error;
  } finally {
    watch.stop();
  }
}

function filesOf({ tls, graphql }: Config): string[] {
  return [tls?.certFile, tls?.keyFile, graphql.persistedOperationsFile].filter(file => typeof file === 'string');
}
