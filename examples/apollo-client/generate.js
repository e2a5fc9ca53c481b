// Writes src/generated: the types of the schema, and a typed document for each operation of src/operations.graphql.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { preset } from '@graphql-codegen/client-preset';
import { codegen } from '@graphql-codegen/core';
import { parse } from 'graphql';

const SCHEMA = '../../schema.graphql';
const OPERATIONS = 'src/operations.graphql';

/**
 * How each scalar travels. A scalar that is new in the schema stops the program here, so that nobody gets it as `any`.
 */
const config = {
  strictScalars: true,
  scalars: Object.fromEntries(
    ['Decimal', 'LocalDate', 'LocalDateTime', 'DateTimeISO', 'CountryCode', 'Currency', 'Base64'].map(name => [
      name,
      'string',
    ]),
  ),
  enumsAsTypes: true,
  useTypeImports: true,
  // What a fragment asks for is seen by whoever uses the fragment, as Apollo Client's data masking has it.
  inlineFragmentTypes: 'mask',
};
config.scalars.JSONObject = 'Record<string, unknown>';
config.scalars.Metadata = 'Record<string, string>';
// Of the directive that tells scopes.
config.scalars.federation__Scope = 'string';

process.chdir(import.meta.dirname);
const rawSDL = await readFile(OPERATIONS, 'utf8');
const files = await preset.buildGeneratesSection({
  baseOutputDir: 'src/generated/',
  schema: parse(await readFile(SCHEMA, 'utf8')),
  documents: [{ location: OPERATIONS, rawSDL, document: parse(rawSDL) }],
  config,
  presetConfig: { fragmentMasking: false },
  plugins: [],
  pluginMap: {},
  pluginContext: {},
});
// The other files are for operations that stand in the code.
for (const file of files.filter(({ filename }) => filename.endsWith('/graphql.ts'))) {
  await mkdir(dirname(file.filename), { recursive: true });
  await writeFile(file.filename, await codegen(file));
}
