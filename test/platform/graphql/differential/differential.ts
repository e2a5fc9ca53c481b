import {
  Kind,
  TypeInfo,
  execute,
  getNamedType,
  getOperationAST,
  isInputObjectType,
  parse,
  validate,
  visit,
  visitWithTypeInfo,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type ValueNode,
} from 'graphql';
import { getVariableValues } from 'graphql/execution/values.js';
import { schemaOf } from '../../../../src/app/schema.js';
import { readConfig } from '../../../../src/app/config.js';
import type { Random } from '../../../../packages/sandbox/src/demo/random.js';
import type { Exchange } from '../../../../src/platform/http/exchange.js';
import type { Context } from '../../../../src/platform/graphql/context.js';
import { formatError } from '../../../../src/platform/graphql/format-error.js';
import { AnalyzedOperation } from '../../../../src/platform/graphql/analyzed-operation.js';
import { readTypeOf } from '../../../../src/platform/input/uuid-type.js';
import { UuidScalar } from '../../../../src/platform/scalars/scalars.js';
import { isUuidArg } from '../../../../src/platform/graphql/uuid-arg.js';
import { UUID_TEXT } from '../../../../src/shared/ids.js';
import { shapeLimits } from '../../../../src/platform/graphql/limits.js';
import { Caller, SCOPES, type Scope } from '../../../../src/shared/caller.js';
import type { GraphqlError } from '../../../support/answers.js';
import { newCard } from '../../../support/card.js';
import { HoldClient } from '../../../hold/support/holds.js';
import { keyed, unique, type GatewayInThisProcess } from '../../../support/gateway-inside.js';
import { valueOf } from '../../metrics/reading.js';
import { generateOperation, type GeneratedOperation, type Values } from './operations.js';

/** Answers without errors until an operation is compiled. */
const EARNED_AT = 3;
/** The tokens last as long. */
const LONGEST_RUN_SECONDS = 12 * 3600;
/** Operations that are compiled together, since compiling waits for a quiet moment. */
const BATCH = 40;
/** Refusals of a request as a whole that graphql-js does not know: limits on what it may ask for. */
const LIMITS = /^(QUERY_TOO_DEEP|QUERY_TOO_COSTLY|TOO_MANY_\w+)$/;

const LIMITS_OF_SHAPE = shapeLimits(readConfig({}).graphql.limits);

const NOBODY = '7c0d5b1e-93a4-4f0e-9d0e-2f5b0f3c6a11';

const POST = `mutation ($account: ID!, $transactions: [TransactionInput!]!) {
  postAccountTransactions(input: { accountId: $account, transactions: $transactions }) { transactions { transactionId } } }`;

const CURSORS = `query ($account: ID!) { account(accountId: $account) {
  cards { cardId } beneficiaries { edges { cursor } } transactions { edges { cursor } } } }`;

interface Asker {
  readonly token: string;
  readonly scopes: readonly Scope[];
  readonly customerId: string | null;
}

type OperationResult = ExecutionResult & { errors?: GraphqlError[] };

interface Answer {
  readonly status: number;
  readonly body: OperationResult;
}

export interface DifferentialTally {
  operations: number;
  compared: number;
  /** Of those compared, answers of operations that were compiled by then. */
  compiled: number;
  /** Refused as a whole on both sides: mistakes in the document or its variables. */
  refused: number;
  /** Refused by limits of the gateway. */
  limited: number;
  withErrors: number;
}

/**
 * Random operations over data of their own, answered by the gateway again and again and by graphql-js in this process.
 */
export class Differential {
  readonly tally: DifferentialTally = {
    operations: 0,
    compared: 0,
    compiled: 0,
    refused: 0,
    limited: 0,
    withErrors: 0,
  };

  /** Of the batch that is compared. */
  private readonly valid = new Map<string, Valid>();

  private constructor(
    private readonly gateway: GatewayInThisProcess,
    private readonly schema: GraphQLSchema,
    private readonly program: string,
    private readonly askers: readonly Asker[],
    private readonly values: Values,
  ) {}

