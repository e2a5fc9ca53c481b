import type { Gateway } from '../../src/app/gateway.js';
import { textsOf } from '../support/statement-texts.js';

let noted: string[] = [];

/** Notes the texts of all statements of the gateway from now on. */
export function watch({ container }: Gateway): void {
  noted = textsOf(container.database.pool);
}

export function forget(): void {
  noted.length = 0;
}

export function texts(): string[] {
  return noted;
}
