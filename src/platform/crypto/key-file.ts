import { join } from 'node:path';
import { readOrCreateSecretFile } from './secret-file.js';
import { KeyRing } from './key-ring.js';

/**
 * Text for `KeyRing.parse` out of `<dataDir>/field-keys`, created with one new key where it is missing. For development only:
 * keys that lie beside the data they seal protect it from nobody who has both.
 */
export async function loadOrCreateKeys(dataDir: string): Promise<string> {
  return (await readOrCreateSecretFile(join(dataDir, 'field-keys'), () => `${KeyRing.generate()}\n`)).trim();
}
