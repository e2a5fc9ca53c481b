import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { writeAccounts } from './account-writes.js';
import { writeApprovals } from './approval-writes.js';
import { sendBadHeaders, sendBadPaths, sendBadQueries } from './bad-addresses.js';
import { sendBadRequests } from './bad-requests.js';
import { Canaries, OF_PROPOSED_ENDPOINT, OF_REVEALED_BENEFICIARY, OF_REVEALED_OWNER } from './canaries.js';
import { CanaryGateway, isGood } from './house.js';
import { importAll } from './imports.js';
import { writeImports } from './import-writes.js';
import { leaksIn, leaksInAnswer, shownIn } from './leaks.js';
import { dumpOf, filesIn, toDisk, type Place } from './places.js';
import { readAsAgent, readOverBothApis } from './reads.js';
import { revealOverBothApis } from './reveals.js';
import { Search } from './search.js';
import { endSessions } from './session-writes.js';
import { mutationsOf, restWrites, visitedMutations, visitedRoutes } from './visited.js';
import { writeSandbox } from './sandbox-writes.js';
import { writeWebhooks } from './webhook-writes.js';
import { writeOverGraphql, writeOverRest } from './writes.js';
import { addStatements } from './statements.js';
import { Writer } from './writer.js';

/** More leaks than these tell nothing new. */
const MAX_TOLD = 20;

const canaries = new Canaries();
let house: CanaryGateway;
let search: Search;
let mutations: string[];
let rejectedLines: Place[];
let dump: Place[];
let gatewayPrinted: Place[];

// All that is asked of the gateway, and all that it leaves behind. The tests only look.
beforeAll(async () => {
  house = await CanaryGateway.open();
  const { given, rejected } = await importAll(house, canaries);
  const writer = new Writer(house, canaries, await house.caller());
  await writeOverRest(writer, canaries, given);
  await writeOverGraphql(writer, canaries, given);
  await writeAccounts(writer, canaries, given);
  await writeWebhooks(writer);
  await writeApprovals(house, canaries, given);
  await writeSandbox(writer, given);
  await endSessions(house, canaries);
  await writeImports(writer, house, canaries, given);
  await addStatements(house, canaries, given);
  await readOverBothApis(house, given);
  await readAsAgent(house, given);
  await revealOverBothApis(house, canaries, given);
  const bad = [sendBadRequests, sendBadHeaders, sendBadQueries, sendBadPaths];
  for (const send of bad) await send(house, canaries, given);
  mutations = await mutationsOf(house);
  rejectedLines = rejected;

  dump = await house.withDatabase(async url => {
    // While the gateway runs, since the server tells what each of its connections did last.
    const places: Place[] = [];
    for await (const table of dumpOf(url)) places.push(table);
    await toDisk(url);
    return places;
  });
  const { status, stdout, stderr } = await house.stop();
  if (status !== 0) throw new Error(`The gateway ended with ${status}: ${stderr}`);
  gatewayPrinted = [placeOf('the log of the gateway', stdout), placeOf('standard error of the gateway', stderr)];
  search = new Search(canaries.all);
});
afterAll(() => house.tearDown());

function placeOf(name: string, text: string): Place {
  return { name, bytes: Buffer.from(text), isText: true };
}

function leaksInAll(places: readonly Place[]): string[] {
  return places.flatMap(place => leaksIn(search, place)).slice(0, MAX_TOLD);
}

describe('of the personal data that was sent over every API nothing is in the clear', () => {
  test('in the data folder: no table, no index, no log of changes, no log of the server, no key file', async () => {
    const leaks: string[] = [];
    let wal = 0;
    for await (const file of filesIn(house.dataDir)) {
      leaks.push(...leaksIn(search, file));
      if (/pg_wal\/[0-9A-F]{24}$/.test(file.name)) wal += 1;
    }
    expect(leaks.slice(0, MAX_TOLD)).toEqual([]);
    expect(wal).toBeGreaterThan(0);
  });

  test('in a dump of every table, of the statistics, and of what the connections did last', () => {
    expect(leaksInAll(dump)).toEqual([]);
    const names = dump.map(({ name }) => name.replace('the dump of ', ''));
    for (const table of ['customer', 'beneficiary', 'card', 'event', 'approval', 'idempotency_key', 'transaction']) {
      const of = dump.find(({ name }) => name.endsWith(` public.${table}`));
      expect([table, of?.bytes.length]).toEqual([table, expect.any(Number)]);
      expect(of?.bytes.length).toBeGreaterThan(0);
    }
    expect(names).toEqual(expect.arrayContaining(['pg_catalog.pg_statistic', 'pg_catalog.pg_stat_activity']));
  });

  test('in the log, at its most talkative', () => {
    expect(leaksInAll(gatewayPrinted)).toEqual([]);
    // There was something to be found: a line for each request at least.
    const lines = String(gatewayPrinted[0]?.bytes).split('\n').length;
    expect(lines).toBeGreaterThan(house.exchanges.length - MAX_TOLD);
  });

  test('in what an import prints, and in the lines that it puts aside', () => {
    const printed = house.printed.map(({ command, ended }) => placeOf(command, `${ended.stdout}\n${ended.stderr}`));
    expect(leaksInAll([...printed, ...rejectedLines])).toEqual([]);
    expect(rejectedLines.map(({ bytes }) => bytes.length > 0)).toEqual(Array.from({ length: 6 }, () => true));
  });

  test('in any answer, but for what the contract shows to a caller with the right to read it', () => {
    const leaks = house.exchanges.flatMap(exchange => leaksInAnswer(search, exchange));
    expect(leaks.slice(0, MAX_TOLD)).toEqual([]);
  });
});

describe('the canaries are sent', () => {
  test('and those that may be shown come back, so the answers were searched for the right thing', () => {
    const shown = new Set(house.exchanges.flatMap(exchange => shownIn(search, exchange)));
    const may = new Set([...OF_REVEALED_BENEFICIARY, ...OF_REVEALED_OWNER, ...OF_PROPOSED_ENDPOINT]);
    expect([...shown].sort()).toEqual([...may].sort());
  });

  // Filing needs forms of a year that is over and that has a format: packages/us-tax-forms/test does it. What a client
  // sends there is of the bank and its transmitter, and of no customer.
  const isOfFiling = (name: string): boolean => /TaxFiling$|\/tax-(answers|filings)\b/.test(name);

  // Fails when a write is new: send it in `writes.ts`, with canaries wherever it takes personal data.
  test('through every mutation', () => {
    expect(visitedMutations(house.exchanges)).toEqual(mutations.filter(name => !isOfFiling(name)));
  });

  test('through every REST route that writes', async () => {
    const routes = restWrites().filter(route => !isOfFiling(route));
    expect(routes).toContain('POST /accounts/:accountId/beneficiaries');
    expect(visitedRoutes(routes, house.exchanges)).toEqual(routes);
  });

  test('in hundreds of requests that are refused', () => {
    const refused = house.exchanges.filter(({ answer }) => !isGood(answer));
    expect(refused.length).toBeGreaterThan(500);
    expect(refused.filter(({ answer }) => answer.status >= 500)).toEqual([]);
  });
});