  static async of(gateway: GatewayInThisProcess): Promise<Differential> {
    const given = await gateway.given.account({ owners: 2 });
    const { program, account, owners } = given;
    const broken = await gateway.given.account({ program });
    const empty = await gateway.given.account({ program, currency: 'JPY' });
    const beneficiaries = await gateway.given.beneficiaries(given, 3);
    await gateway.given.beneficiaries(broken, 3);
    await gateway.sql.query('UPDATE beneficiary SET sealed = substring(sealed FROM 1 FOR 40) WHERE account_id = $1', [
      broken.account,
    ]);
    const { statement } = await gateway.given.statement({ of: given });
    const askers: Asker[] = [];
    for (const [scopes, customerId] of [
      [SCOPES, null],
      [SCOPES, null],
      [['accounts.read', 'transactions.read'], null],
      [SCOPES, owners[0] as string],
    ] as const) {
      const token = await gateway.caller({ program, scopes, customerId, ttlSeconds: LONGEST_RUN_SECONDS });
      askers.push({ token, scopes, customerId });
    }
    const [{ token }] = askers as [Asker];
    await gateway.as(token).rest.post('/cards/v1/cards', newCard(account, owners[0] as string));
    await gateway.as(token).graphql(POST, { account, transactions: ['1.50', '2.50', '3.50'].map(posted) });
    const holds = new HoldClient(gateway, { account, caller: token });
    const holdId = [await holds.placed(), await holds.placed(), 'none'];
    const { data } = await gateway.as(token).graphql(CURSORS, { account });
    const { cards, beneficiaries: page, transactions } = data.account;
    const cursors = [...page.edges, ...transactions.edges].map(({ cursor }: { cursor: string }) => cursor);
    const ids = [account, account, account, broken.account, empty.account, unique('none'), 'two words', ''];
    const values: Values = {
      accountId: ids,
      accountIds: ids,
      customerId: owners,
      customerIds: [...owners, NOBODY],
      beneficiaryId: [...beneficiaries, NOBODY],
      statementId: [statement, 'none'],
      transactionId: ['t0', 't1', 'none'],
      holdId,
      cardId: [cards[0]?.cardId ?? 'none', 'none'],
      first: [1, 2, 3, 0, -1, 200],
      last: [1, 2, 0],
      after: [...cursors, '', 'nonsense'],
      before: [...cursors, 'nonsense'],
      minAmount: ['1.00', '2.50', '1.001'],
      maxAmount: ['2.00', '9'],
      sharePercentage: [0, 50, 101],
      postedFrom: ['2026-01-01T00:00:00.000Z', 'soon'],
      postedOnTo: ['2026-12-31', 'late'],
      String: ['ACH', 'x', ''],
      Int: [0, 1, 7],
      Float: [0, 1.5, -2],
      id: ['x', '1', NOBODY],
      ids: ['x', '1', NOBODY],
      ID: [NOBODY],
      Decimal: ['1.00', '-1'],
      Boolean: [true, false],
      LocalDate: ['1990-01-31', '2199-01-01'],
      DateTimeISO: ['2026-01-01T00:00:00.000Z'],
      LocalDateTime: ['2026-01-01T00:00:00'],
      Currency: ['USD', 'JPY'],
      CountryCode: ['US', 'DE'],
      Base64: ['JVBERi0xLjcK'],
      JSONObject: [{}],
      Metadata: [{}, { ledger: '77-A' }],
    };
    return new Differential(
      gateway,
      schemaOf(gateway.gateway.container, {
        sandbox: false,
        graphql: { federation: false, federationAuthorization: true, introspection: true },
      }),
      program,
      askers,
      values,
    );
  }

  /** Throws at the first difference, with the document, its variables and both answers. */
  async run(count: number, random: Random): Promise<void> {
    for (let done = 0; done < count; done += BATCH) {
      const operations = Array.from({ length: Math.min(BATCH, count - done) }, () =>
        generateOperation(this.schema, this.values, random),
      );
      for (const operation of operations) await this.askAll(operation, EARNED_AT);
      await this.gateway.compiled();
      const before = await this.compiledSoFar();
      for (const operation of operations) await this.askAll(operation, 2);
      this.valid.clear();
      this.tally.operations += operations.length;
      this.tally.compiled = before;
    }
  }

