import { Kind, print, type DefinitionNode, type GraphQLSchema, type NameNode } from 'graphql';
import { documentOf } from '../platform/graphql/directives.js';

/** Returns what a schema with the sandbox has besides that of production, as SDL that extends it. */
export function sandboxExtensions(production: GraphQLSchema, withSandbox: GraphQLSchema): string {
  const inProduction = new Map(definitionsOf(production).map(definition => [nameOf(definition), definition]));
  const definitions = definitionsOf(withSandbox).flatMap((definition): DefinitionNode[] => {
    const before = inProduction.get(nameOf(definition));
    if (!before) return [definition];
    if (definition.kind === Kind.ENUM_TYPE_DEFINITION && before.kind === Kind.ENUM_TYPE_DEFINITION) {
      const served = new Set(before.values?.map(({ name }) => name.value));
      const values = definition.values?.filter(({ name }) => !served.has(name.value)) ?? [];
      return values.length > 0 ? [{ kind: Kind.ENUM_TYPE_EXTENSION, name: definition.name, values }] : [];
    }
    if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION || before.kind !== Kind.OBJECT_TYPE_DEFINITION) return [];
    const names = new Set(before.fields?.map(({ name }) => name.value));
    const fields = definition.fields?.filter(({ name }) => !names.has(name.value)) ?? [];
    return fields.length > 0 ? [{ kind: Kind.OBJECT_TYPE_EXTENSION, name: definition.name, fields }] : [];
  });
  return `${print({ kind: Kind.DOCUMENT, definitions })}\n`;
}

function definitionsOf(schema: GraphQLSchema): readonly DefinitionNode[] {
  return documentOf(schema).definitions;
}

function nameOf(definition: DefinitionNode): string {
  return (definition as { readonly name?: NameNode }).name?.value ?? '';
}
