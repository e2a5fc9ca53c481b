import { setTimeout as sleep } from 'node:timers/promises';
import {
  execute,
  parse,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
} from 'graphql';
import type { Variables } from '../../../../lib/graphql-compiler/arguments.js';
import { InternalError, Unavailable, type Refusal } from '../../../shared/errors.js';
import type { LiveItem } from '../../../shared/live.js';
import { within } from '../../database/deadline.js';
import { ReplicaSession, whileReading } from '../../database/reading.js';
import type { Logger } from '../../logging/logger.js';
import { RateLimited } from '../../rate/rate-limited.js';
import type { Context } from '../context.js';
import { SHUTTING_DOWN } from './refusals.js';
import { formatError, isInternal, refusalIn, shownRefusal } from '../format-error.js';

/** The time for which an item may wait until its client has units for it. */
const MAX_RATE_WAIT_MS = 30_000;

/** The operation that is executed for each item. */
export interface LiveOperation {
  readonly schema: GraphQLSchema;
  /** The text, since a parsed document of a page is a hundred times as large and most subscriptions share one. */
  readonly text: string;
  readonly operationName: string | undefined;
  readonly variables: Variables;
  readonly context: Context;
  /** The parsed document, if it is kept, else null. */
  readonly parsed: () => DocumentNode | null;
  /** The cost of an item for its client. */
  readonly units: number;
  readonly timeoutMs: number;
  readonly log: Logger;
}

/** A result as it is sent. */
export interface ShownResult {
  readonly data?: ExecutionResult['data'];
  readonly errors?: readonly GraphQLFormattedError[];
  readonly extensions?: { readonly position: string };
}

/** The subscription has ended, and what its client is told: why, and from where to go on. */
export class Ended extends Error {
  constructor(
    readonly refusal: Refusal,
    private readonly cursor: string,
    private readonly requestId: string,
  ) {
    super(refusal.code);
  }

  get shown(): GraphQLFormattedError {
    const { refusal, cursor, requestId } = this;
    const retry = refusal.retryAfterSeconds && { retryAfterSeconds: refusal.retryAfterSeconds };
    const { message, extensions } = shownRefusal(refusal, requestId);
    return { message, extensions: { ...extensions, cursor, ...retry } };
  }
}

/** Why a subscription is over: the code of a refusal, or that its client wanted no more. */
export type EndReason = string;

/**
 * An open subscription: the results of its items, one at a time and only as fast as they are taken. The reader of the
 * next one has written the one before. Throws `Ended` where the client has not ended it itself.
 */
export class Subscription implements AsyncGenerator<ShownResult, void, void> {
  private sent = 0;
  private ending: { readonly refusal: Refusal | null } | null = null;
  private isOver = false;

  constructor(
    readonly operation: LiveOperation,
    private readonly items: AsyncIterator<LiveItem>,
    private cursor: string,
    private readonly stopping: AbortController,
    private readonly onOver: (reason: EndReason, sent: number) => void,
  ) {}

  /** Aborted when it ends. */
  get signal(): AbortSignal {
    return this.stopping.signal;
  }

  /** Ends it for a reason that its client is told, unless it has ended. */
  end(refusal: Refusal): void {
    this.stop(refusal);
  }

  async next(): Promise<IteratorResult<ShownResult, void>> {
    try {
      if (this.ending) return this.finish();
      const item = await this.items.next();
      // Items end by themselves when the gateway stops.
      if (item.done === true) this.stop(new Unavailable(SHUTTING_DOWN));
      if (item.done === true || this.ending) return this.finish();
      await this.pay();
      const result = await this.resultFor(item.value);
      if (this.ending) return this.finish();
      this.cursor = item.value.cursor;
      this.sent += 1;
      return { value: result, done: false };
    } catch (error) {
      if (error instanceof Ended) throw error;
      if (!this.ending) this.stop(this.refusalOf(error));
      return this.finish();
    }
  }

  /** The client wants no more. */
  async return(): Promise<IteratorResult<ShownResult, void>> {
    this.stop(null);
    this.over();
    return { value: undefined, done: true };
  }

  async throw(error: unknown): Promise<IteratorResult<ShownResult, void>> {
    await this.return();
    throw error;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  private stop(refusal: Refusal | null): void {
    if (this.ending) return;
    this.ending = { refusal };
    this.stopping.abort();
  }

  private finish(): IteratorResult<ShownResult, void> {
    this.over();
    const refusal = this.ending?.refusal;
    if (refusal) throw new Ended(refusal, this.cursor, this.operation.context.exchange.requestId);
    return { value: undefined, done: true };
  }

  private over(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.items.return?.().catch(() => undefined);
    this.onOver(this.ending?.refusal?.code ?? 'client', this.sent);
  }

  /** Charges an item. A client without units waits for them, and what it does not read is not read for it either. */
  private async pay(): Promise<void> {
    const { context, units } = this.operation;
    const { exchange } = context;
    const untilMs = performance.now() + MAX_RATE_WAIT_MS;
    for (;;) {
      try {
        // The charge counts attempts, so another attempt is due the same.
        return await exchange.charge(exchange.charged + units);
      } catch (error) {
        if (!(error instanceof RateLimited)) throw error;
        const pauseMs = error.retryAfterSeconds * 1000;
        if (performance.now() + pauseMs > untilMs) throw error;
        await sleep(pauseMs, undefined, { signal: this.signal });
      }
    }
  }

  private async resultFor(item: LiveItem): Promise<ShownResult> {
    const { schema, text, parsed, operationName, variables, context, timeoutMs } = this.operation;
    const document = parsed() ?? parse(text);
    const run = async () =>
      execute({
        schema,
        document,
        operationName,
        variableValues: variables,
        contextValue: context,
        rootValue: item,
      });
    const { reading } = context.exchange;
    const position = reading && new ReplicaSession(reading.replicas);
    const { data, errors } = await within(timeoutMs, async () => {
      if (!position) return run();
      // A client that hears of an event and then reads has to see it.
      const noted = whileReading(position, () => position.replicas.noteEnd());
      const [result] = await Promise.all([whileReading(position, run), noted]);
      return result;
    });
    const extensions = position?.text ? { extensions: { position: position.text } } : {};
    return errors ? { errors: errors.map(error => this.shown(error)), data, ...extensions } : { data, ...extensions };
  }

  private shown(error: GraphQLError): GraphQLFormattedError {
    const { requestId } = this.operation.context.exchange;
    if (isInternal(error)) this.operation.log.error({ err: error.originalError ?? error, requestId }, FAILED);
    const { extensions, ...formatted } = formatError(error.toJSON(), error);
    return { ...formatted, extensions: { ...extensions, requestId } };
  }

  private refusalOf(error: unknown): Refusal {
    const refusal = refusalIn(error);
    if (refusal) return refusal;
    const { requestId } = this.operation.context.exchange;
    this.operation.log.error({ err: error, requestId }, FAILED);
    return new InternalError(requestId);
  }
}

const FAILED = 'GraphQL subscription failed';
