import type { TypedDocument } from './document.js';
import { AccountNotFound } from './generated/problems.js';
import { FeedCursor } from './generated/documents.js';
import { newKey } from './keys.js';
import { textOf } from './printer.js';
import { Subscription, type SubscribeOptions } from './subscription.js';
import type { Transport, WriteOptions } from './transport.js';

/** Variables may be left out where the operation needs none. */
export type VariablesOf<Variables, Options> =
  NonNullable<unknown> extends Variables
    ? [variables?: Variables, options?: Options]
    : [variables: Variables, options?: Options];

/** The variables of a subscription, of which the client itself sets `after`. */
export type SubscriptionVariables<Variables> = Omit<Variables, 'after'>;

export class Graphql {
  constructor(private readonly transport: Transport) {}

  /** Runs a query or a mutation. Throws if any part of it was refused: `data` of the error has the other parts. */
  async run<Result, Variables>(
    document: TypedDocument<Result, Variables>,
    variables?: Variables,
    { key, signal, timeoutMs }: WriteOptions = {},
  ): Promise<Result> {
    const query = textOf(document);
    const { body } = await this.transport.send({
      method: 'POST',
      path: '/graphql',
      body: JSON.stringify({
        query,
        variables,
      }),
      key: key ?? (/\bmutation\b/.test(query) ? newKey() : undefined),
      signal,
      timeoutMs,
    });
    return (body as { readonly data: Result }).data;
  }

  /** The one field of an operation. A query of an account gives null where the caller sees none. */
  async only<Result extends object, Variables>(
    document: TypedDocument<Result, Variables>,
    variables: Variables,
    options?: WriteOptions,
  ): Promise<NonNullable<FieldOf<Result>>> {
    const [field] = Object.values(await this.run(document, variables, options)) as FieldOf<Result>[];
    if (field != null) return field;
    const message = 'There is no such account, or the caller may not see it.';
    throw new AccountNotFound({ status: 200, code: 'account_not_found', message });
  }

  async *subscribe<Result, Variables>(
    document: TypedDocument<Result, Variables>,
    variables: SubscriptionVariables<Variables>,
    { signal, after }: SubscribeOptions = {},
  ): AsyncGenerator<Result, void, undefined> {
    const query = textOf(document);
    // If the connection is lost before the first item, this is where to go on.
    const from = after ?? (await this.run(FeedCursor, {}, { signal })).feedCursor ?? '';
    yield* new Subscription<Result>(this.transport, query, variables, from, signal).items();
  }
}

type FieldOf<Result> = Exclude<Result[Exclude<keyof Result, '__typename'>], undefined>;
