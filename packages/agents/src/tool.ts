import {
  Kind,
  OperationTypeNode,
  parse,
  type DocumentNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { UsageError, operationOf, type GraphqlAccess, type JsonSchema } from 'tillgate/noun';
import { selectedFields, type SelectedField } from '../../../lib/graphql-compiler/selected-fields.js';
import { PROPOSAL_ARGUMENTS, proposalSchemaOf, withProposalArguments } from './proposal.js';
import type { ToolDocument } from './tool.documents.js';
import { inputSchemaOf, outputSchemaOf, placesOf, responseName } from './tool.schemas.js';
import { asUntrusted, eachElement, mayBeText } from './untrusted.js';

/** A persisted operation as agents call it. */
export interface Tool {
  /** Such as `find_account`. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly document: string;
  readonly isWrite: boolean;
  /** True for a write that does more than to add something. */
  readonly isDestructive: boolean;
  /** The scopes of all its fields. */
  readonly scopes: readonly string[];
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
  /** The place of an argument, by that of what takes it in the operation. */
  placeOf(pointer: string): string;
  /** The response as agents get it: texts of others are marked and bounded. */
  shown(data: Readonly<Record<string, unknown>>): Record<string, unknown>;
}

/** The shape was checked before, by the limits of the settings. */
const NO_LIMITS = {
  maxDepth: Infinity,
  maxAliases: Infinity,
  maxRootFields: Infinity,
  maxFragments: Infinity,
  exceeded: () => new Error('a tool exceeds no limits'),
};

const SHIPPED_ADVICE =
  'This tool comes with the gateway: raise the limit that it exceeds, or install all files of one release again.';

/** The tools of documents, by their names. Throws `UsageError` with a line for each document that can be none. */
export function toolsOf(
  documents: readonly ToolDocument[],
  graphql: Pick<GraphqlAccess, 'schema' | 'problemIn'>,
): ReadonlyMap<string, Tool> {
  const tools = new Map<string, Tool>();
  const problems: string[] = [];
  for (const { file, text, isShipped } of documents) {
    const problem = graphql.problemIn(text) ?? unfit(text, tools);
    if (problem === null) {
      const tool = toolOf(graphql.schema, text);
      tools.set(tool.name, tool);
    } else if (isShipped) problems.push(`MCP: ${file}: ${problem} ${SHIPPED_ADVICE}`);
    else problems.push(`MCP_OPERATIONS: ${file}: ${problem} Correct the document, or take it out of the folder.`);
  }
  if (problems.length > 0) throw new UsageError(problems.join('\n'));
  return tools;
}

/** The reason why a document that fits the schema can be no tool, or null. */
function unfit(text: string, others: ReadonlyMap<string, Tool>): string | null {
  const { operation } = operationIn(text);
  if (operation.operation === OperationTypeNode.SUBSCRIPTION) return 'a tool is a query or a mutation.';
  if (!operation.name) return 'the operation needs a name, from which the name of the tool is made.';
  if (!operation.description) {
    return 'the operation needs a description ("""...""" before it), by which agents choose it.';
  }
  const taken = operation.variableDefinitions?.find(({ variable }) =>
    Object.hasOwn(PROPOSAL_ARGUMENTS, variable.name.value),
  );
  if (taken) return `the variable $${taken.variable.name.value} has the name of an argument of every proposal.`;
  if (others.has(nameOf(operation))) return 'another tool has the same name.';
  return null;
}

function operationIn(text: string): { readonly document: DocumentNode; readonly operation: OperationDefinitionNode } {
  const document = parse(text);
  const operation = document.definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  return { document, operation: operation as OperationDefinitionNode };
}

/** `FindAccount` as `find_account`. */
function nameOf({ name }: OperationDefinitionNode): string {
  return (name?.value ?? '').replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toLowerCase();
}

/** The tool of a document that fits the schema. */
export function toolOf(schema: GraphQLSchema, text: string): Tool {
  const { document, operation } = operationIn(text);
  const fields = selectedFields(schema, document, operation, NO_LIMITS);
  const name = nameOf(operation);
  const isWrite = operation.operation === OperationTypeNode.MUTATION;
  const input = inputSchemaOf(schema, document, operation);
  const output = outputSchemaOf(fields, /@(skip|include)\b/.test(text));
  const places = placesOf(document);
  const title = name.replaceAll('_', ' ');
  return {
    name,
    title: title.charAt(0).toUpperCase() + title.slice(1),
    description: operation.description?.value ?? '',
    document: text,
    isWrite,
    isDestructive: isWrite && !/^(add|create|place)_/.test(name),
    scopes: scopesOf(fields),
    inputSchema: isWrite ? withProposalArguments(input) : input,
    outputSchema: isWrite ? proposalSchemaOf(output) : output,
    placeOf: pointer => {
      const [taker, variable] = [...places].find(([place]) => `${pointer}/`.startsWith(`${place}/`)) ?? [pointer];
      return variable === undefined ? pointer : `/${variable}${pointer.slice(taker.length)}`;
    },
    shown: data => shownObject(fields, data),
  };
}

function scopesOf(fields: readonly SelectedField[]): readonly string[] {
  return fields.flatMap(({ definition, fields: inner }) => [
    ...(operationOf(definition)?.scopes ?? []),
    ...scopesOf(inner),
  ]);
}

function shownObject(
  fields: readonly SelectedField[],
  data: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const entries = fields.flatMap(field => {
    const name = responseName(field);
    const { type } = field.definition;
    if (!(name in data)) return [];
    const isText = mayBeText(field);
    const one = (value: unknown): unknown =>
      isText
        ? asUntrusted(value)
        : field.fields.length > 0
          ? shownObject(field.fields, value as object as never)
          : value;
    return [[name, eachElement(type, data[name], one)] as const];
  });
  return Object.fromEntries(entries);
}
