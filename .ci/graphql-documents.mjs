// Reads GraphQL documents of ours and checks them against the schema files, before types are made of them.
import { readFileSync } from 'node:fs';
import { GraphQLError, Kind, buildASTSchema, parse, validate } from 'graphql';

/** How each scalar travels. */
export const CODEGEN = {
  documentMode: 'string',
  enumsAsTypes: true,
  useTypeImports: true,
  defaultScalarType: 'string',
  scalars: { JSONObject: 'Record<string, unknown>', Metadata: 'Record<string, string>' },
};

export class BadDocuments extends Error {}

/** Gives the schema of these files and the documents, as generators take them. Throws `BadDocuments`. */
export function readDocuments(schemaFiles, paths) {
  const schema = parse(schemaFiles.map(file => readFileSync(file, 'utf8')).join('\n'));
  const documents = paths.map(location => {
    const rawSDL = readFileSync(location, 'utf8');
    return { location, rawSDL, document: parsed(location, rawSDL) };
  });
  refuseMistakes(buildASTSchema(schema), documents);
  return { schema, documents };
}

function parsed(location, text) {
  try {
    return parse(text);
  } catch (error) {
    throw error instanceof GraphQLError ? new BadDocuments(`${location}: ${error.message}`) : error;
  }
}

/** Fragments may stand in other files, so all documents are one. */
function refuseMistakes(schema, sources) {
  const document = { kind: Kind.DOCUMENT, definitions: sources.flatMap(source => source.document.definitions) };
  if (document.definitions.length === 0) return;
  const placeOf = node => {
    const { location } = sources.find(({ document: { loc } }) => loc.source === node.loc.source);
    return `${location}:${node.loc.startToken.line}`;
  };
  const mistakes = validate(schema, document).map(
    ({ message, nodes }) => `${nodes?.[0] ? `${placeOf(nodes[0])}: ` : ''}${message}`,
  );
  if (mistakes.length > 0) throw new BadDocuments(mistakes.join('\n'));
}
