import { InputType, buildSchemaSync, Query, Resolver } from 'type-graphql';
import { isInputObjectType, type GraphQLInputObjectType, type GraphQLInputType } from 'graphql';

export type InputClass<T extends object = object> = new () => T;

const classByName = new Map<string, InputClass>();

/**
 * Marks a class as an input: a GraphQL input type whose fields give the shape, and whose rules (see rules.ts) apply to
 * a REST body, a GraphQL variable and a line of an import file alike.
 */
export function Input(description: string): (target: InputClass) => void {
  return target => {
    InputType(target.name, { description })(target);
    // Not an extension of the type: in Type-GraphQL a subclass inherits those of its base class.
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

/**
 * The GraphQL input type of a class, also of one that only REST or an import uses and the served schema does not show.
 */
export function inputTypeOf(target: InputClass): GraphQLInputObjectType {
  let type = typeByClass.get(target);
  if (!type) {
    const schema = buildSchemaSync({ resolvers: [Nothing], orphanedTypes: [target], validate: false });
    type = schema.getType(target.name) as GraphQLInputObjectType;
    typeByClass.set(target, type);
  }
  return type;
}
