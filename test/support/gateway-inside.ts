import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../src/app/config.js';
import type { GatewayOptions } from '../../src/app/create-gateway.js';
import { NOUNS } from '../../src/app/nouns.js';
import { startGateway, type Gateway } from '../../src/app/gateway.js';
import { createLogger } from '../../src/platform/logging/logger.js';
import type { Contract } from './contract.js';
import { contractOf } from './contracts.js';
import { testConfig } from './gateway-process/config.js';
import { controlFunctions, type ControlFunctions, type InsideLoader } from './gateway-process/control-functions.js';
import { directUrlOf, freshDatabase } from './postgres.js';
import { checkRefusals } from './refusals.js';
import { TestGateway, type GatewayInside } from './test-gateway.js';

export * from './test-gateway.js';

const load: InsideLoader = module => import(`../../${module}.js`);

/** A gateway in the process of the test, for tests that reach into it or that move its clock. */
export class GatewayInThisProcess extends TestGateway {
  constructor(
    readonly gateway: Gateway,
    readonly contract: Contract,
    log: readonly string[],
    databaseUrl: string,
    functions: ControlFunctions,
    tearDown: () => Promise<void>,
  ) {
    const inside: GatewayInside = {
      url: gateway.url,
      program: 'demo',
      watch: (request, answer) => {
        contract.check(request, answer);
        checkRefusals(request, answer, gateway.container.nouns);
      },
      log,
      logged: async () => undefined,
      call: async (name, ...args) => (functions[name] as (...given: unknown[]) => never)(...args),
      stop: async () => {
        await gateway.stop();
        await tearDown();
      },
    };
    super(inside, databaseUrl);
  }
}

/**
 * Starts a gateway in the process of the test, on a database of its own unless one is given. It takes seconds more than
 * `startTestGateway`, since all modules are loaded for the file.
 */
export async function startGatewayInside(
  changes: Partial<Config> = {},
  databaseUrl: (url: string) => string | Promise<string> = url => url,
  plugins: GatewayOptions['plugins'] = [],
  nouns = NOUNS,
): Promise<GatewayInThisProcess> {
  const database = changes.databaseUrl
    ? { url: changes.databaseUrl, drop: async () => undefined }
    : await freshDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'tillgate-gateway-'));
  const log: string[] = [];
  const place = {
    databaseUrl: await databaseUrl(database.url),
    databaseDirectUrl: directUrlOf(database.url),
    dataDir,
  };
  const config = testConfig(place, changes);
  const tearDown = async () => {
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  };
  const logger = createLogger({ level: 'debug', destination: { write: line => void log.push(line) } });
  const gateway = await startGateway(config, logger, { plugins, nouns }).catch(async (error: unknown) => {
    await tearDown();
    throw error;
  });
  const functions = await controlFunctions(gateway, config, load);
  const contract = contractOf(config, nouns);
  return new GatewayInThisProcess(gateway, contract, log, database.url, functions, tearDown);
}
