import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { readConfig } from '../../src/app/config.js';
import { EXAMPLE_OPERATIONS, LIVE_EXAMPLE, SANDBOX_EXAMPLE } from '../../src/app/examples.js';
import { jobsDone } from '../support/jobs.js';
import { startGatewayInside, type GatewayInThisProcess } from '../support/gateway-inside.js';
import { SCOPES } from '../../src/shared/caller.js';
import type { AnyBody } from '../support/http.js';
import { subscriptions } from '../platform/graphql/subscriptions/listening.js';
import { postSome } from '../transaction/support/ledger.js';
import { openChromium } from './chromium.js';
import { Visitor, testInChromium } from './visitor.js';

let gateway: GatewayInThisProcess;
let browser: Browser | null;
let visitor: Visitor;

beforeAll(async () => {
  [gateway, browser] = await Promise.all([startGatewayInside({ demoData: true }), openChromium()]);
});
beforeEach(async () => {
  if (browser) visitor = await Visitor.arrive(browser, gateway.url);
});
afterEach(async () => {
  if (browser) await visitor.leave();
});
afterAll(async () => {
  await browser?.close();
  await gateway.stop();
});

const EXAMPLE_NAMES = [...EXAMPLE_OPERATIONS, SANDBOX_EXAMPLE].map(
  ({ query }) => /^(?:query|mutation) (\w+)/m.exec(query)?.[1] ?? '',
);

const TABS = [...EXAMPLE_NAMES, 'Live'];

/** Writes an operation over what is in the editor of GraphiQL. */
async function write(page: Page, name: string, operation: string): Promise<void> {
  await page.locator('.graphiql-query-editor textarea').focus();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.insertText(`query ${name} ${operation}`);
  await page.locator('.graphiql-tab-active').getByText(name).waitFor();
}

/** What an editor shows, in which blanks are no blanks. */
const shown = (text: string | null): string => (text ?? '').replaceAll('\u00a0', ' ');

testInChromium('what the start page lets copy works in a shell as it is', async () => {
  const { page } = visitor;
  await page.goto(gateway.url);
  const copied: string[] = [];
  for (const id of ['token', 'rest', 'graphql', 'happen']) {
    await page.click(`#${id} button`);
    await page.waitForSelector(`#${id} button:text("Copied")`);
    copied.push(await page.evaluate<string>('navigator.clipboard.readText()'));
  }
  // A line that is wider than the page would have to be scrolled for its end.
  expect(await page.$eval('#token pre', pre => pre.scrollWidth - pre.clientWidth)).toBe(0);
  const { stdout } = await promisify(execFile)('sh', ['-c', copied.join('\necho\n')]);
  const [rest, graphql, happened] = stdout
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line));
  expect(rest.accountBeneficiaries).toHaveLength(1);
  expect(graphql.data.accounts.nodes).toHaveLength(3);
  expect(happened.depositTransaction.transactionType).toBe('DIRECTDEPOSIT');
  expect([visitor.elsewhere, visitor.complaints]).toEqual([[], []]);
});

testInChromium('every address of the start page is served', async () => {
  const { page } = visitor;
  await page.goto(gateway.url);
  const links = await page.$$eval('a', anchors => anchors.map(anchor => anchor.getAttribute('href') ?? ''));
  expect(new Set(links)).toEqual(
    new Set(['/graphiql', '/graphql', '/docs', '/problems', '/openapi.json', '/livez', '/readyz', '/metrics']),
  );
  for (const link of links) {
    const answer = await page.request.get(gateway.url + link, { headers: { accept: 'text/html' } });
    expect([link, answer.status()]).toEqual([link, 200]);
  }
});

