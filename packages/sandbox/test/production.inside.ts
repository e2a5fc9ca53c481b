import { readConfig } from '../../../src/app/config.js';
import type { Gateway } from '../../../src/app/gateway.js';
import { describeGateway } from '../../../src/app/openapi.js';
import { sandboxRest } from '../src/sandbox.rest.js';

/** The operations of the sandbox, as `GET /path`. */
export function routes(_gateway: Gateway): string[] {
  return Object.values(sandboxRest.operations).map(({ route }) => route);
}

/** The OpenAPI document of production. */
export function described(_gateway: Gateway): string {
  return JSON.stringify(describeGateway({ ...readConfig({}), production: true, sandbox: false }));
}

export function hasSandbox({ container }: Gateway): boolean {
  return container.sandbox !== null;
}

/** True if the clock of a program is ahead of the real time. */
export async function isAhead({ container }: Gateway, program: string): Promise<unknown> {
  const ahead = { name: 'ahead', text: 'SELECT program_now($1) > now()' };
  return container.database.query(ahead, [program]);
}
