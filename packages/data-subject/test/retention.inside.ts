import type { Gateway } from '../../../src/app/gateway.js';
import { NOUNS } from '../../../src/app/nouns.js';
import { giveGrants } from '../../../src/platform/database/grants.js';
import { openDatabase } from '../../../src/platform/database/orm.js';
import { createLogger } from '../../../src/platform/logging/logger.js';
import { sweepRetention } from '../src/retention.sweep.js';

const HOUR_MS = 3_600_000;

let lines: object[] = [];
let end: () => Promise<void> = async () => undefined;

/** Begins the sweep of each hour, and lets the first hour pass. */
export function sweepAfterAnHour({ container }: Gateway): void {
  lines = [];
  const log = createLogger({ level: 'info', destination: { write: line => lines.push(JSON.parse(line) as object) } });
  const start = globalThis.setInterval;
  const hourly: (() => void)[] = [];
  globalThis.setInterval = ((callback: () => void, ms: number) => {
    if (ms === HOUR_MS) hourly.push(callback);
    return start(callback, ms);
  }) as typeof setInterval;
  end = sweepRetention(container.retention, log);
  globalThis.setInterval = start;
  for (const passed of hourly) passed();
}

/** Ends the sweep, and gives what it logged. */
export async function endSweep(): Promise<object[]> {
  await end();
  return lines;
}

/** Gives a role what a gateway needs to serve. */
export async function grantTo(_gateway: Gateway, role: string, ownerUrl: string): Promise<void> {
  const place = { url: ownerUrl, poolSize: 1, entities: NOUNS.entities, applicationName: 'tillgate-test' };
  const owner = await openDatabase(place);
  await giveGrants(owner, role);
  await owner.close();
}
