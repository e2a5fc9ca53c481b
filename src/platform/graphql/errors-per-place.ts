import type { ExecutionResult, GraphQLError } from 'graphql';

/**
 * One error for each place of an answer that is null for it, as graphql-js tells them: the first that made a list or an object null stands
 * for the others inside of it (GraphQL, section 6.4.4). graphql-jit tells them all.
 */
export function oncePerPlace(data: ExecutionResult['data'], errors: readonly GraphQLError[]): readonly GraphQLError[] {
  if (errors.length < 2) return errors;
  const places = new Set<string>();
  return errors.filter(({ path = [] }) => {
    const place = JSON.stringify(path.slice(0, depthOfNull(data, path)));
    return !places.has(place) && places.add(place);
  });
}

/** How many steps of a path lead to the null that ends it. */
function depthOfNull(data: unknown, path: NonNullable<GraphQLError['path']>): number {
  let at = data;
  for (const [depth, step] of path.entries()) {
    if (at === null || at === undefined) return depth;
    at = (at as Record<string | number, unknown>)[step];
  }
  return path.length;
}
