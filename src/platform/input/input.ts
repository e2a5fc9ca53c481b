import { InputType, buildSchemaSync, Query, Resolver } from 'type-graphql';
import { isInputObjectType, type GraphQLInputObjectType, type GraphQLInputType } from 'graphql';
import { SCALARS_OF_CLASSES } from '../scalars/scalars.js';

export type InputClass<T extends object = object> = new () => T;

const classByName = new Map<string, InputClass>();

/**
 * Marks a class as an input of REST and GraphQL: a GraphQL input type whose fields give the shape, and whose rules
 * (see rules.ts) bind a REST body, a GraphQL variable and a line of an import file alike.
 */
export function Input(description: string): (target: InputClass) => void {
  return target => {
    InputType(target.name, { description })(target);
    // Not an extension of the type: Type-GraphQL gives a subclass those of its base class.
    classByName.set(target.name, target);
  };
}

/** The class behind a GraphQL input type, if it was declared with `@Input`. */
export function inputClassOf(type: GraphQLInputType): InputClass | undefined {
  return isInputObjectType(type) ? classByName.get(type.name) : undefined;
}

// Type-GraphQL builds no schema without a query.
@Resolver()
class Nothing {
  @Query(() => Boolean)
  nothing(): boolean {
    return true;
  }
}

const typeByClass = new Map<InputClass, GraphQLInputObjectType>();

/** The GraphQL input type of a class, also of one that only REST or an import uses. */
export function inputTypeOf(target: InputClass): GraphQLInputObjectType {
  if (!typeByClass.has(target)) {
    // All of them at once, since a schema takes some milliseconds to build however few types it has.
    const targets = [...classByName.values()].filter(other => !typeByClass.has(other));
    const schema = buildSchemaSync({
      resolvers: [Nothing],
      orphanedTypes: targets,
      validate: false,
      scalarsMap: SCALARS_OF_CLASSES,
    });
    for (const other of targets) typeByClass.set(other, schema.getType(other.name) as GraphQLInputObjectType);
  }
  return typeByClass.get(target) as GraphQLInputObjectType;
}
