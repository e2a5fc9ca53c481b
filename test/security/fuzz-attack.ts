import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { IMPORT_NAMES } from '../../src/bank/import/import.names.js';
import { anyCharacters } from '../support/any-characters.js';
import type { Answer, TestGateway } from '../support/gateway.js';
import { servedBy } from '../support/served.js';
import { HoldClient, newHold } from '../hold/support/holds.js';
import { transferOf } from '../transfer/support/transfers.js';
import { pdfOf } from '../support/statement.js';
import { simulationBody } from '../support/simulations.js';
import { newCard } from '../support/card.js';
import { leastBeneficiary, newBeneficiary, type GivenStatement } from '../support/given.js';
import { operationsServed, type Operation } from './owasp-operations.js';
import { restCode } from '../support/answers.js';

export interface Target extends GivenStatement {
  readonly beneficiary: string;
  readonly endpoint: string;
  readonly delivery: string;
  readonly hold: string;
}

/** A customer as a client sends it. */
function newCustomer(): object {
  const { name, taxId, dateOfBirth, addresses, emails, phones } = newBeneficiary();
  const contact = { email: emails.map(({ email }) => email), telephones: phones };
  return { name, taxId, taxIdCountry: 'US', governmentId: 'P12345678', dateOfBirth, addresses, contact };
}

/**
 * Whose data the attacker may touch: a caller who may do everything, so that no check of scopes hides what is behind
 * it.
 */
export async function targetOf(gateway: TestGateway): Promise<Target> {
  // With a balance, so that nothing that is sent closes it.
  const of = await gateway.given.account({ balanceMinor: 100n });
  const given = await gateway.given.beneficiary({ of });
  const { rest } = gateway.as(given.caller);
  const { endpointId: endpoint } = (await rest.post('/webhook-endpoints', { url: 'https://bank.example/' })).body;
  const { deliveryId: delivery } = (await rest.post(`/webhook-endpoints/${endpoint}/test`, { type: 'card.frozen' }))
    .body;
  const hold = await new HoldClient(gateway, given).placed();
  return {
    ...(await gateway.given.statement({ of: given })),
    beneficiary: given.beneficiary,
    endpoint,
    delivery,
    hold,
  };
}

/**
 * What must never come back: words that no schema, message or path of ours has, and numbers that look like somebody's.
 */
const WORD = 'CANARYMARKED';
const CANARIES = [WORD, '123-45-6789', '4111111111111111', 'canary@marked.example'];

/** Texts that break things: wrong encodings, ends of ranges, words of other languages, and the canaries. */
const text = fc.oneof(
  anyCharacters(40),
  fc.string({ maxLength: 12 }),
  fc.constantFrom(
    ...CANARIES,
    '',
    ' ',
    '\0',
    '\ud800',
    '\u202e',
    'null',
    'true',
    '-1',
    '0',
    '1e400',
    '9'.repeat(40),
    '١٢',
    'x'.repeat(5000),
    "' OR 1=1 --",
    '"; DROP TABLE account; --',
    '$1',
    '#{1}',
    '{{1}}',
    '../../etc/passwd',
    '%00',
    '%',
    '__proto__',
    'constructor',
    'toString',
    'then',
    '2026-02-30',
    '2026-01-02T03:04:05Z',
    '9999-12-31',
    '0000-00-00',
    '*****1234',
  ),
);
/**
 * For what is told on purpose unless it looks like somebody's: ids in a path, the client's id of a request, names of
 * fields.
 */
const told = text.map(value => value.replaceAll(WORD, 'word'));
const number = fc.oneof(
  fc.integer(),
  fc.double(),
  fc.constantFrom(0, -0, 1e308, -1e308, 2 ** 53, 2 ** 31, -(2 ** 63), 0.1 + 0.2, 5e-324),
);
const { json } = fc.letrec<{ json: unknown }>(tie => ({
  json: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    text,
    number,
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('json'), { maxLength: 4 }),
    fc.dictionary(told, tie('json'), { maxKeys: 4 }),
  ),
}));

const LEFT_OUT = Symbol('left out');

/** A good value, of which a few parts are replaced, left out or added. */
function bent(good: unknown): fc.Arbitrary<unknown> {
  const change = fc.tuple(fc.nat(), fc.oneof(json, text, fc.constant(LEFT_OUT)), told);
  return fc.array(change, { maxLength: 2 }).map(changes => changes.reduce<unknown>(changed, good));
}