testInChromium('GraphiQL opens with an answer, and runs what is typed, with a token that is not shown', async () => {
  const { page } = visitor;
  await page.goto(`${gateway.url}/graphiql`);
  const result = page.locator('.result-window');
  await result.getByText('demo-1003').waitFor();
  expect(await page.locator('#root').textContent()).not.toContain('eyJ');

  await write(page, 'Owners', '{ account(accountId: "demo-1002") { owners { name { first } } } }');
  await page.click('.graphiql-execute-button');
  await result.getByText('Maren').waitFor();
  expect(shown(await page.locator('.graphiql-query-editor .view-lines').textContent())).toContain('demo-1002');
  expect([visitor.elsewhere, visitor.complaints]).toEqual([[], []]);
});

testInChromium('GraphiQL has every example in a tab of its own, and each can be run', async () => {
  const { page } = visitor;
  await page.goto(`${gateway.url}/graphiql`);
  const tabs = page.locator('.graphiql-tab');
  await tabs.first().waitFor();
  expect(await page.locator('.graphiql-tab-button').allTextContents()).toEqual(TABS);
  for (const name of EXAMPLE_NAMES) {
    await tabs.getByText(name, { exact: true }).click();
    const [answer] = await Promise.all([
      page.waitForResponse(response => response.request().postData()?.includes(` ${name}`) === true),
      page.click('.graphiql-execute-button'),
    ]);
    expect([name, await answer.json()]).toEqual([name, { data: expect.any(Object) }]);
  }
});

testInChromium('GraphiQL shows a posting as it arrives, until it is stopped', async () => {
  const { page } = visitor;
  await page.goto(`${gateway.url}/graphiql`);
  await page.locator('.graphiql-tab-button').getByText('Live', { exact: true }).click();
  const execute = page.locator('.graphiql-execute-button');
  await execute.click();
  await subscriptions(gateway, 1);
  const caller = await gateway.caller({ program: 'demo' });
  const result = page.locator('.result-window');
  for (let posting = 1; posting <= 2; posting++) {
    const [id = ''] = await postSome(gateway, { account: String(LIVE_EXAMPLE.variables?.['accountId']), caller }, 1);
    await result.getByText(id).waitFor();
  }
  await execute.click();
  await subscriptions(gateway, 0);
  expect([visitor.elsewhere, visitor.complaints]).toEqual([[], []]);
});

testInChromium('GraphiQL knows the schema, keeps what was typed for the next visit, and no token', async () => {
  const { page } = visitor;
  const tabs = page.locator('.graphiql-tab-button');
  const run = async (name: string, answer: string) => {
    await tabs.getByText(name, { exact: true }).click();
    await page.click('.graphiql-execute-button');
    await page.locator('.result-window').getByText(answer).waitFor();
  };
  await page.goto(`${gateway.url}/graphiql`);
  await page.getByLabel('Show Documentation Explorer').click();
  await page.getByText('mutation', { exact: true }).waitFor();
  await write(page, 'Mine', '{ accounts(first: 1) { nodes { accountId } } }');
  await run('Mine', 'demo-1001');
  // GraphiQL saves a moment later. Playwright's own way to wait compiles code in the page, which the policy refuses.
  while (!(await page.evaluate("localStorage.getItem('graphiql:tabState').includes('query Mine')"))) {
    await page.waitForTimeout(10);
  }
  expect(await page.evaluate<string>('JSON.stringify(localStorage)')).not.toContain('eyJ');

  const sent: string[] = [];
  page.on('request', request => sent.push(request.postData() ?? ''));
  await page.reload();
  await run('Account', 'Maren');
  // What somebody wrote runs when they say so, whatever it does.
  expect(sent.filter(body => body.includes('query Mine'))).toEqual([]);
  await run('Mine', 'demo-1001');
  expect(await tabs.allTextContents()).toEqual(['Mine', ...TABS.slice(1)]);
  expect([visitor.elsewhere, visitor.complaints]).toEqual([[], []]);
});

