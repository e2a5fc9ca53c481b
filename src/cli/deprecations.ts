import {
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  type GraphQLNamedType,
  type GraphQLSchema,
} from 'graphql';

/** What stands before the generated part of docs/deprecations.md. */
const MARK = '<!-- What follows is generated from the code: npm run generate -->';

/** A place of the schema, such as `Account.cards`. */
interface Place {
  readonly name: string;
  readonly deprecationReason?: string | null | undefined;
}

/** The page with its table of what is deprecated replaced. Throws where the page has no place for it. */
export function withDeprecations(page: string, schema: GraphQLSchema): string {
  const end = page.indexOf(MARK);
  if (end < 0) throw new Error(`docs/deprecations.md lacks the line: ${MARK}`);
  const rows = Object.values(schema.getTypeMap())
    .flatMap(placesOf)
    .flatMap(({ name, deprecationReason }) => (deprecationReason ? [`| \`${name}\` | ${deprecationReason} |`] : []));
  const table = ['| deprecated | in its place |', '| - | - |', ...rows].join('\n');
  return `${page.slice(0, end)}${MARK}\n\n${table}\n`;
}

function placesOf(type: GraphQLNamedType): Place[] {
  const within = ({ name, deprecationReason }: Place): Place => ({ name: `${type.name}.${name}`, deprecationReason });
  if (isEnumType(type)) return type.getValues().map(within);
  if (isInputObjectType(type)) return Object.values(type.getFields()).map(within);
  if (!isObjectType(type) && !isInterfaceType(type)) return [];
  return Object.values(type.getFields()).flatMap(field => [
    within(field),
    ...field.args.map(argument => within({ ...argument, name: `${field.name}(${argument.name})` })),
  ]);
}
