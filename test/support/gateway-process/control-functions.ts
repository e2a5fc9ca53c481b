import type { Config } from '../../../src/app/config.js';
import type { Gateway } from '../../../src/app/gateway.js';
import { DevIssuer } from '../../../src/platform/auth/dev-issuer.js';
import { ChainTally } from '../../../src/bank/event/chain.tally.js';
import { verifyChains } from '../../../src/bank/event/event.chain.js';
import { SessionService, type ListedSession } from '../../../src/bank/session/session.service.js';
import { progressOf, startRun, type RunProgress } from '../../../src/bank/statement/issue/issue-run.js';
import type { IssueKind } from '../../../src/bank/statement/issue/period.js';
import type { StatementVault } from '../../../src/bank/statement/statement.vault.js';
import type { RecordOutcome } from '../../cli/importing.js';
import type { Contract } from '../contract.js';
import { contractOf } from '../contracts.js';
import { answerOf } from '../http.js';
import { checkRefusals } from '../refusals.js';
import { USUAL_SCOPES, unique, type CallerOrder, type Exchange } from '../test-gateway.js';
import { until } from '../until.js';
import { passSeconds, realTime } from './clock.js';
import { importingLines } from './import-lines.js';
import { TestData } from './test-data.js';

/**
 * Functions of a test that run in the process of its gateway, which is the first argument of each. They stand in
 * `<name>.inside.ts` beside the test. Arguments and results can be cloned.
 */
export type InsideModule = Readonly<Record<string, (gateway: Gateway, ...args: never[]) => unknown>>;

/** Loads such a module by its path in the repository, without `.ts`. */
export type InsideLoader = (module: string) => Promise<InsideModule>;

type Tail<List extends readonly unknown[]> = List extends readonly [unknown, ...infer Rest] ? Rest : never;

/** What tests need of a gateway from inside, by name. Arguments and results can be cloned. */
export type ControlFunctions = Awaited<ReturnType<typeof controlFunctions>>;

export async function controlFunctions(gateway: Gateway, config: Config, load: InsideLoader) {
  const { container, subscriptions } = gateway;
  const issuer = await DevIssuer.open(config.dataDir);
  /** An access token: of the program `demo`, with the usual scopes, unless the order says otherwise. */
  const token = ({ program = 'demo', scopes = USUAL_SCOPES, customerId = null, ...order }: CallerOrder) => {
    const { clientId = 'test-client', subject = customerId ?? clientId, ttlSeconds = 600 } = order;
    const scope = typeof scopes === 'string' ? scopes : scopes.join(' ');
    return issuer.sign({ program, clientId, subject, scope, customerId, ttlSeconds });
  };
  const data = new TestData(container, token);
  const endOfRun = async (runId: string): Promise<RunProgress> => {
    let progress = await progressOf(container.database, runId);
    await until(async () => (progress = await progressOf(container.database, runId)).open === 0);
    return progress;
  };
  let contract: Contract | undefined;
  return {
    token,
    /** Calls a method of `TestData`. */
    given: async (name: Exclude<keyof TestData, 'program'>, args: readonly unknown[]): Promise<unknown> =>
      (data[name] as (...given: unknown[]) => unknown).apply(data, [...args]),
    /** Calls a function of a module of the test. */
    inside: async (module: string, name: string, args: readonly unknown[]): Promise<unknown> =>
      ((await load(module))[name] as (...given: unknown[]) => unknown)(gateway, ...args),
    passSeconds,
    realTime,
    /** Throws where an answer is not as the gateway promises. */
    check: ({ request, answer: { status, headers, text } }: Exchange): void => {
      const answer = answerOf(status, headers, Buffer.from(text));
      contract ??= contractOf(config, container.nouns);
      contract.check(request, answer);
      checkRefusals(request, answer, container.nouns);
    },
    /** Resolves when what was denied and searched so far is on record. */
    recorded: async (): Promise<void> => {
      await Promise.all([container.denials.settled(), container.searchRecords.settled()]);
    },
    importLines: (...order: Tail<Parameters<typeof importingLines>>): Promise<RecordOutcome[]> =>
      importingLines(container, ...order),
    /** Opens what is sealed with the keys of fields. */
    opened: (identity: string, sealed: Buffer): unknown => container.keys.open(identity, Buffer.from(sealed)),
    /** Opens what is sealed with the keys of cards. */
    openedCard: (identity: string, sealed: Buffer): unknown => container.cardKeys.open(identity, Buffer.from(sealed)),
    /** Seals a value with the keys of fields. */
    sealed: (identity: string, value: unknown): Buffer => container.keys.seal(identity, value),
    /** Ends approvals whose time is over, and gives how many. */
    expireApprovals: (): Promise<number> => container.approvals.expireLate(),
    /** Opens a part of a stored document. */
    openDocument: (...document: Parameters<StatementVault['open']>): Buffer =>
      container.statementVault.open.apply(container.statementVault, document),
    /** Signs a viewer of a program in at the console, as its page does. */
    signIn: async (program: string, name: string): Promise<{ readonly sessionId: string }> => {
      const person = { program, subject: unique('person'), name, roles: ['viewer'] as const };
      const tokens = { idToken: null, refreshToken: null, accessToken: null };
      const sessions = new SessionService(container.database, container.keys);
      const { session } = await sessions.begin({ ...person, ...tokens }, 'demo', unique('request'));
      return { sessionId: session.sessionId };
    },
    /** Verifies the chains of all events. */
    verified: async (): Promise<Pick<ChainTally, 'broken' | 'events'>> => {
      const tally = new ChainTally();
      await verifyChains(container.database, tally, [], new AbortController().signal);
      return { broken: tally.broken, events: tally.events };
    },
    /** The open sessions of the console in a program. */
    sessions: (program: string): Promise<Pick<ListedSession, 'subject'>[]> => container.sessions.list(program),
    /** Stops the gateway, and not the process, which is still asked what was logged at the end. */
    stopGateway: (): Promise<void> => gateway.stop(),
    openSubscriptions: (): number => subscriptions.open(),
    /** How many subscriptions have ended. */
    endedSubscriptions: (): number => [...subscriptions.ended().values()].reduce((sum, count) => sum + count, 0),
    /** How a run of documents ended, once it has. */
    endOfRun,
    /** Lets the gateway issue the documents of a period, and gives how that ended. */
    issue: async (
      kind: IssueKind,
      period: string,
      program: string | null,
      issueIncomplete: boolean,
    ): Promise<RunProgress & { readonly runId: string }> => {
      const runId = await startRun(container, { kind, period, program, issueIncomplete, startedBy: 'COMMAND_LINE' });
      return { runId, ...(await endOfRun(runId)) };
    },
  };
}