  private async compiledSoFar(): Promise<number> {
    const { text } = await this.gateway.http.send({ path: '/metrics' });
    return valueOf(text, 'tillgate_graphql_compiled_operations');
  }

  private async askAll(operation: GeneratedOperation, times: number): Promise<void> {
    const isWrite = operation.query.includes('mutation Asked');
    const asker = this.askers[isWrite ? 0 : operation.query.length % this.askers.length] as Asker;
    for (const variables of operation.variables) {
      const key = isWrite ? unique('key') : null;
      const first = await this.ask(operation, variables, asker, key);
      // graphql-js is asked when all is written. What is read between two writes may be different then, and the same
      // writes again say that they are replayed.
      const isOfFirstTime =
        isWrite && (Object.keys(first.body.data ?? {}).length > 1 || operation.query.includes('replayed'));
      if (!isOfFirstTime) await this.compare(operation, variables, asker, key, first);
      for (let time = 1; time < times; time++) {
        await this.compare(operation, variables, asker, key, await this.ask(operation, variables, asker, key));
      }
    }
  }

  private async ask(
    { query, operationName }: GeneratedOperation,
    variables: Record<string, unknown>,
    { token }: Asker,
    key: string | null,
  ): Promise<Answer> {
    const headers = key === null ? {} : keyed(key);
    return this.gateway.as(token).rest.post<OperationResult>('/graphql', { query, variables, operationName }, headers);
  }

  private async compare(
    { query, operationName }: GeneratedOperation,
    variables: Record<string, unknown>,
    asker: Asker,
    key: string | null,
    { status, body }: Answer,
  ): Promise<void> {
    this.tally.compared += 1;
    const isRefused = body.data === undefined;
    if (isRefused && body.errors?.some(({ extensions }) => LIMITS.test(String(extensions.code)))) {
      this.tally.limited += 1;
      return;
    }
    const reference = await this.reference(query, operationName, variables, asker, key);
    if (isRefused || reference === null) {
      this.tally.refused += 1;
      if (isRefused && reference === null) return;
    }
    if (body.errors) this.tally.withErrors += 1;
    const answered = { data: body.data, errors: (body.errors ?? []).map(withoutRequestId) };
    const expected = reference && { data: reference.data, errors: (reference.errors ?? []).map(shown) };
    if (expected && isSame(answered, expected, query.includes('dryRun'))) return;
    throw new Error('The gateway and graphql-js answer differently.', {
      cause: JSON.stringify({ query, operationName, variables, status, answered, expected }, null, 2),
    });
  }

  /** A document and its operation where they are valid, which is found out once for all answers to compare. */
  private validOf(query: string, operationName: string | undefined): Valid {
    const key = JSON.stringify([query, operationName]);
    const known = this.valid.get(key);
    if (known) return known;
    const document = parsed(query);
    const isValid = document !== null && validate(this.schema, document).length === 0;
    const valid = isValid ? { document, operation: getOperationAST(document, operationName) } : INVALID;
    this.valid.set(key, valid);
    return valid;
  }

  /** True if a variable stands for an id of ours and is none: to graphql-js any text is an `ID`. */
  private hasWrongId(document: DocumentNode, variables: Record<string, unknown>): boolean {
    const types = new TypeInfo(this.schema);
    let isWrong = false;
    const check = (value: ValueNode): void => {
      if (value.kind !== Kind.VARIABLE) return;
      const ids = [variables[value.name.value] ?? []].flat();
      isWrong ||= ids.some(id => typeof id !== 'string' || !UUID_TEXT.test(id.toLowerCase()));
    };
    const visitor = visitWithTypeInfo(types, {
      Argument: ({ name, value }) => {
        const field = types.getFieldDef();
        if (field && isUuidArg(field, name.value)) check(value);
      },
      ObjectField: ({ name, value }) => {
        const input = getNamedType(types.getParentInputType());
        const field = isInputObjectType(input) ? input.getFields()[name.value] : undefined;
        if (isInputObjectType(input) && field && getNamedType(readTypeOf(input, field)) === UuidScalar) check(value);
      },
    });
    visit(document, visitor);
    return isWrong;
  }

