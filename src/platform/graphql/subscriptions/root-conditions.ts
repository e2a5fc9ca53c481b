import {
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  Kind,
  OperationTypeNode,
  parse,
  type DocumentNode,
  type SelectionSetNode,
} from 'graphql';
import { MalformedRequest } from '../../../shared/errors.js';

const CONDITIONS = new Set([GraphQLIncludeDirective.name, GraphQLSkipDirective.name]);

/**
 * Refuses a document with a subscription that has `@skip` or `@include` at its root, as GraphQL does since September
 * 2025 (5.2.4.1): it has one field there under all conditions. The rule of graphql-js 16 for that one field throws when
 * a variable decides, so this comes before the document is validated. Throws `MalformedRequest`.
 */
export function refuseConditionsAtRoot(text: string, maxLexicalTokens: number): void {
  // Both are rare, so few documents are parsed twice.
  if (!text.includes('subscription') || !text.includes('@')) return;
  const document = parsed(text, maxLexicalTokens);
  if (!document || !hasConditions(document)) return;
  throw new MalformedRequest(
    'A subscription must not have @skip or @include at its root. Send another operation instead.',
  );
}

/** Null where the document does not parse: Apollo Server says why. */
function parsed(text: string, maxLexicalTokens: number): DocumentNode | null {
  try {
    return parse(text, { maxLexicalTokens, noLocation: true });
  } catch {
    return null;
  }
}

function hasConditions({ definitions }: DocumentNode): boolean {
  const fragments = new Map(
    definitions.flatMap(one => (one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one.selectionSet]] : [])),
  );
  const seen = new Set<string>();
  const isConditional = ({ selections }: SelectionSetNode): boolean =>
    selections.some(selection => {
      if (selection.directives?.some(({ name }) => CONDITIONS.has(name.value))) return true;
      if (selection.kind === Kind.INLINE_FRAGMENT) return isConditional(selection.selectionSet);
      if (selection.kind === Kind.FIELD || seen.has(selection.name.value)) return false;
      seen.add(selection.name.value);
      const fragment = fragments.get(selection.name.value);
      return fragment !== undefined && isConditional(fragment);
    });
  return definitions.some(
    one =>
      one.kind === Kind.OPERATION_DEFINITION &&
      one.operation === OperationTypeNode.SUBSCRIPTION &&
      isConditional(one.selectionSet),
  );
}
