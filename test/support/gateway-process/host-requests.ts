import type { Failure, GatewayOrder } from './main.js';

/** How test files find the host. */
export const GATEWAY_HOST = 'TILLGATE_TEST_GATEWAYS';

/** A gateway that a test file may use. */
export interface HostedGateway {
  readonly id: number;
  readonly url: string;
  readonly controlUrl: string;
  readonly databaseUrl: string;
}

/** What a test file asks for: the gateway of its worker, one of its own, or the end of that one. */
export type HostRequest =
  | { readonly worker: string }
  | { readonly worker: string; readonly order: GatewayOrder }
  | { readonly worker: string; readonly stop: number };

export type HostReply = { readonly result: HostedGateway } | { readonly failure: Failure };
