import { readConfig } from '../../src/app/config.js';
import type { Gateway } from '../../src/app/gateway.js';
import { describeGateway } from '../../src/app/openapi.js';
import { readServedConfig } from '../../src/app/served-config.js';

/** What the paths of a gateway begin with. */
export function segments(_gateway: Gateway): string[] {
  const served = describeGateway({ ...readConfig({}), cardsPrefix: 'cards', sandbox: true });
  return Object.keys(served.paths).map(path => path.split('/')[1] ?? '');
}

/** The prefix of the paths of cards, as settings of a gateway have it. */
export async function prefixOf(_gateway: Gateway, CARDS_PREFIX: string): Promise<string> {
  return (await readServedConfig({ CARDS_PREFIX })).cardsPrefix;
}
