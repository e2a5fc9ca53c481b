#!/usr/bin/env node
import 'reflect-metadata';
import { Command } from 'commander';
import { startGateway } from './app.js';
import { BadSettings, readConfig } from './config.js';
import { createLogger } from './platform/logging/logger.js';

const program = new Command('tillgate').description('A GraphQL gateway over a banking domain, with its REST contract beside it.');
program.command('serve', { isDefault: true }).description('Serve both doors until SIGTERM or SIGINT.').action(serve);

async function serve(): Promise<void> {
  const config = readConfig(process.env);
  const log = createLogger({ level: config.logLevel });
  const gateway = await startGateway(config, log);
  process.stdout.write(`${gateway.url}\n`);
  const stop = (signal: NodeJS.Signals): void => {
    log.info({ signal }, 'stopping');
    void gateway.stop().then(() => log.info('stopped'));
  };
  process.once('SIGTERM', stop).once('SIGINT', stop);
}

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof BadSettings)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
