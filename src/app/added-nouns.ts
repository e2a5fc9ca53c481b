import type { AnyNoun } from '../platform/noun/noun.js';
import { BadSettings, Settings } from '../platform/settings/settings.js';
import type { BankConfig, DatabaseConfig } from './config.js';

/** The nouns that the modules of the setting `NOUNS` export as `nouns`. Throws `BadSettings`. */
export async function addedNouns({ nounModules }: Pick<DatabaseConfig, 'nounModules'>): Promise<readonly AnyNoun[]> {
  const modules = await Promise.all(nounModules.map(load));
  return modules.flat();
}

/**
 * A reader of the settings that nouns declare. They are read here for the first time, so that a wrong one is told at
 * the start. Throws `BadSettings`.
 */
export function nounSettings(
  nouns: readonly AnyNoun[],
  config: Pick<BankConfig, 'environment' | 'production'>,
): Settings {
  const settings = new Settings(config.environment, config.production);
  for (const { settings: group } of nouns) if (group) settings.read(group);
  return settings.checked(settings);
}

async function load(address: string): Promise<readonly AnyNoun[]> {
  const { nouns } = await import(address).then(
    (module: { readonly nouns?: readonly AnyNoun[] }) => module,
    (error: unknown) => {
      throw new BadSettings([`NOUNS names a module that cannot be loaded. ${String(error)}`]);
    },
  );
  if (!Array.isArray(nouns)) {
    throw new BadSettings(['NOUNS names a module that has no list of nouns. Export one from it as `nouns`.']);
  }
  return nouns as readonly AnyNoun[];
}
