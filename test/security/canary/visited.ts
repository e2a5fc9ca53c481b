import { Kind, OperationTypeNode, parse } from 'graphql';
import { gatewaySources } from '../../support/gateway-sources.js';
import { isGood, type Exchange, type CanaryGateway } from './house.js';

const WRITING_METHODS = ['post', 'put', 'patch', 'delete'];

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

/**
 * Every REST route that writes, as `POST /accounts/:accountId/beneficiaries`: whatever a file `*.routes.ts` of a noun
 * makes a router of.
 */
export async function restWrites(): Promise<string[]> {
  const files = gatewaySources('.routes.ts');
  const modules = await Promise.all(files.map(file => import(file.href)));
  // A router is made without asking its services anything; one of the arguments is the first segment of the cards'
  // paths.
  const anything = { toString: () => 'cards' };
  const routers = modules
    .flatMap((module): MakeRouter[] => Object.values(module))
    .map(makeRouter => makeRouter(...Array.from({ length: makeRouter.length }, () => anything)));
  const writes = routers.flatMap(({ stack }) => stack.flatMap(({ route }) => (route ? writesOf(route) : [])));
  return writes.sort();
}

type MakeRouter = (...services: unknown[]) => { readonly stack: readonly { readonly route?: Route }[] };

interface Route {
  readonly path: string;
  readonly methods: Readonly<Record<string, boolean>>;
}

function writesOf({ path, methods }: Route): string[] {
  return WRITING_METHODS.filter(method => methods[method]).map(method => `${method.toUpperCase()} ${path}`);
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
