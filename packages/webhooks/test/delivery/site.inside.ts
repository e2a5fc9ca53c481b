import type { Gateway } from '../../../../src/app/gateway.js';
import { forgetReplacedSecrets } from '../../src/delivery/endpoint.js';
import { deleteAll } from '../../src/delivery/upkeep.js';

export function kept({ container }: Gateway): Promise<number> {
  return deleteAll(container.database, new AbortController().signal);
}

export async function secretsForgotten({ container: { database, keys } }: Gateway): Promise<void> {
  await forgetReplacedSecrets(database, keys);
}
