import type { TypedDocument, UntypedText } from './document.js';
import { Graphql, type VariablesOf, type SubscriptionVariables } from './graphql.js';
import { Accounts } from './resources/accounts.js';
import { Approvals } from './resources/approvals.js';
import { Beneficiaries } from './resources/beneficiaries.js';
import { Cards } from './resources/cards.js';
import { Customers } from './resources/customers.js';
import { Events } from './resources/events.js';
import { Holds } from './resources/holds.js';
import { Owners } from './resources/owners.js';
import { Statements } from './resources/statements.js';
import { Transactions } from './resources/transactions.js';
import { Transfers } from './resources/transfers.js';
import { WebhookEndpoints } from './resources/webhook-endpoints.js';
import { Rest, type AnswerOf, type CallOf, type Route } from './rest.js';
import type { SubscribeOptions } from './subscription.js';
import { Transport, type Settings, type WriteOptions } from './transport.js';

/** The gateway, for whom the token speaks. Use one for all requests of a user or a service: it holds the token. */
export class Tillgate {
  readonly accounts: Accounts;
  readonly approvals: Approvals;
  readonly beneficiaries: Beneficiaries;
  readonly cards: Cards;
  readonly customers: Customers;
  readonly events: Events;
  readonly holds: Holds;
  readonly owners: Owners;
  readonly statements: Statements;
  readonly transactions: Transactions;
  readonly transfers: Transfers;
  readonly webhookEndpoints: WebhookEndpoints;
  private readonly routes: Rest;
  private readonly operations: Graphql;

  constructor(settings: Settings) {
    const transport = new Transport(settings);
    const rest = (this.routes = new Rest(transport));
    const graphql = (this.operations = new Graphql(transport));
    this.accounts = new Accounts(rest);
    this.approvals = new Approvals(rest);
    this.beneficiaries = new Beneficiaries(rest);
    this.cards = new Cards(graphql);
    this.customers = new Customers(rest);
    this.events = new Events(rest);
    this.holds = new Holds(rest);
    this.owners = new Owners(rest);
    this.statements = new Statements(rest);
    this.transactions = new Transactions(rest, graphql);
    this.transfers = new Transfers(rest);
    this.webhookEndpoints = new WebhookEndpoints(rest);
  }

  /** Any route of REST by its method and path, such as `rest('GET /search', { query: { text } })`. */
  rest<Name extends Route>(route: Name, ...call: CallOf<Name>): Promise<AnswerOf<Name>> {
    return this.routes.call(route, ...call);
  }

  /** Runs a query or a mutation. Throws if any part of it was refused: `data` of the error has the other parts. */
  graphql<Result, Variables>(
    document: TypedDocument<Result, Variables>,
    ...[variables, options]: VariablesOf<Variables, WriteOptions>
  ): Promise<Result>;
  graphql<Text extends string>(
    document: UntypedText<Text>,
    variables?: object,
    options?: WriteOptions,
  ): Promise<unknown>;
  graphql(document: TypedDocument<unknown, unknown> | string, variables?: unknown, options?: WriteOptions) {
    return this.operations.run(document as TypedDocument<unknown, unknown>, variables, options);
  }

  /**
   * Follows a subscription, and goes on after a lost connection: nothing is missed, and nothing comes twice. The
   * document must select `cursor` and pass the variable `$after` on.
   */
  subscribe<Result, Variables>(
    document: TypedDocument<Result, Variables>,
    ...[variables, options]: VariablesOf<SubscriptionVariables<Variables>, SubscribeOptions>
  ): AsyncGenerator<Result, void, undefined>;
  subscribe<Text extends string>(
    document: UntypedText<Text>,
    variables?: object,
    options?: SubscribeOptions,
  ): AsyncGenerator<Record<string, unknown>, void, undefined>;
  subscribe(document: TypedDocument<unknown, unknown> | string, variables: object = {}, options?: SubscribeOptions) {
    return this.operations.subscribe(document as TypedDocument<unknown, unknown>, variables, options);
  }
}
