import { readConfig } from '../../src/app/config.js';
import { NOUNS } from '../../src/app/nouns.js';
import { describeGateway, type DescribedConfig } from '../../src/app/openapi.js';
import { Contract } from './contract.js';

const contracts = new Map<string, Contract>();

/** The contract of a gateway with this configuration. */
export function contractOf(config: DescribedConfig, nouns = NOUNS): Contract {
  const described = keyOf(config);
  const isUsual = nouns === NOUNS && described === keyOf(readConfig({}));
  if (nouns !== NOUNS) return new Contract(() => describeGateway(config, nouns));
  const contract = contracts.get(described) ?? new Contract(() => describeGateway(config), isUsual);
  contracts.set(described, contract);
  return contract;
}

/** The contract of a gateway on its defaults. */
export function usualContract(): Contract {
  return contractOf(readConfig({}));
}

/** What the contract of a gateway depends on. */
function keyOf({ cardsPrefix, auth, production, metricsToken, sandbox }: DescribedConfig): string {
  return JSON.stringify([cardsPrefix, auth !== null, production, metricsToken !== null, sandbox]);
}
