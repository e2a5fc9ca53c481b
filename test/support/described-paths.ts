/**
 * Paths, with all below them, that the document leaves to others: GraphQL has its schema, agents list their tools, and
 * pages are for people.
 */
const OTHERWISE_DESCRIBED = ['/', '/graphql', '/mcp', '/graphiql', '/docs', '/problems', '/console'];

export function isOtherwiseDescribed(path: string): boolean {
  return OTHERWISE_DESCRIBED.some(other => path === other || path.startsWith(`${other}/`));
}
