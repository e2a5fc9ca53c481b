import 'reflect-metadata';
import { readConfig } from '../../../src/app/config.js';
import { startGateway } from '../../../src/app/gateway.js';
import { createLogger } from '../../../src/platform/logging/logger.js';

/** A gateway as `tillgate serve` starts it, with the pauses between attempts that its arguments say, in seconds. */
const config = readConfig(process.env);
const retrySeconds = process.argv.slice(2).map(Number);
const gateway = await startGateway(
  { ...config, webhooks: { ...config.webhooks, retrySeconds } },
  createLogger({ level: config.logLevel }),
);
process.stdout.write(`${gateway.url}\n`);
process.once('SIGTERM', () => void gateway.stop().then(() => process.exit()));
