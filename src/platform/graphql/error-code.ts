import { GraphQLEnumType, GraphQLNonNull, isEnumType, isNonNullType, isObjectType, type GraphQLSchema } from 'graphql';
import { Extensions } from 'type-graphql';
import type { Problems } from '../../shared/errors.js';
import { graphqlCode, surfacesOf } from '../../shared/problems.js';

const NAME = 'ErrorCode';

/** The codes of refusals as `extensions.code` has them, of the one table of problems. */
export function errorCodeType(problems: Problems): GraphQLEnumType {
  const codes = Object.entries(problems).filter(([code]) => surfacesOf(code).includes('GraphQL'));
  return new GraphQLEnumType({
    name: NAME,
    description:
      'The values of `extensions.code` of an error: the codes of REST in upper case. `/problems#account_closed` and the like say what to do.',
    values: Object.fromEntries(
      codes.map(([code, [, meaning]]) => [graphqlCode(code), { description: firstSentence(meaning) }]),
    ),
  });
}

/** Makes a field of codes one of `ErrorCode`, which Type-GraphQL does not know, since a directive has it. */
export function IsErrorCode(): PropertyDecorator {
  return Extensions({ isErrorCode: true });
}

/** Gives all fields that are declared by `IsErrorCode` their type, and the codes of their records its case. */
export function bindErrorCodes(schema: GraphQLSchema): void {
  const type = schema.getType(NAME);
  if (!isEnumType(type)) return;
  const objects = Object.values(schema.getTypeMap()).filter(isObjectType);
  for (const field of objects.flatMap(one => Object.values(one.getFields()))) {
    if (!field.extensions['isErrorCode']) continue;
    field.type = isNonNullType(field.type) ? new GraphQLNonNull(type) : type;
    field.resolve = (record: Readonly<Record<string, string | null>>) => {
      const code = record[field.name] ?? null;
      return code && graphqlCode(code);
    };
  }
}

/** The meaning of a code, without what is told besides. */
function firstSentence(meaning: string): string {
  return meaning.replace(/(?<=[^.]\.) [A-Z].*$/s, '');
}
