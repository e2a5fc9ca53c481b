import { Kind, OperationTypeNode, parse } from 'graphql';
import { restRoutes } from '../../support/rest-routes.js';
import { isGood, type Exchange, type CanaryGateway } from './house.js';

/** Every mutation of the gateway that runs. */
export async function mutationsOf(house: CanaryGateway): Promise<string[]> {
  const query = '{ __schema { mutationType { fields { name } } } }';
  const { body } = await house.ask(await house.caller(), { method: 'POST', path: '/graphql', body: { query } });
  return body.data.__schema.mutationType.fields.map(({ name }: { name: string }) => name).sort();
}

/** The mutations that were carried out. */
export function visitedMutations(exchanges: readonly Exchange[]): string[] {
  const names = exchanges.flatMap(({ asking: { path, body }, answer }) => {
    const { query } = Object(body) as { query?: unknown };
    if (path !== '/graphql' || typeof query !== 'string' || !isGood(answer)) return [];
    return parse(query).definitions.flatMap(definition => {
      const isMutation =
        definition.kind === Kind.OPERATION_DEFINITION && definition.operation === OperationTypeNode.MUTATION;
      const fields = isMutation ? definition.selectionSet.selections : [];
      return fields.flatMap(field => (field.kind === Kind.FIELD ? [field.name.value] : []));
    });
  });
  return [...new Set(names)].sort();
}

/** Every REST route that writes, as `POST /accounts/:accountId/beneficiaries`. */
export function restWrites(): string[] {
  return restRoutes().filter(route => !route.startsWith('GET '));
}

/** Which of these routes were carried out. */
export function visitedRoutes(routes: readonly string[], exchanges: readonly Exchange[]): string[] {
  return routes.filter(route => {
    const pattern = new RegExp(`^${route.replaceAll(/:\w+/g, '[^/]+')}$`);
    return exchanges.some(({ asking: { method, path }, answer }) => {
      return isGood(answer) && pattern.test(`${method} ${path.split('?', 1)[0]}`);
    });
  });
}
