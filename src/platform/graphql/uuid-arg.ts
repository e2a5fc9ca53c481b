import { GraphQLNonNull, type GraphQLField } from 'graphql';
import { Extensions, createParameterDecorator } from 'type-graphql';
import { readCoerced } from '../input/read-input.js';
import { UUID, UuidScalar } from '../scalars/scalars.js';

const REQUIRED = new GraphQLNonNull(UuidScalar);
const extensionOf = (argument: string): string => `uuid:${argument}`;

/**
 * An argument that is a UUID: an `ID` in the schema, which the method gets in lower case. Refuses any other text with
 * `InvalidInput`.
 */
export function UuidArg(
  name: string,
  options: { readonly description: string },
): ReturnType<typeof createParameterDecorator> {
  const read = createParameterDecorator(({ args }) => readCoerced(REQUIRED, args[name], `/${name}`), {
    arg: { name, typeFunc: () => UUID, options },
  });
  return (prototype, method, index) => {
    // Type-GraphQL gives extensions to fields, and none to arguments.
    Extensions({ [extensionOf(name)]: true })(prototype, method as string, {});
    read(prototype, method, index);
  };
}

/** True for an argument that is declared by `UuidArg`. */
export function isUuidArg({ extensions }: Pick<GraphQLField<unknown, unknown>, 'extensions'>, name: string): boolean {
  return extensionOf(name) in extensions;
}
