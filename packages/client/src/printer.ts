// Documents of graphql-codegen and gql.tada are syntax trees. This writes them, as `print` of graphql-js does but for
// white space, and knows what operations consist of and nothing of schemas.

interface Syntax {
  readonly kind: string;
  readonly [field: string]: unknown;
}

/** The text of a document: as it is, or written from its syntax tree. */
export function textOf(document: unknown): string {
  if (typeof document !== 'object' || document === null || !('definitions' in document)) return String(document);
  return (document.definitions as readonly Syntax[]).map(write).join('\n');
}

function write(node: Syntax | undefined): string {
  if (!node) return '';
  const one = (field: string): string => write(node[field] as Syntax | undefined);
  const all = (field: string, between: string): string =>
    ((node[field] ?? []) as readonly Syntax[]).map(write).join(between);
  const around = (before: string, text: string, after: string): string => (text ? before + text + after : '');
  const directives = (): string => around(' ', all('directives', ' '), '');
  switch (node.kind) {
    case 'OperationDefinition':
      return `${String(node['operation'])} ${one('name')}${around('(', all('variableDefinitions', ', '), ')')}${directives()} ${one('selectionSet')}`;
    case 'FragmentDefinition':
      return `fragment ${one('name')} on ${one('typeCondition')}${directives()} ${one('selectionSet')}`;
    case 'VariableDefinition':
      return `${one('variable')}: ${one('type')}${around(' = ', one('defaultValue'), '')}${directives()}`;
    case 'SelectionSet':
      return `{ ${all('selections', ' ')} }`;
    case 'Field':
      return `${around('', one('alias'), ': ')}${one('name')}${around('(', all('arguments', ', '), ')')}${directives()}${around(' ', one('selectionSet'), '')}`;
    case 'FragmentSpread':
      return `...${one('name')}${directives()}`;
    case 'InlineFragment':
      return `...${around(' on ', one('typeCondition'), '')}${directives()} ${one('selectionSet')}`;
    case 'Directive':
      return `@${one('name')}${around('(', all('arguments', ', '), ')')}`;
    case 'Argument':
    case 'ObjectField':
      return `${one('name')}: ${one('value')}`;
    case 'Variable':
      return `$${one('name')}`;
    case 'NamedType':
      return one('name');
    case 'ListType':
      return `[${one('type')}]`;
    case 'NonNullType':
      return `${one('type')}!`;
    case 'StringValue':
      return JSON.stringify(node['value']);
    case 'NullValue':
      return 'null';
    case 'ListValue':
      return `[${all('values', ', ')}]`;
    case 'ObjectValue':
      return `{${all('fields', ', ')}}`;
    default:
      // Names and the other values are as they are written.
      return String(node['value']);
  }
}