/** Walks down by the digits of `way`, so that each part is met now and then. */
function changed(value: unknown, [way, put, added]: readonly [number, unknown, string]): unknown {
  if (typeof value !== 'object' || value === null || way % 7 === 6) return put === LEFT_OUT ? undefined : put;
  const names = Object.keys(value);
  const at = way % (names.length + 1);
  const name = names[at] ?? added;
  const next = Math.floor(way / (names.length + 1));
  const part = changed((value as Record<string, unknown>)[name], [next, put, added]);
  return Array.isArray(value) ? [...value.slice(0, at), part, ...value.slice(at + 1)] : { ...value, [name]: part };
}

const anyHeaders = fc.record(
  {
    'x-idempotency-key': text,
    'idempotency-key': text,
    'x-request-id': told,
    accept: fc.oneof(
      text,
      fc.constantFrom('application/json', 'text/csv;q=0', '*/*;q=x', 'application/pdf', 'application/x-ofx'),
    ),
    'content-type': fc.constantFrom(
      'application/json',
      'application/json;charset=utf-16',
      'application/pdf',
      'text/plain',
      '',
    ),
    'content-encoding': fc.constantFrom('identity', 'gzip'),
    'if-none-match': text,
    'if-match': text,
    range: fc.oneof(text, fc.constantFrom('bytes=0-', 'bytes=-1', 'bytes=9-1', 'bytes=0-0,2-3')),
    traceparent: text,
    'accept-language': text,
  },
  { requiredKeys: [] },
);
const headers = fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: anyHeaders });

const PARAMETERS: Record<string, readonly string[]> = {
  'GET /accounts/:accountId/beneficiaries': ['offSet', 'offset', 'limit'],
  'GET /accounts/:accountId/statements': ['offSet', 'limit', 'documentType'],
  'POST /accounts/:accountId/statements': ['statementDate', 'description'],
  'GET /cards/v1/cards/:cardId': ['accountId'],
  'GET /events': ['after', 'types', 'accountId', 'limit'],
  'GET /approvals': ['after', 'limit', 'status'],
  'GET /search': ['text'],
  'GET /accounts/:accountId/holds': ['offSet', 'offset', 'limit', 'status'],
  'POST /accounts/:accountId/holds': ['dryRun'],
  'POST /accounts/:accountId/holds/:holdId/capture': ['dryRun'],
  'GET /accounts/:accountId/transfers': ['offSet', 'offset', 'limit'],
  'POST /transfers': ['dryRun'],
  'POST /imports/customers': ['dryRun'],
  'POST /statement-runs': ['dryRun'],
  'GET /webhook-endpoints': ['offSet', 'offset', 'limit'],
  'GET /statement-runs': ['offSet', 'offset', 'limit', 'documentType', 'period'],
  'GET /tax-filings': ['offSet', 'offset', 'limit', 'taxYear'],
  'GET /tax-filings/:filingId/returns': ['offSet', 'offset', 'limit', 'state'],
  'GET /tax-years/:taxYear/payees': ['offSet', 'offset', 'limit', 'list'],
  'GET /statement-runs/:runId/left-out': ['offSet', 'offset', 'limit'],
  'GET /webhook-endpoints/:endpointId/deliveries': ['after', 'limit', 'status', 'accountId', 'types'],
  'GET /transactions': ['format', 'bom', 'startTime', 'endTime', 'status', 'category', 'minAmount', 'search'],
  'GET /accounts/:accountId/transactions': [
    'offSet',
    'limit',
    'snapshot',
    'startTime',
    'endTime',
    'status',
    'debitCreditMemo',
    'category',
    'transactionType',
    'minAmount',
    'maxAmount',
    'search',
  ],
};

/** Parameters that the route knows, and now and then one that it does not. */
function queryOf(route: string): fc.Arbitrary<[string, string][]> {
  const known = PARAMETERS[route] ?? [];
  const name = known.length > 0 ? fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...known) }, told) : told;
  const good = fc.constantFrom(
    '1',
    '10',
    '2026-01-01',
    '2026-01-01T00:00:00Z',
    'POSTED',
    'DEBIT',
    '1099',
    'Statements',
    '0.01',
  );
  const pair = fc.tuple(name, fc.oneof(good, text, number.map(String)));
  const maxLength = known.length > 0 ? 3 : 1;
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant<[string, string][]>([]) },
    { weight: 1, arbitrary: fc.array(pair, { maxLength }) },
  );
}

/** What was sent, and what came back. */
export interface Shot {
  readonly sent: unknown;
  readonly answer: Answer;
}