testInChromium('the reference shows the routes and sends requests, with the token that is filled in', async () => {
  const { page } = visitor;
  await page.goto(`${gateway.url}/docs`);
  await page.getByRole('heading', { name: 'Tillgate' }).waitFor();
  await page.getByRole('link', { name: 'Beneficiaries' }).first().click();
  await page.getByRole('link', { name: 'Get a beneficiary' }).click();
  await page
    .getByRole('button', { name: 'Test Request' })
    .and(page.getByRole('button', { name: '{beneficiaryId}' }))
    .first()
    .click();
  const [answer] = await Promise.all([
    page.waitForResponse(response => response.url().includes('/beneficiaries/')),
    page.getByRole('button', { name: 'Send' }).last().click(),
  ]);
  expect([answer.status(), answer.url()]).toEqual([200, expect.stringContaining(`${gateway.url}/accounts/demo-1001/`)]);
  expect([visitor.elsewhere, visitor.complaints]).toEqual([[], []]);
});

/** The operations that are sent as /docs fills them in, with what must be there and not empty in the answer. */
const SENT: Record<string, string | null> = {
  getAccount: 'balances',
  getCustomer: 'name',
  listCustomers: 'customers',
  listBalances: 'balances',
  listBeneficiaries: 'accountBeneficiaries',
  getBeneficiary: 'addresses',
  listTransactions: 'transactions',
  exportProgramHistory: null,
  listStatements: 'statements',
  getCard: 'cardId',
  listStatementRuns: 'statementRuns',
  listTaxFilings: null,
  getTaxYear: 'steps',
  listTaxPayees: null,
  getOverview: 'currencies',
  getProgram: 'letterhead',
  getViewer: 'scopes',
  search: null,
  getEventChain: 'events',
  followEvents: 'events',
  getSimulatedClock: 'now',
  listOperatorSessions: null,
  listWebhookEndpoints: null,
  listRequests: null,
  listTokenRevocations: null,
  getProtectedResource: null,
  listApprovals: null,
  listHolds: null,
  listTransfers: null,
  listProgramTransfers: null,
  getTransferLimits: 'accountId',
  getEventSchema: null,
  isAlive: null,
  isReady: null,
  getMetrics: null,
  getOpenApi: null,
};
/**
 * Statements get their ids when they are issued, so the reference cannot name one; and the demo data has no webhooks,
 * approvals, holds and transfers.
 */
const WITHOUT_DEMO_DATA = [
  'getStatementRun',
  'getTaxFiling',
  'listTaxFiles',
  'downloadTaxFile',
  'listTaxReturns',
  'getRequest',
  'listLeftOutAccounts',
  'getHold',
  'getTransfer',
  'getApproval',
  'downloadStatement',
  'getWebhookEndpoint',
  'listWebhookDeliveries',
  'getWebhookDelivery',
  'listNotes',
];

test('every GET is sent as the reference fills it in, or the demo data has nothing for it', async () => {
  const reads = gateway.contract.operations.filter(({ method }) => method === 'get');
  expect(reads.map(({ id }) => id).sort()).toEqual([...Object.keys(SENT), ...WITHOUT_DEMO_DATA].sort());
  const caller = gateway.as(await gateway.caller({ scopes: SCOPES }));
  await jobsDone(gateway.sql);
  for (const { id, template, operation } of reads.filter(read => read.id in SENT)) {
    const answer = await caller.raw({ path: filledIn(template, operation) });
    expect([id, answer.status]).toEqual([id, 200]);
    const list = SENT[id];
    if (list) expect([[], undefined]).not.toContainEqual(answer.body[list]);
  }
});

/**
 * The path of an operation with the examples of the parameters that it needs, which is how the reference fills them in.
 */
function filledIn(template: string, { parameters = [] }: AnyBody): string {
  const needed = (parameters as AnyBody[])
    .map(parameter => gateway.contract.resolved(parameter, '')[0])
    .filter(({ required }) => required);
  const query = new URLSearchParams(
    needed
      .filter(({ in: place }) => place === 'query')
      .map(({ name, example }): [string, string] => [name, String(example)]),
  );
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(needed.find(parameter => parameter.name === name)?.example)),
  );
  return query.size > 0 ? `${path}?${query.toString()}` : path;
}

