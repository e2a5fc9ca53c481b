import type { Gateway } from '../../../src/app/gateway.js';

/** Makes the parts of the table of the next days, and drops those whose time is over. Gives how many. */
export async function prepare({ container }: Gateway): Promise<number> {
  return container.requestLog.prepare();
}

/** Resolves when all that was noted is written, or dropped. */
export async function flush({ container }: Gateway): Promise<void> {
  await container.requestLog.flush();
}