/** Bent requests at every route. */
export async function routeShots(gateway: TestGateway, of: Target): Promise<fc.Arbitrary<() => Promise<Shot>>> {
  const customer = of.owners[0] as string;
  const bodies: Record<string, unknown> = {
    'POST /accounts': {
      accountId: 'acc-1',
      accountType: 'CD',
      currency: 'USD',
      timeZone: 'UTC',
      interestBearing: true,
      openedOn: '2026-01-01',
      overdraftLimit: 1.5,
      owners: [customer],
    },
    'PATCH /accounts/:accountId': { accountType: 'CD', interestBearing: true, overdraftLimit: 1.5 },
    'POST /accounts/:accountId/restrict': { reason: 'Because' },
    'POST /accounts/:accountId/unrestrict': { reason: 'Because' },
    'POST /accounts/:accountId/close': { reason: 'Because' },
    'POST /accounts/:accountId/reveal': { customerId: customer, reason: 'Because' },
    'POST /customers': newCustomer(),
    'PATCH /customers/:customerId': newCustomer(),
    'POST /customers/:customerId/erase': { reason: 'Request 118' },
    'POST /accounts/:accountId/beneficiaries': newBeneficiary(),
    'PATCH /accounts/:accountId/beneficiaries/:beneficiaryId': newBeneficiary(),
    'POST /accounts/:accountId/owners/add': { holders: [{ customerId: customer }] },
    'POST /accounts/:accountId/owners/remove': { holders: [{ customerId: randomUUID() }] },
    'POST /cards/v1/cards': newCard(of.account, customer),
    'POST /approvals/:approvalId/reject': { reason: 'No.' },
    'POST /statement-runs': { documentType: 'STATEMENTS', period: '2026-01' },
    'POST /statement-runs/:runId/stop': { reason: 'Because' },
    'POST /tax-filings': { taxYear: 2026 },
    'POST /tax-filings/:filingId/outcome': { outcome: 'SENT' },
    ...Object.fromEntries(
      IMPORT_NAMES.map(name => [`POST /imports/${name}`, { lines: JSON.stringify(newCustomer()), firstLine: 1 }]),
    ),
    'POST /accounts/:accountId/transactions/:transactionId/reverse': { reason: 'Because' },
    'POST /accounts/:accountId/holds': { ...newHold(), amount: 75 },
    'POST /accounts/:accountId/holds/:holdId/capture': { amount: 1, keepRest: true },
    'POST /transfers/:transferId/reverse': { reason: 'Because' },
    'POST /transfers': { ...transferOf({ from: of, to: { account: 'demo-1002' } }), amount: 250 },
    'POST /webhook-endpoints': { url: 'https://bank.example/', types: ['card.frozen'], accountIds: [of.account] },
    'PATCH /webhook-endpoints/:endpointId': { url: 'https://bank.example/', status: 'ENABLED' },
    'POST /webhook-endpoints/:endpointId/test': { type: 'card.frozen' },
    'POST /webhook-endpoints/:endpointId/recover': { since: new Date().toISOString() },
    'POST /simulate/clock': { forward: 'PT1S' },
    'POST /simulate/month-close': { month: '2026-06' },
  };
  const simulated = (route: string): object => {
    const body = simulationBody(route, of.account);
    return body ? { ...body, ...payment } : leastBeneficiary();
  };
  const payment = { amount: 12.5, description: 'Salary', seed: 7 };
  const good: Record<string, string> = {
    accountId: of.account,
    beneficiaryId: of.beneficiary,
    cardId: 'card-1',
    holdId: of.hold,
    customerId: customer,
    transactionId: 'transaction-1',
    docType: 'Statements',
    statement: of.statement,
    endpointId: of.endpoint,
    deliveryId: of.delivery,
    runId: randomUUID(),
    approvalId: randomUUID(),
    transferId: 'transfer-1',
    filingId: randomUUID(),
    part: '1',
    requestId: 'close-4711',
    sessionId: randomUUID(),
    taxYear: '2025',
  };
  const shots = (await servedBy(gateway).routes()).map(route => {
    const [method = '', pattern = ''] = route.split(' ');
    const names = [...pattern.matchAll(/:(\w+)/g)].map(([, name]) => name as string);
    const segments = fc.record(
      Object.fromEntries(
        names.map(name => [
          name,
          fc.oneof({ weight: 9, arbitrary: fc.constant(good[name]) }, { weight: 1, arbitrary: told }),
        ]),
      ),
    );
    const pdf = pdfOf().toString('latin1');
    const isUpload = route === 'POST /accounts/:accountId/statements';
    const body = isUpload
      ? fc.oneof(
          fc.constant(pdf),
          text,
          fc.tuple(fc.nat(pdf.length), text).map(([at, add]) => pdf.slice(0, at) + add + pdf.slice(at)),
        )
      : bent(bodies[route] ?? simulated(route)).map(value => JSON.stringify(value) ?? '');
    return fc
      .tuple(segments, queryOf(route), headers, body)
      .map(([given, pairs, more, sent]) => async (): Promise<Shot> => {
        const path = pattern.replace(/:(\w+)/g, (_, name: string) => encodedText(given[name] as string));
        const search = new URLSearchParams(isUpload ? [['statementDate', '2026-01-31'], ...pairs] : pairs).toString();
        const asking = {
          method,
          path: search ? `${path}?${search}` : path,
          headers: sendable({
            'content-type': isUpload ? 'application/pdf' : 'application/json',
            ...more,
          }),
          ...(method !== 'GET' && { body: Buffer.from(sent, 'latin1') }),
        };
        return { sent: { ...asking, body: sent }, answer: await gateway.as(of.caller).raw(asking) };
      });
  });
  return fc.oneof(...shots);
}