describe('the reference', () => {
  // Opening it costs most, and an operation leaves nothing in it that disturbs the next one.
  let reader: Visitor;
  beforeAll(async () => {
    if (!browser) return;
    reader = await Visitor.arrive(browser, gateway.url);
    await reader.page.goto(`${gateway.url}/docs`);
  });
  afterAll(async () => {
    if (browser) await reader.leave();
  });

  // Each takes seconds in a browser, so one stands for those with the same kinds of parameters and answers.
  for (const id of ['getAccount', 'listBalances', 'exportProgramHistory', 'getTaxYear', 'search', 'getMetrics']) {
    testInChromium(`the reference sends ${id} as it is filled in, and is answered`, () => sendFilledIn(id, reader));
  }
});

/** Leaves the page of the reference as it was, but for the tag that it unfolds. */
async function sendFilledIn(id: string, { page, elsewhere, complaints }: Visitor): Promise<void> {
  // One operation that fails does not make those after it fail.
  elsewhere.length = 0;
  complaints.length = 0;
  await page.keyboard.press('Escape');
  await jobsDone(gateway.sql);
  const described = gateway.contract.operations.find(one => one.id === id);
  if (!described) throw new Error(`There is no operation ${id}.`);
  const { template, operation } = described;
  // Roles and names are looked up in the sections alone: in the whole page, which grows with each tag that is unfolded,
  // that takes longer than all else.
  const tag = `tag/${operation['tags'][0].toLowerCase().replaceAll(' ', '-')}`;
  const place = `${tag}/GET${template}`;
  const link = page.locator(`a[href="#${place}"]`, { hasText: operation['summary'] });
  if (!(await link.isVisible())) await page.locator(`a[href="#${tag}"]`).click();
  await link.click();
  const open = page.locator(`[id$="${place}"]`).getByRole('button', { name: `Test Request (get ${template})` });
  await open.click();
  const client = page.locator('.scalar-client--open');
  const path = template.replace('{accountId}', 'demo-1001').replace(/\{\w+\}.*/, '');
  const [answer] = await Promise.all([
    page.waitForResponse(response => new URL(response.url()).pathname.startsWith(path)),
    client.locator('[data-addressbar-action=send]:visible').click(),
  ]);
  expect([answer.status(), answer.url()]).toEqual([200, expect.not.stringContaining('search=')]);
  const list = SENT[id];
  if (list) expect([[], undefined]).not.toContainEqual((await answer.json())[list]);
  // Closed sooner, it would cancel the request and complain of that.
  await client.getByText('200 OK').first().waitFor();
  await page.keyboard.press('Escape');
  await client.waitFor({ state: 'hidden' });
  expect([elsewhere, complaints]).toEqual([[], []]);
}

testInChromium(
  'the page of problems shows the code of an address, without JavaScript, on a telephone too',
  async () => {
    const context = await browser?.newContext({ javaScriptEnabled: false, viewport: { width: 360, height: 640 } });
    const page = await context?.newPage();
    if (!page) return;
    await page.goto(`${gateway.url}/problems#statement_not_found`);
    const place = await page.locator('#statement_not_found').boundingBox();
    expect(place?.y).toBeGreaterThanOrEqual(0);
    expect(place?.y).toBeLessThan(100);
    const { width } = (await page.locator('main').boundingBox()) ?? { width: 0 };
    expect(width).toBeLessThanOrEqual(360);
    for (const article of await page.locator('article, table').all()) {
      const { x, width: wide } = (await article.boundingBox()) ?? { x: 0, width: 999 };
      expect(x + wide).toBeLessThanOrEqual(360);
    }
    await context?.close();
  },
);

