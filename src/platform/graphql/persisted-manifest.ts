import { readFile } from 'node:fs/promises';
import { GraphQLError, Kind, parse, validate, type GraphQLSchema } from 'graphql';
import { selectedFields } from '../../../lib/graphql-compiler/selected-fields.js';
import { Refusal } from '../../shared/errors.js';
import { UsageError } from '../../shared/usage-error.js';
import { refuseDeepNesting, shapeLimits } from './limits.js';
import type { GraphqlLimits } from './settings.js';

/** The manifest cannot be used. One line for each operation that is wrong. */
export class BadManifest extends UsageError {}

const SETTING = 'PERSISTED_OPERATIONS';
const MAX_OPERATIONS = 10_000;
const MAX_PROBLEMS = 20;

/**
 * Reads the manifest that Apollo's generate-persisted-query-manifest writes: documents by their ids. Throws
 * `BadManifest` unless each operation fits the schema and the limits, so that the gateway does not start with an
 * operation that it could never answer.
 */
export async function readManifest(
  file: string,
  schema: GraphQLSchema,
  limits: GraphqlLimits,
): Promise<Map<string, string>> {
  const documents = new Map<string, string>();
  const problems: string[] = [];
  for (const [index, operation] of (await operationsIn(file)).entries()) {
    const { id, body, name, type } = Object(operation) as Record<string, unknown>;
    let problem: string | null;
    if (typeof id !== 'string' || typeof body !== 'string') problem = 'the id and the body must be texts.';
    else if (documents.has(id)) problem = 'an earlier operation has the same id.';
    else {
      documents.set(id, body);
      problem = problemIn(body, { name, type }, schema, limits);
    }
    const of = `operations[${index}]${typeof name === 'string' ? ` (${name})` : ''}`;
    if (problem !== null) problems.push(`${SETTING}: ${of}: ${problem}`);
  }
  if (problems.length > 0) throw new BadManifest(problems.slice(0, MAX_PROBLEMS).join('\n'));
  return documents;
}

async function operationsIn(file: string): Promise<unknown[]> {
  let manifest: unknown;
  try {
    manifest = JSON.parse(await readFile(file, 'utf8'));
  } catch {
    throw new BadManifest(
      `The file in ${SETTING} cannot be read as JSON. Check the path, the permissions and the content.`,
    );
  }
  const { format, version, operations } = Object(manifest) as Record<string, unknown>;
  if (format !== 'apollo-persisted-query-manifest' || version !== 1) {
    throw new BadManifest(
      `The file in ${SETTING} is not a manifest with "format": "apollo-persisted-query-manifest", "version": 1.`,
    );
  }
  if (!Array.isArray(operations) || operations.length === 0 || operations.length > MAX_OPERATIONS) {
    throw new BadManifest(
      `The file in ${SETTING} must have a list of 1 to ${MAX_OPERATIONS} operations in operations.`,
    );
  }
  return operations;
}

function problemIn(
  body: string,
  entry: { readonly name: unknown; readonly type: unknown },
  schema: GraphQLSchema,
  limits: GraphqlLimits,
): string | null {
  try {
    refuseDeepNesting(body, limits.maxTokens);
    const document = parse(body, { maxLexicalTokens: limits.maxTokens });
    const [mistake] = validate(schema, document);
    if (mistake) return located(mistake);
    const operations = document.definitions.filter(definition => definition.kind === Kind.OPERATION_DEFINITION);
    const [operation, another] = operations;
    if (!operation || another) return 'the body must be exactly one operation.';
    if (operation.name?.value !== entry.name || operation.operation !== entry.type) {
      return 'the name and the type must be those of the body.';
    }
    selectedFields(schema, document, operation, shapeLimits(limits));
    return null;
  } catch (error) {
    if (error instanceof GraphQLError) return located(error);
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}

function located({ message, locations }: GraphQLError): string {
  const [at] = locations ?? [];
  return at ? `line ${at.line}, column ${at.column}: ${message}` : message;
}