/** Bent variables and documents of every query and every mutation. */
export async function operationShots(gateway: TestGateway, of: Target): Promise<fc.Arbitrary<() => Promise<Shot>>> {
  const values = {
    accountId: of.account,
    beneficiaryId: of.beneficiary,
    cardHolderId: of.owners[0],
    endpointId: of.endpoint,
    deliveryId: of.delivery,
  };
  const rarely = fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: json });
  const shots = (await operationsServed(gateway, values)).map(operation => {
    const bodies = fc.record({
      query: documentOf(operation),
      variables: bent(operation.variables),
      operationName: rarely,
      extensions: rarely,
    });
    return fc.tuple(bodies, headers).map(([body, more]) => async (): Promise<Shot> => {
      const type = { 'content-type': 'application/json' };
      const asking = { method: 'POST', path: '/graphql', headers: sendable({ ...more, ...type }), body };
      return { sent: asking, answer: await gateway.as(of.caller).raw(asking) };
    });
  });
  return fc.oneof(...shots);
}

/** Mostly the document as it is, so that its variables are reached. Names in it are told, values are not. */
function documentOf({ text: document }: Operation): fc.Arbitrary<string> {
  const cut = fc.nat(document.length).map(at => document.slice(0, at));
  const added = fc
    .tuple(fc.nat(document.length), told)
    .map(([at, more]) => document.slice(0, at) + more + document.slice(at));
  const quoted = text.map(value => document.replace(/\$v0(?!:)/, JSON.stringify(value)));
  return fc.oneof({ weight: 6, arbitrary: fc.constant(document) }, cut, added, quoted);
}

function encodedText(value: string): string {
  return encodeURIComponent(value.toWellFormed());
}

/** Node refuses to send some values at all. */
function sendable(given: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, value.replace(/[^\x20-\x7e\x80-\xff]/g, '')]),
  );
}

const INNARDS =
  /\n\s+at |node_modules|[\w/]\.(ts|js|mjs):\d+|\b(SELECT|INSERT|UPDATE) .+ (FROM|INTO|SET)\b|pg_|ECONN|syntax error|violates|MikroORM|undefined is not/;

/** What is wrong with an answer to whatever was sent; null where nothing is. */
export function flawOf({ answer: { status, text: said, headers: given, body } }: Shot): string | null {
  const code: unknown = body?.code ?? restCode(body?.errors?.[0]?.extensions?.code);
  if (status >= 500 || said.includes('internal_error')) return `it broke inside (${status})`;
  if (!given['x-request-id'] && status !== 400) return 'it has no request id';
  const isRefusal = status >= 400 || body?.errors !== undefined;
  if (!isRefusal) return null;
  if (typeof code !== 'string' && status !== 304) return 'a refusal without a code';
  if (INNARDS.test(said)) return 'it tells what is inside';
  const words = JSON.stringify({ ...body, data: undefined });
  return CANARIES.some(canary => words.includes(canary)) ? 'it repeats what was sent' : null;
}

/** Shoots until something gives way; throws with the smallest shot that does. */
export async function attack(
  gateway: TestGateway,
  arbitrary: fc.Arbitrary<() => Promise<Shot>>,
  options: fc.Parameters<[() => Promise<Shot>]>,
  see: (shot: Shot) => void = () => undefined,
): Promise<void> {
  const property = fc.asyncProperty(arbitrary, async shoot => {
    const before = gateway.log.length;
    const shot = await shoot();
    see(shot);
    const flaw = flawOf(shot) ?? logFlaw(gateway.log.slice(before));
    const sent = JSON.stringify(shot.sent).slice(0, 3000);
    if (flaw) throw new Error(`${flaw}: ${sent} -> ${shot.answer.text.slice(0, 1000)}`);
  });
  await fc.assert(property, options);
}

function logFlaw(lines: readonly string[]): string | null {
  if (lines.some(line => /"level":"(error|fatal)"/.test(line))) return 'an error is in the log';
  return CANARIES.some(canary => lines.some(line => line.includes(canary))) ? 'what was sent is in the log' : null;
}
