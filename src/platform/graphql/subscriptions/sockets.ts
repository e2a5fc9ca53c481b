import type { Duplex } from 'node:stream';
import { GraphQLError, GraphQLSchema, parse, type ExecutionArgs, type GraphQLFormattedError } from 'graphql';
import {
  CloseCode,
  handleProtocols,
  makeServer,
  type Context as SocketContext,
  type SubscribePayload,
} from 'graphql-ws';
import { WebSocketServer, type WebSocket } from 'ws';
import type { Caller } from '../../../shared/caller.js';
import { InternalError, type Refusal } from '../../../shared/errors.js';
import { within } from '../../database/deadline.js';
import { Exchange } from '../../http/exchange.js';
import { READ_UNITS, type Gate } from '../../http/gate.js';
import { asRefusal } from '../../http/problem.js';
import { shownRefusal } from '../format-error.js';
import type { Context } from '../context.js';
import { SubscriptionOpening, type SubscriptionParts } from './opening.js';
import { SubscriptionSocket } from './socket.js';
import { Ended, type Subscription } from './subscription.js';

/** The longest message of a client: a subscription with its variables, or the token. */
const MAX_MESSAGE_BYTES = 32 * 1024;
/** The time that a client may take to send its token. */
const INIT_TIMEOUT_MS = 5000;

/** The protocol wants a document of the operation that it runs. Ours have been run when it asks. */
const OPENED = { schema: new GraphQLSchema({}), document: parse('subscription { opened }') };

type SocketConnection = SocketContext<Record<string, unknown>, SubscriptionSocket>;

/** Subscriptions over WebSockets, by the protocol graphql-transport-ws. */
export class Sockets {
  private readonly server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE_BYTES,
    handleProtocols,
  });
  private readonly protocol = makeServer<Record<string, unknown>, SubscriptionSocket>({
    connectionInitWaitTimeout: INIT_TIMEOUT_MS,
    onConnect: context => this.connect(context),
    onSubscribe: ({ extra }, _id, payload) => this.subscribe(extra, payload),
    subscribe: ({ contextValue }) => contextValue as Subscription as AsyncGenerator<never>,
    onNext: (_context, _id, _payload, _args, result) => {
      this.subscribing.all.countSent();
      return result;
    },
    onError: (_context, _id, _payload, [error]) => shownIn(error),
  });

  constructor(
    private readonly subscribing: SubscriptionParts,
    private readonly gate: Gate,
    /** Parses, validates, admits and opens an operation. Gives the JSON that would be its answer over HTTP. */
    private readonly operate: (context: Context, body: object) => Promise<string>,
  ) {}

  /** Takes over the connection of a request for a WebSocket. */
  upgrade(exchange: Exchange, socket: Duplex, head: Buffer): void {
    this.server.handleUpgrade(exchange.request, socket, head, opened => this.opened(opened, exchange));
  }

  private opened(socket: WebSocket, upgrade: Exchange): void {
    const { all, log } = this.subscribing;
    const connection = new SubscriptionSocket(socket, upgrade);
    all.add(connection);
    const protocolSocket = {
      protocol: socket.protocol,
      send: (message: string) => connection.send(message),
      close: (code?: number, reason?: string) => socket.close(code, reason),
      onMessage: (receive: (message: string) => Promise<void>) => {
        socket.on('message', (data: Buffer) => {
          connection.received();
          receive(data.toString()).catch((error: unknown) => {
            log.error({ err: error, requestId: upgrade.requestId }, 'a message of a WebSocket could not be handled');
            socket.close(CloseCode.InternalServerError, 'internal_error');
          });
        });
      },
    };
    const closed = this.protocol.opened(protocolSocket, connection);
    // `ws` closes the connection of a message that is no WebSocket or too long, and says why.
    socket.on('error', () => undefined);
    socket.once('close', (code, reason) => {
      all.remove(connection);
      connection.closed();
      void closed(code, reason.toString());
    });
  }

  /** Authenticates by the first message. */
  private async connect({ extra: socket, connectionParams, subscriptions }: SocketConnection): Promise<boolean> {
    const { upgrade } = socket;
    const sent = connectionParams?.['authorization'] ?? connectionParams?.['Authorization'];
    if (typeof sent === 'string') upgrade.authorization = sent;
    const proof = connectionParams?.['dpop'] ?? connectionParams?.['DPoP'];
    if (typeof proof === 'string') upgrade.proof = proof;
    try {
      const caller = await this.gate.admit(upgrade, READ_UNITS);
      socket.authenticated(caller, subscriptions, await this.subscribing.all.takeSocket(caller));
      return true;
    } catch (error) {
      socket.end(this.refusalOf(error, upgrade));
      return false;
    }
  }

  /** Opens a subscription, or gives the errors that refuse it. */
  private async subscribe(
    socket: SubscriptionSocket,
    payload: SubscribePayload,
  ): Promise<ExecutionArgs | readonly GraphQLError[]> {
    const { request, response, clientAddress } = socket.upgrade;
    const exchange = new Exchange(request, response, clientAddress);
    exchange.api = 'graphql';
    // Its answers are messages, which the response of the connection does not count.
    exchange.isStream = true;
    const opening = new SubscriptionOpening(this.subscribing, 'subscriptions');
    try {
      const caller = await this.gate.enter(exchange, socket.tokenUse?.identity as Caller, READ_UNITS);
      const context: Context = { caller, exchange, documentUnits: 0, writes: new Map(), opening };
      const answer = await within(this.subscribing.timeoutMs, () => this.operate(context, payload));
      if (opening.subscription) return { ...OPENED, contextValue: opening.subscription };
      const { errors } = JSON.parse(answer) as { errors: GraphQLFormattedError[] };
      return [refused(errors)];
    } catch (error) {
      await opening.abandon();
      const refusal = this.refusalOf(error, exchange);
      exchange.refused(refusal.code, refusal.errors);
      return [refused([shownRefusal(refusal, exchange.requestId)])];
    } finally {
      this.subscribing.watchRequest?.(exchange);
    }
  }

  private refusalOf(error: unknown, { requestId }: Exchange): Refusal {
    const refusal = asRefusal(error, requestId);
    const { log } = this.subscribing;
    if (refusal instanceof InternalError) log.error({ err: error, requestId }, 'GraphQL request failed');
    return refusal;
  }
}

/** The protocol hands on errors of graphql-js alone. */
function refused(errors: readonly GraphQLFormattedError[]): GraphQLError {
  return new GraphQLError('refused', { extensions: { errors } });
}

function shownIn(error: GraphQLError | undefined): readonly GraphQLFormattedError[] {
  const ended = error?.originalError;
  if (ended instanceof Ended) return [ended.shown];
  return error?.extensions['errors'] as readonly GraphQLFormattedError[];
}
