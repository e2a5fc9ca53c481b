import { readFile, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { validateXML } from 'xmllint-wasm';

const MEMORY_PAGES = 16_384;

/** What is wrong with a file of returns by the schema of the IRS, whose files are in a folder and the folders in it. */
export async function problemsOfReturns(folder: string, file: string): Promise<readonly string[]> {
  const names = (await readdir(folder, { recursive: true })).filter(name => name.endsWith('.xsd'));
  const schemas = await Promise.all(
    names.map(async name => ({ fileName: name, contents: await readFile(join(folder, name), 'utf8') })),
  );
  const main = schemas.find(({ contents }) => /<\w*:?element[^>]* name="IRTransmission"/.test(contents));
  if (!main) throw new Error('no schema in the folder declares IRTransmission');
  const xml = [{ fileName: basename(file), contents: await readFile(file, 'utf8') }];
  const preload = schemas.filter(schema => schema !== main);
  const { valid, errors } = await validateXML({ xml, schema: [main], preload, maxMemoryPages: MEMORY_PAGES });
  return valid ? [] : errors.map(({ message }) => message);
}
