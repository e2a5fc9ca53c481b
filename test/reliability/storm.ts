import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { openContainer } from '../../src/app/container.js';
import { readConfig } from '../../src/app/config.js';
import { DevIssuer } from '../../src/platform/auth/dev-issuer.js';
import { createLogger } from '../../src/platform/logging/logger.js';
import { SCOPES } from '../../src/shared/caller.js';
import { TestData } from '../support/gateway-process/test-data.js';
import { audit, type Audit } from './audit.js';
import { Site } from './site.js';
import { Swarm } from './swarm.js';

export const FAULTS = [
  'gateway',
  'worker',
  'pooler',
  'postmaster',
  'session',
  'node',
  'pause',
  'cut before',
  'cut after',
] as const;
/** `cut before` and `cut after`: whether a COMMIT reached the server. */
export type Fault = (typeof FAULTS)[number];

export interface Plan {
  /** Storm goes on until so many writes are acknowledged and all faults have happened. */
  readonly writes: number;
  readonly clients: number;
  readonly accounts: number;
  /** How many processes the second gateway has. */
  readonly workers?: number;
  /** Whether accounts are on the nodes of a Citus cluster. */
  readonly isCitus?: boolean;
  /** The storm fails if it is not over by then. */
  readonly withinMs: number;
  /**
   * Lists of faults: those of one happen one after another, spread over the writes, and all the lists at the same time.
   */
  readonly faults: readonly (readonly Fault[])[];
}

export interface Figures extends Audit {
  readonly writes: number;
  readonly faults: Record<Fault, number>;
  readonly retries: number;
  readonly replays: number;
  readonly forgotten: number;
  /** Definite answers that were not the right ones. */
  readonly wrong: readonly string[];
  readonly unsure: Record<string, number>;
  /** Errors that the gateways logged. */
  readonly logged: readonly string[];
}

const PROGRAM = 'storm';
const TOKEN_SECONDS = 3600;
const LONGEST_CALM_MS = 200;
const POLL_MS = 20;
const LONGEST_PAUSE_MS = 2500;
const TELL_EVERY_MS = 5000;

/** Lets clients write while things break, and then looks whether each write was done exactly once. */
export async function storm(plan: Plan, tell: (line: string) => void = () => undefined): Promise<Figures> {
  const site = await Site.start({}, plan.workers, plan.isCitus);
  try {
    const { accounts, customers, token } = await prepare(site, plan);
    await Promise.all(site.gateways.map(gateway => gateway.start()));
    const swarm = new Swarm(site, token, accounts);
    const faults = Object.fromEntries(FAULTS.map(fault => [fault, 0])) as Record<Fault, number>;
    const told = () =>
      `${swarm.acknowledged.length} writes, ${Object.entries(faults)
        .map(([fault, count]) => `${count} ${fault}`)
        .join(', ')}, ${swarm.retries} retries, ${swarm.replays} replays`;
    const late = new AbortController();
    const telling = setInterval(() => tell(told()), TELL_EVERY_MS);
    try {
      const swarming = swarm.run(customers);
      await Promise.race([swarming, breakThings(site, plan, swarm, faults), failAfter(plan.withinMs, late.signal)]);
      swarm.stop();
      await swarming;
    } finally {
      swarm.stop();
      late.abort();
      clearInterval(telling);
    }
    tell(`${told()}: asking for every key again`);
    const sql = new pg.Pool({ connectionString: site.databaseUrl, max: 2 });
    const result = await audit(site, swarm, sql, accounts);
    await sql.end();
    await Promise.all(site.gateways.map(gateway => gateway.kill()));
    return {
      writes: swarm.acknowledged.length,
      faults,
      retries: swarm.retries,
      replays: swarm.replays,
      forgotten: swarm.forgotten.length,
      wrong: swarm.wrong,
      unsure: swarm.unsure,
      ...result,
      logged: site.gateways.flatMap(({ log }) => log),
    };
  } finally {
    await site.stop();
  }
}

async function prepare(site: Site, { clients, accounts }: Plan) {
  const config = readConfig({ DATABASE_URL: site.databaseUrl, DATA_DIR: site.dataDir });
  const container = await openContainer(config, createLogger({ level: 'silent' }));
  try {
    const issuer = await DevIssuer.open(site.dataDir);
    const who = { program: PROGRAM, clientId: 'swarm', subject: 'swarm', scope: SCOPES.join(' '), customerId: null };
    const token = await issuer.sign({ ...who, ttlSeconds: TOKEN_SECONDS });
    const given = new TestData(container, async () => token);
    const ids: string[] = [];
    // The accounts begin without owners, so all that they have comes from the swarm.
    while (ids.length < accounts) ids.push((await given.account({ program: PROGRAM, owners: [] })).account);
    return { accounts: ids, customers: await given.customers(PROGRAM, clients), token };
  } finally {
    await container.close();
  }
}

async function breakThings(site: Site, { faults, writes }: Plan, swarm: Swarm, done: Record<Fault, number>) {
  const acknowledged = async (count: number) => {
    while (!swarm.stopped && swarm.acknowledged.length < count) await sleep(POLL_MS);
  };
  await Promise.all(
    faults.map(async list => {
      for (const [index, fault] of list.entries()) {
        await acknowledged((writes * index) / list.length);
        await sleep(Math.random() * LONGEST_CALM_MS);
        if (swarm.stopped) return;
        await breakOne(site, fault);
        done[fault] += 1;
      }
    }),
  );
  await acknowledged(writes);
}

async function failAfter(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
  if (!signal.aborted) throw new Error(`The storm was not over after ${ms / 1000} seconds.`);
}

function breakOne(site: Site, fault: Fault): Promise<void> {
  if (fault === 'pause') return site.pauseGateway(Math.random() * LONGEST_PAUSE_MS);
  if (fault === 'cut before') return site.cutCommit('before');
  if (fault === 'cut after') return site.cutCommit('after');
  return site.kill(fault);
}