describe('Apollo Sandbox', () => {
  testInChromium('points to GraphiQL where Apollo cannot be reached, and asks for its script alone', async () => {
    const { page } = visitor;
    await page.goto(`${gateway.url}/graphql`);
    await page.getByRole('alert').waitFor();
    await page.getByRole('link', { name: 'GraphiQL' }).click();
    await page.waitForURL(`${gateway.url}/graphiql`);
    expect(visitor.elsewhere).toEqual([
      expect.stringMatching(/^https:\/\/embeddable-sandbox\.cdn\.apollographql\.com\//),
    ]);
    expect(visitor.complaints.filter(text => !text.includes('net::ERR_NAME_NOT_RESOLVED'))).toEqual([]);
  });

  testInChromium('gets the address, an example that works, and no token', async () => {
    const { page } = visitor;
    // Stands in for Apollo's: it keeps what it is given, and sends what Apollo's frame would ask for.
    await page.route('https://embeddable-sandbox.cdn.apollographql.com/**', route =>
      route.fulfill({
        contentType: 'text/javascript',
        body: `self.EmbeddedSandbox = class {
          constructor(options) { self.given = options; document.querySelector(options.target).append(document.createElement('iframe')); }
        }`,
      }),
    );
    await page.goto(`${gateway.url}/graphql`);
    await page.waitForSelector('#sandbox iframe');
    expect(await page.locator('#away').count()).toBe(0);
    const given = JSON.parse(await page.evaluate<string>('JSON.stringify(given)'));
    expect(given).toMatchObject({ initialEndpoint: `${gateway.url}/graphql`, runTelemetry: false });
    expect(JSON.stringify(given)).not.toMatch(/eyJ/);
    const { document, variables, headers } = given.initialState;
    const ask = (sent: object) =>
      page.evaluate<AnyBody>(
        `given.handleRequest(given.initialEndpoint, ${JSON.stringify({
          method: 'POST',
          headers: { 'content-type': 'application/json', ...sent },
          body: JSON.stringify({ query: document, variables }),
        })}).then(response => response.json())`,
      );
    expect((await ask(headers)).data.accounts.nodes).toHaveLength(3);
    // What is typed into the place of the token is sent as it is.
    const acme = await gateway.caller({ program: 'acme' });
    expect((await ask({ Authorization: `Bearer ${acme}` })).data.accounts.nodes[0].accountId).toMatch(/^acme-/);
    expect((await ask({})).errors[0].extensions.code).toBe('UNAUTHENTICATED');
    expect(visitor.complaints.filter(text => !text.includes('401'))).toEqual([]);
  });
});

describe('where nothing is for development', () => {
  let closed: GatewayInThisProcess;
  beforeAll(async () => {
    const { graphql } = readConfig({});
    closed = await startGatewayInside({
      production: true,
      graphql: { ...graphql, explorer: true, introspection: false },
    });
  });
  afterAll(() => closed.stop());

  testInChromium('the explorers hold a place for a token, and run operations without the schema', async () => {
    const stranger = await Visitor.arrive(browser, closed.url);
    const { page, complaints, elsewhere } = stranger;
    const { caller, account } = await closed.given.account();
    await page.goto(`${closed.url}/graphiql`);
    await page.locator('.graphiql-execute-button').waitFor();
    const headers = page.locator('[aria-label="Headers"] .graphiql-editor:not(.hidden) .view-lines');
    expect(shown(await headers.textContent())).toContain('"Authorization": "Bearer "');
    await headers.click();
    await page.keyboard.press('ControlOrMeta+A');
    await page.evaluate(`navigator.clipboard.writeText('{"Authorization":"Bearer ${caller}"}')`);
    await page.keyboard.press('ControlOrMeta+V');
    await page.click('.graphiql-execute-button');
    await page.locator('.result-window').getByText(account).waitFor();
    expect([elsewhere, complaints]).toEqual([[], []]);
    await stranger.leave();
  });

  testInChromium('the start page and the reference work as well', async () => {
    const stranger = await Visitor.arrive(browser, closed.url);
    const { page, complaints, elsewhere } = stranger;
    await page.goto(closed.url);
    await page.getByText('an access token of').waitFor();
    await page.getByRole('link', { name: 'API reference' }).click();
    await page.getByRole('link', { name: 'Beneficiaries' }).first().click();
    await page.getByRole('link', { name: 'Get a beneficiary' }).waitFor();
    expect([elsewhere, complaints]).toEqual([[], []]);
    await stranger.leave();
  });
});
