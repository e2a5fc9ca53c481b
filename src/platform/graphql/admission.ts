import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { operationUnits } from '../http/gate.js';
import type { Variables } from './argument-values.js';
import type { Context } from './context.js';
import type { KnownOperation } from './known-operation.js';
import { TooCostly } from './limits.errors.js';
import { queueOfClients } from '../rate/rate-limited.js';
import type { GraphqlLimits } from './settings.js';

/** Reading a document takes the gateway some 0.5 ms for so many characters, and the smallest query, which pays one unit, as much. */
const CHARACTERS_OF_UNIT = 512;

/** After a document was read, so many times as long is left to everything else. */
const REST = 3;

/** What every operation has to pass before any of it runs, whoever runs it. */
export class Admission {
  /** Documents that have to be read wait for each other, clients in turn, so that a client with many of them does not hold up the others. */
  private readonly documents = queueOfClients();

  constructor(private readonly limits: GraphqlLimits) {}

  /** Charges for a document that has to be read first, and waits until it may be. Throws `RateLimited`. */
  async admitDocument(text: string, context: Context): Promise<void> {
    const units = Math.floor(text.length / CHARACTERS_OF_UNIT);
    if (units === 0) return;
    context.documentUnits = units;
    await context.exchange.charge(units);
    const { program, clientId } = context.caller;
    await new Promise<void>((resolve, reject) => {
      this.documents
        .run(`${program}\n${clientId}`, async () => {
          resolve();
          await restAfterReading();
        })
        .catch(reject);
    });
  }

  /** Holds the variables against their types and the operation against the limit of cost. Throws `InvalidInput`, `TooCostly`. */
  check(known: KnownOperation, variables: Variables, context: Context): void {
    const { exchange } = context;
    exchange.operation = known.name;
    if (known.isWrite) context.writes = known.rootFields;
    known.check(variables);
    exchange.cost = known.cost(variables);
    if (exchange.cost > this.limits.maxCost) throw new TooCostly(exchange.cost, this.limits.maxCost);
  }

  /** Charges what `check` found the operation to cost. Throws `RateLimited`. */
  async charge({ exchange, documentUnits, writes }: Context): Promise<void> {
    await exchange.charge(documentUnits + operationUnits(exchange.cost, writes));
  }
}

/** Parsing and validating follow before the event loop turns again, so what the turn takes is what they take. */
async function restAfterReading(): Promise<void> {
  const startedMs = performance.now();
  await nextTurn();
  await sleep(REST * (performance.now() - startedMs));
}
