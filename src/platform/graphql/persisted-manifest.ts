import { readFile } from 'node:fs/promises';
import {
  GraphQLError,
  Kind,
  parse,
  validate,
  type DefinitionNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { Refusal } from '../../shared/errors.js';
import { UsageError } from '../../shared/usage-error.js';
import { refuseDeepNesting } from './limits.js';
import { selectedFields } from './selected-fields.js';
import type { GraphqlLimits } from './settings.js';

/** The manifest cannot be used. One line for each operation that is wrong. */
export class BadManifest extends UsageError {}

const SETTING = 'PERSISTED_OPERATIONS';
const MAX_OPERATIONS = 10_000;
const MAX_PROBLEMS = 20;

/**
 * Reads a manifest as Apollo's generate-persisted-query-manifest writes it: the documents by their ids. Throws `BadManifest` unless each
 * operation fits the schema and the limits: an operation that could never be answered is found at the start, and not by a customer.
 */
export async function readManifest(
  file: string,
  schema: GraphQLSchema,
  limits: GraphqlLimits,
): Promise<Map<string, string>> {
  const entries = entriesOf(await contentOf(file));
  const documents = new Map<string, string>();
  const problems: string[] = [];
  for (const [index, entry] of entries.entries()) {
    const { id, body, name, type } = Object(entry) as Record<string, unknown>;
    const refuse = (problem: string): void => {
      problems.push(`${SETTING}: operations[${index}]${typeof name === 'string' ? ` (${name})` : ''}: ${problem}`);
    };
    if (typeof id !== 'string' || typeof body !== 'string') refuse('the id and the body must be texts.');
    else if (documents.has(id)) refuse('an earlier operation has the same id.');
    else {
      documents.set(id, body);
      const problem = problemOf(body, { name, type }, schema, limits);
      if (problem !== null) refuse(problem);
    }
  }
  if (problems.length > 0) throw new BadManifest(problems.slice(0, MAX_PROBLEMS).join('\n'));
  return documents;
}

async function contentOf(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    throw new BadManifest(
      `The file in ${SETTING} cannot be read as JSON. Check the path, the permissions and the content.`,
    );
  }
}

function entriesOf(manifest: unknown): unknown[] {
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

function problemOf(
  body: string,
  said: { readonly name: unknown; readonly type: unknown },
  schema: GraphQLSchema,
  limits: GraphqlLimits,
): string | null {
  try {
    refuseDeepNesting(body);
    const document = parse(body, { maxLexicalTokens: limits.maxTokens });
    const [mistake] = validate(schema, document);
    if (mistake) return located(mistake);
    const [operation, another] = document.definitions.filter(isOperation);
    if (!operation || another) return 'the body must be exactly one operation.';
    if (operation.name?.value !== said.name || operation.operation !== said.type) {
      return 'the name and the type must be those of the body.';
    }
    selectedFields(schema, document, operation, limits);
    return null;
  } catch (error) {
    if (error instanceof GraphQLError) return located(error);
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}

function isOperation(definition: DefinitionNode): definition is OperationDefinitionNode {
  return definition.kind === Kind.OPERATION_DEFINITION;
}

function located({ message, locations }: GraphQLError): string {
  const [at] = locations ?? [];
  return at ? `line ${at.line}, column ${at.column}: ${message}` : message;
}
