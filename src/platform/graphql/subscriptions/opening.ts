import { createSourceEventStream, type DocumentNode, type ExecutionResult } from 'graphql';
import { TooLarge } from '../../../shared/errors.js';
import type { LiveStream } from '../../../shared/live.js';
import type { Admission } from '../admission.js';
import { AnalyzedOperation } from '../analyzed-operation.js';
import type { AllowedOperations, Context, SubscriptionOpener, RequestedSubscription } from '../context.js';
import { operationUnits } from '../../http/gate.js';
import type { Exchange } from '../../http/exchange.js';
import type { Logger } from '../../logging/logger.js';
import type { LiveContext } from './live.js';
import type { OpenSubscriptions } from './open-subscriptions.js';
import { Subscription, type EndReason } from './subscription.js';

/** The greatest length of the document and the variables of a subscription together: they are kept while it is open. */
const MAX_CHARACTERS = 16 * 1024;

/** The parts that all subscriptions of a gateway share. */
export interface SubscriptionParts {
  readonly all: OpenSubscriptions;
  readonly admission: Admission;
  readonly timeoutMs: number;
  readonly log: Logger;
  /** Gets each operation of a WebSocket once it is open or refused. */
  readonly watchRequest: ((exchange: Exchange) => void) | null;
}

/** Opens the subscription of one request. */
export class SubscriptionOpening implements SubscriptionOpener {
  subscription: Subscription | null = null;
  private readonly stopping = new AbortController();

  constructor(
    private readonly subscribing: SubscriptionParts,
    readonly allows: AllowedOperations,
  ) {}

  get isOpen(): boolean {
    return this.subscription !== null;
  }

  /** Aborted when the subscription ends. */
  get signal(): AbortSignal {
    return this.stopping.signal;
  }

  /** Throws `TooManySubscriptions`, `TooLarge`, `Unavailable`. */
  async open(requested: RequestedSubscription, context: Context): Promise<ExecutionResult | null> {
    const { all, admission, timeoutMs, log } = this.subscribing;
    const { schema, document, text, operationName, variables } = requested;
    if (text.length + JSON.stringify(variables).length > MAX_CHARACTERS) {
      throw new TooLarge(
        `The document and the variables of a subscription have more than ${MAX_CHARACTERS} characters. Request less.`,
      );
    }
    const giveBack = await all.take(context.caller);
    const contextValue: LiveContext = { ...context, signal: this.signal };
    let live: LiveStream | ExecutionResult | null = null;
    try {
      const source = { schema, document, operationName, variableValues: variables, contextValue };
      live = (await createSourceEventStream(source)) as LiveStream | ExecutionResult;
    } finally {
      if (live === null || !isLive(live)) giveBack();
    }
    if (!isLive(live)) return live;
    const parsed = (): DocumentNode | null => {
      const analyzed = admission.documents.find(text, operationName);
      return analyzed instanceof AnalyzedOperation ? analyzed.document : null;
    };
    const units = operationUnits(context.exchange.cost, 0);
    this.subscription = new Subscription(
      // The text of a document that is kept is the same for all its subscriptions.
      {
        schema,
        text: document.loc?.source.body ?? text,
        operationName,
        variables,
        context: contextValue,
        parsed,
        units,
        timeoutMs,
        log,
      },
      live[Symbol.asyncIterator](),
      live.cursor,
      this.stopping,
      (reason, sent) => {
        giveBack();
        all.countEnded(reason);
        this.log(context, reason, sent);
      },
    );
    all.countOpened();
    if (this.signal.aborted) await this.abandon();
    return null;
  }

  private log({ caller, exchange }: Context, reason: EndReason, events: number): void {
    const { requestId, operation, cost, startedMs } = exchange;
    const { program, clientId } = caller;
    const durationMs = Math.round(performance.now() - startedMs);
    this.subscribing.log.info(
      { requestId, program, clientId, operation, cost, reason, events, durationMs },
      'subscription ended',
    );
  }

  /** The request is over, and nobody takes the subscription. */
  async abandon(): Promise<void> {
    this.stopping.abort();
    await this.subscription?.return();
    this.subscription = null;
  }
}

function isLive(value: LiveStream | ExecutionResult): value is LiveStream {
  return Symbol.asyncIterator in value;
}
