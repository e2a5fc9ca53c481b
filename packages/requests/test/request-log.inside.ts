import type { Gateway } from '../../../src/app/gateway.js';
import type { AnsweredRequest } from '../../../src/platform/http/answered-request.js';
import { Caller } from '../../../src/shared/caller.js';

/** Makes the parts of the table of the next days, and drops those whose time is over. Gives how many. */
export async function prepare({ container }: Gateway): Promise<number> {
  return container.requestLog.prepare();
}

/** Resolves when all that was noted is written, or dropped. */
export async function flush({ container }: Gateway): Promise<void> {
  await container.requestLog.flush();
}

/** Notes two requests of a caller, of which the first has what PostgreSQL does not take. */
export function addUnfit({ container }: Gateway, program: string, requestId: string): void {
  for (const subject of ['a\u0000b', 'core-7']) {
    const identity = { program, clientId: 'core', subject, customerId: null, scopes: new Set<never>() };
    container.requestLog.add({
      requestId,
      caller: new Caller(identity, requestId),
      durationMs: 1,
      api: 'rest',
      method: 'POST',
      operation: null,
      rootFields: [],
      isWrite: true,
      refusals: null,
      status: 200,
      isAborted: false,
      requestBytes: 1e12,
      answerBytes: null,
      userAgent: null,
      clientAddress: null,
    } as Partial<AnsweredRequest> as AnsweredRequest);
  }
}
