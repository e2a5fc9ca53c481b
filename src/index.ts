/** The module that a program imports which starts the gateway itself; see docs/embedding.md. */
export { createGateway, type GatewayOptions, type RunningGateway } from './app/create-gateway.js';
export type { Context } from './platform/graphql/context.js';