  /** Null where graphql-js refuses the request as a whole, or the gateway has to. */
  private async reference(
    query: string,
    operationName: string | undefined,
    variables: Record<string, unknown>,
    { scopes, customerId }: Asker,
    key: string | null,
  ): Promise<ExecutionResult | null> {
    const { document, operation } = this.validOf(query, operationName);
    if (
      !document ||
      !operation ||
      getVariableValues(this.schema, operation.variableDefinitions ?? [], variables).errors ||
      this.hasWrongId(document, variables)
    ) {
      return null;
    }
    const identity = { program: this.program, clientId: 'test-client', customerId };
    const caller = new Caller(
      { ...identity, subject: customerId ?? 'test-client', scopes: new Set(scopes) },
      'request-id',
      key === null ? null : { key, place: null, outcomes: [] },
    );
    const { writes } = new AnalyzedOperation(this.schema, LIMITS_OF_SHAPE, document, operation);
    const contextValue: Context = { caller, exchange: {} as Exchange, documentUnits: 0, writes };
    return execute({ schema: this.schema, document, operationName, variableValues: variables, contextValue });
  }
}

function posted(amount: string, index: number) {
  return {
    transactionId: `t${index}`,
    amount,
    direction: 'CREDIT',
    category: 'ACH',
    transactionType: 'DIRECTDEPOSIT',
    status: 'POSTED',
    transactedAt: '2026-03-02T15:00:00Z',
    postedAt: '2026-03-02T16:00:00Z',
  };
}

interface Valid {
  readonly document: DocumentNode | null;
  readonly operation: OperationDefinitionNode | null | undefined;
}
const INVALID: Valid = { document: null, operation: null };

interface ShownError {
  readonly message: string;
  readonly extensions?: object | undefined;
  readonly path?: readonly (string | number)[] | undefined;
}

interface ComparedResult {
  readonly data: unknown;
  readonly errors: readonly ShownError[];
}

function parsed(query: string): DocumentNode | null {
  try {
    return parse(query);
  } catch {
    return null;
  }
}

function shown(error: GraphQLError): ShownError {
  return formatError(error.toJSON(), error);
}

function withoutRequestId(error: GraphqlError): ShownError {
  const { requestId: _, ...extensions } = error.extensions;
  return { ...error, extensions };
}

const TIME_OF_DAY = /(?<="\d{4}-\d\d-\d\d)T\d\d:\d\d:\d\d(\.\d{3})?/g;

/**
 * Whether two results have equal values in one order of keys, and equal errors in any order, as that order follows from
 * when the database answers. A dry run is done anew each time and tells when, so times of day are not compared there.
 */
function isSame(one: ComparedResult, other: ComparedResult, isDryRun: boolean): boolean {
  const [our, their] = [one, other].map(({ data }) => {
    const text = JSON.stringify(data);
    return isDryRun ? text?.replaceAll(TIME_OF_DAY, '') : text;
  });
  if (our !== their) return false;
  const [ours, theirs] = [one, other].map(linesOf) as [string[], string[]];
  return JSON.stringify(ours) === JSON.stringify(theirs);
}

/**
 * Errors in the order of their texts. Where a list or an object is null for an error inside of it, which of those
 * inside is told follows from when the database answers too, so that place alone is compared.
 */
function linesOf({ data, errors }: ComparedResult): string[] {
  const texts = errors.map(error => {
    let at = data;
    const path = error.path ?? [];
    const place = path.filter(step => {
      if (at === null || at === undefined) return false;
      at = (at as Record<string | number, unknown>)[step];
      return true;
    });
    return place.length < path.length ? `inside of ${JSON.stringify(place)}` : canonical(error);
  });
  return [...new Set(texts)].toSorted();
}

function canonical(error: ShownError): string {
  return JSON.stringify(Object.entries(error).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
