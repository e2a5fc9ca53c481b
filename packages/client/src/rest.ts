import type { Routes } from './generated/rest.js';
import { writeJson } from './exact-json.js';
import { newKey } from './keys.js';
import { Listing } from './listing.js';
import type { Answer, CallOptions, Transport, WriteOptions } from './transport.js';

export type Route = keyof Routes;
export type AnswerOf<Name extends Route> = Routes[Name]['answer'];
/** Parameters and body of a route, and the options of the call. */
export type Call<Name extends Route> = Routes[Name]['asked'] & WriteOptions;
/** A call that needs no parameters may be made without any. */
export type CallOf<Name extends Route> =
  NonNullable<unknown> extends Routes[Name]['asked'] ? [Call<Name>?] : [Call<Name>];

/** The parameters of the query of a route, but for those that pages need. */
export type Filters<Name extends Route> = Routes[Name]['asked'] extends { readonly query?: infer Query }
  ? Omit<NonNullable<Query>, 'offset' | 'offSet' | 'snapshot' | 'after' | 'format' | 'bom' | 'wait'>
  : never;

type QueryValue = string | number | boolean | readonly (string | number)[] | undefined;

interface LoosePage {
  readonly page?: { readonly totalElements?: number; readonly hasMore?: boolean };
  readonly links?: { readonly next?: { readonly href: string } };
}

interface LooseCall extends WriteOptions {
  readonly path?: Readonly<Record<string, string>> | undefined;
  readonly query?: object;
  readonly body?: unknown;
}

const PAGE_SIZE = 100;

/** The routes of the gateway, typed by its OpenAPI document. */
export class Rest {
  constructor(private readonly transport: Transport) {}

  /**
   * `rest.call('GET /accounts/{accountId}', { path: { accountId } })`. A write gets an idempotency key if it has none.
   */
  async call<Name extends Route>(route: Name, ...[call]: CallOf<Name>): Promise<AnswerOf<Name>> {
    const { body } = await this.send(route, call ?? {});
    return body;
  }

  send(
    route: Route,
    call: LooseCall,
    how: { readonly isDocument?: boolean; readonly waitMs?: number } = {},
  ): Promise<Answer> {
    const [method = '', template = ''] = route.split(' ');
    const { body, signal, timeoutMs } = call;
    const key = method === 'GET' ? undefined : (call.key ?? newKey());
    return this.transport.send({
      method,
      path: addressOf(template, call),
      body: body === undefined || body instanceof Blob ? body : writeJson(body),
      key,
      signal,
      timeoutMs,
      ...how,
    });
  }

  /** A list with pages. `itemsOf` says where a page has its items. */
  list<Name extends Route, Item>(
    route: Name,
    call: Routes[Name]['asked'] & CallOptions,
    itemsOf: (page: AnswerOf<Name>) => readonly Item[],
  ): Listing<Item> {
    const { path, query, signal, timeoutMs }: LooseCall = call;
    const first = addressOf(route.slice('GET '.length), { path, query: { limit: PAGE_SIZE, ...query } });
    return new Listing(first, async address => {
      const { body } = await this.transport.send({ method: 'GET', path: address, signal, timeoutMs });
      const { page, links } = body as LoosePage;
      const items = itemsOf(body);
      return { items, totalElements: page?.totalElements, next: links?.next?.href };
    });
  }
}

function addressOf(template: string, { path = {}, query = {} }: LooseCall): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query) as [string, QueryValue][]) {
    for (const one of [value].flat()) if (one !== undefined) parameters.append(name, String(one));
  }
  const address = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
  const text = parameters.toString();
  return text ? `${address}?${text}` : address;
}
