import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { AccountResolver } from './account/account.resolver.js';
import { OwnershipResolver } from './account/ownership.resolver.js';
import { ownershipRoutes } from './account/ownership.routes.js';
import { openBank, type Bank } from './bank.js';
import { BeneficiaryResolver } from './beneficiary/beneficiary.resolver.js';
import { beneficiaryRoutes } from './beneficiary/beneficiary.routes.js';
import { CardResolver } from './card/card.resolver.js';
import { cardRoutes } from './card/card.routes.js';
import type { Config } from './config.js';
import { loadDemoData } from './demo/load-demo-data.js';
import { EventResolver } from './event/event.resolver.js';
import { IMPORTS } from './imports.js';
import { OwnerResolver } from './owner/owner.resolver.js';
import { Bearer } from './platform/auth/bearer.js';
import { DevIssuer } from './platform/auth/dev-issuer.js';
import { issuerKeys } from './platform/auth/issuer-keys.js';
import { sweepExpiredKeys } from './platform/command/sweep.js';
import { openGraphqlDoor } from './platform/graphql/server.js';
import { createHttpServer } from './platform/http/server.js';
import type { Logger } from './platform/logging/logger.js';
import { buildGraphqlSchema } from './schema.js';
import { takePartInIssuing } from './statement/issuing.js';
import { StatementResolver } from './statement/statement.resolver.js';
import { statementRoutes } from './statement/statement.routes.js';
import { TransactionResolver } from './transaction/transaction.resolver.js';
import { transactionRoutes } from './transaction/transaction.routes.js';

export interface Gateway {
  /** Where it listens, for example `http://127.0.0.1:4000`. */
  readonly url: string;
  readonly bank: Bank;
  /** Accepts nothing more, finishes what runs, closes everything. */
  stop(): Promise<void>;
}

/** How long running requests may take to finish when the gateway stops. */
const DRAIN_MS = 10_000;
const CLOSE_IDLE_EVERY_MS = 20;
const PING_TIMEOUT_MS = 2000;

/** Starts the gateway that a configuration describes. Production and tests start the same one. */
export async function startGateway(config: Config, log: Logger): Promise<Gateway> {
  const devIssuer = config.auth ? null : await DevIssuer.open(config.dataDir);
  const bearer = new Bearer(
    config.auth ? { ...config.auth, keys: issuerKeys(config.auth.jwksUrl) } : (devIssuer as DevIssuer),
  );
  const bank = await openBank(config, log);
  try {
    if (config.demoData) await loadDemoData(bank.database, name => IMPORTS[name](bank), log);
    const graphql = await openGraphqlDoor(buildGraphqlSchema(resolversOf(bank)), bearer, log, config.graphql);
    const server = createHttpServer({
      graphql,
      routes: [
        ownershipRoutes(bank.ownership, bank.accounts, bank.owners),
        beneficiaryRoutes(bank.beneficiaries, bank.accounts),
        cardRoutes(bank.cards, bank.accounts, config.cardsPrefix),
        transactionRoutes(bank.history),
        statementRoutes(bank.statements, bank.partnerStatements, bank.accounts),
      ],
      bearer,
      devIssuer,
      ready: () => bank.database.ping(PING_TIMEOUT_MS),
      log,
    });
    const url = await listen(server, config);
    const stopSweeping = sweepExpiredKeys(bank.database, log);
    const leaveIssuing = await takePartInIssuing({
      ...{ ...bank, vault: bank.statementVault, log, monthly: config.closeMonthly },
      // Requests come first: one batch at a time, drawn by the one thread for documents.
      ...{ concurrency: 1, threads: bank.documentThreads },
    });
    const stop = async (): Promise<void> => {
      await drain(server);
      await stopSweeping();
      await leaveIssuing();
      await graphql.stop();
      await bank.close();
    };
    let stopped: Promise<void> | undefined;
    return { url, bank, stop: () => (stopped ??= stop()) };
  } catch (error) {
    await bank.close();
    throw error;
  }
}

function resolversOf({
  accounts,
  ownership,
  owners,
  beneficiaries,
  cards,
  history,
  programHistory,
  posting,
  statements,
  partnerStatements,
  events,
}: Bank): (resolver: unknown) => object {
  const instances = new Map<unknown, object>([
    [AccountResolver, new AccountResolver(accounts)],
    [OwnershipResolver, new OwnershipResolver(ownership)],
    [OwnerResolver, new OwnerResolver(owners)],
    [BeneficiaryResolver, new BeneficiaryResolver(beneficiaries)],
    [CardResolver, new CardResolver(cards)],
    [EventResolver, new EventResolver(events)],
    [TransactionResolver, new TransactionResolver(history, programHistory, posting)],
    [StatementResolver, new StatementResolver(statements, partnerStatements)],
  ]);
  return resolver => {
    const instance = instances.get(resolver);
    if (!instance) throw new Error('a resolver is in the schema and not in the gateway');
    return instance;
  };
}

async function listen(server: Server, { host, port }: Config): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const { port: bound } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${bound}`;
}

async function drain(server: Server): Promise<void> {
  const closed = new Promise<void>(resolve => server.close(() => resolve()));
  // Connections that are kept alive after their last answer would hold the stop up until they time out.
  server.closeIdleConnections();
  const idle = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS);
  const force = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await closed;
  clearInterval(idle);
  clearTimeout(force);
}
