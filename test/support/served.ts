import { buildSchema, type GraphQLSchema } from 'graphql';
import { Contract } from './contract.js';
import type { TestGateway } from './test-gateway.js';
import type * as Inside from './served.inside.js';

/** What a gateway serves, as its process knows it: a new route or field is in these lists by itself. */
export function servedBy(gateway: TestGateway) {
  return gateway.module<typeof Inside>('test/support/served');
}

/** The schema of GraphQL: with the sandbox, as a gateway in development serves it, unless it is not asked for. */
export async function servedSchema(gateway: TestGateway, { hasSandbox = true } = {}): Promise<GraphQLSchema> {
  return buildSchema(await servedBy(gateway).schemaText(hasSandbox));
}

/** The OpenAPI document of a gateway, as a promise. */
export async function contractServed(gateway: TestGateway): Promise<Contract> {
  const { body } = await gateway.as(null).rest.get<object>('/openapi.json');
  return new Contract(() => body);
}
