import type { IncomingMessage } from 'node:http';
import type { GraphQLFormattedError } from 'graphql';
import type { Refusal } from '../../../shared/errors.js';
import type { Exchange } from '../../http/exchange.js';
import { usualHeaders } from '../../http/send.js';
import { isSafeGet } from '../request.js';
import { Connection } from './connection.js';
import type { SubscriptionParts } from './opening.js';
import { Ended, type ShownResult, type Subscription } from './subscription.js';

/** The framing of a stream: its beginning, its parts, and its end. */
interface Framing {
  /** Finds it in `Accept`, where only clients name it that ask for a subscription. */
  readonly accepted: RegExp;
  readonly contentType: string;
  readonly opening: string;
  readonly heartbeat: string;
  item(result: ShownResult): string;
  /** `errors`: why the gateway ends the stream. */
  end(errors: readonly GraphQLFormattedError[] | null): string;
}

// A part ends with the boundary that follows it, since clients show a part only when they have seen its end.
const part = (value: object): string =>
  `\r\ncontent-type: application/json\r\n\r\n${JSON.stringify(value)}\r\n--graphql`;

/** Apollo's protocol of subscriptions over multipart HTTP, version 1.0. */
const MULTIPART: Framing = {
  accepted: /multipart\/mixed\s*;[^,]*subscriptionSpec="?1\.0/i,
  contentType: 'multipart/mixed; boundary="graphql"; subscriptionSpec=1.0',
  opening: '\r\n--graphql',
  heartbeat: part({}),
  item: result => part({ payload: result }),
  end: errors => `${errors ? part({ payload: null, errors }) : ''}--\r\n`,
};

const event = (name: string, data: string): string => `event: ${name}\ndata: ${data}\n\n`;

/** GraphQL over server-sent events, the mode of one connection for each subscription. */
const EVENTS: Framing = {
  accepted: /text\/event-stream/i,
  contentType: 'text/event-stream; charset=utf-8',
  opening: ':\n\n',
  heartbeat: ':\n\n',
  item: result => event('next', JSON.stringify(result)),
  end: errors => `${errors ? event('next', JSON.stringify({ errors })) : ''}${event('complete', '')}`,
};

const FRAMINGS = [MULTIPART, EVENTS];

/** The form of a stream that a client accepts; null if its answer has to be whole. */
export function framingFor(request: IncomingMessage): Framing | null {
  if (request.method === 'HEAD' || (request.method === 'GET' && !isSafeGet(request))) return null;
  return FRAMINGS.find(({ accepted }) => accepted.test(request.headers.accept ?? '')) ?? null;
}

/** A subscription as the answer to a request. */
export class HttpStream extends Connection {
  private wake: (() => void) | null = null;

  constructor(
    private readonly exchange: Exchange,
    private readonly framing: Framing,
    private readonly subscription: Subscription,
    private readonly subscribing: SubscriptionParts,
  ) {
    super({ authorization: exchange.authorization, identity: subscription.operation.context.caller });
  }

  /** Resolves when the stream is over. */
  async run(): Promise<void> {
    const { exchange, framing, subscription } = this;
    const { all, log } = this.subscribing;
    const { response, requestId } = exchange;
    if (response.closed) {
      await subscription.return();
      return;
    }
    response.once('close', () => {
      void subscription.return();
      this.wake?.();
    });
    // A proxy such as nginx would gather the parts of an answer otherwise.
    const headers = { ...usualHeaders(exchange), 'Content-Type': framing.contentType, 'X-Accel-Buffering': 'no' };
    response.writeHead(200, headers);
    exchange.beginStream();
    all.add(this);
    const unwatch = subscription.operation.context.caller.signIn?.watch(reason => this.end(reason));
    try {
      response.write(framing.opening);
      const errors = await this.writeItems();
      response.end(framing.end(errors));
    } catch (error) {
      log.error({ err: error, requestId }, 'a stream could not be written');
      this.destroy();
    } finally {
      unwatch?.();
      if (!response.closed) await new Promise<void>(resolve => response.once('close', resolve));
      all.remove(this);
    }
  }

  /** Gives the errors that end the stream, or null if the subscription is over. */
  private async writeItems(): Promise<readonly GraphQLFormattedError[] | null> {
    const { framing, subscription, exchange } = this;
    const { response } = exchange;
    try {
      for await (const result of subscription) {
        response.write(framing.item(result));
        this.subscribing.all.countSent();
        if (response.writableNeedDrain && !subscription.signal.aborted) await this.drained();
      }
      return null;
    } catch (error) {
      if (!(error instanceof Ended)) throw error;
      exchange.refused(error.refusal.code);
      return [error.shown];
    }
  }

  private async drained(): Promise<void> {
    const { response } = this.exchange;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.stalledSinceMs = performance.now();
    this.wake = resolve;
    response.once('drain', resolve);
    await promise;
    response.off('drain', resolve);
    this.wake = null;
    this.stalledSinceMs = null;
  }

  protected beat(): void {
    if (!this.exchange.response.writableNeedDrain) this.exchange.response.write(this.framing.heartbeat);
  }

  protected close(refusal: Refusal): void {
    this.subscription.end(refusal);
    this.wake?.();
  }

  destroy(): void {
    this.exchange.request.socket.destroy();
  }
}
