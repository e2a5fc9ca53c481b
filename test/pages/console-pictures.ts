import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

import type { BrowserContext, Page } from 'playwright-core';
import { isLoaded } from '../../packages/console/test/in-page.mjs';

/**
 * One picture of each kind of screen of the console, by the name of its picture. The ending `-narrow` is the width of a
 * telephone, and `-dark` has dark colours.
 */
const SCREENS: Record<string, (page: Page) => Promise<unknown>> = {
  'sign-in': page => page.goto('/console'),
  'home-dark': page => signedIn(page, '', 'Latest changes'),
  search: async page => {
    await signedIn(page, '', 'Latest changes');
    await page.keyboard.press('/');
    await page.keyboard.type('Ashdown', { delay: 20 });
    await page.getByRole('option').nth(1).waitFor();
  },
  account: async page => {
    await signedIn(page, '/accounts/demo-1001', 'Latest transactions');
    await page.locator('canvas').waitFor();
  },
  documents: page => signedIn(page, '/accounts/demo-1001/documents', 'Upload a document'),
  holds: page => signedIn(page, '/accounts/demo-1001/holds', 'Quarry Road Fuel'),
  customers: page => signedIn(page, '/customers', 'Ashdown'),
  'customer-narrow-dark': page => signedIn(page, '/customers/0000d001-0000-4000-8000-000000000000', 'Person'),
  tax: page => signedIn(page, '/tax', 'Tax'),
  program: page => signedIn(page, '/settings', 'Payer of interest'),
  'approval-rules': page => signedIn(page, '/settings/approvals', 'Adding and removing owners'),
  limits: page => signedIn(page, '/settings/limits', 'Limits of each account'),
  history: page => signedIn(page, '/accounts/demo-1001/history?direction=DEBIT&from=2026-01-01', 'Quarry Road Fuel'),
  cards: page => signedIn(page, '/accounts/demo-1001/cards', 'Holder'),
  reveal: async page => {
    await signedIn(page, '/accounts/demo-1001/owners', 'Primary');
    await page.getByRole('button', { name: /^Actions for Maren/ }).click();
    await page.getByRole('button', { name: 'Reveal personal data' }).click();
    await page.getByLabel('Reason').fill('The caller could not answer the first question.');
  },
  events: page => signedIn(page, '/accounts/demo-1001/events', 'Intact'),
  approvals: async page => {
    await signedIn(page, '/approvals', 'demo-1009', 'Approver');
    await page.getByRole('link', { name: 'Remove owners from the account' }).first().click();
    await page.getByRole('button', { name: 'Approve' }).waitFor();
  },
  'statement-runs': page => signedIn(page, '/statement-runs', 'Started'),
  webhooks: async page => {
    await signedIn(page, '/webhooks', 'hooks.harborlight.example');
    await page.getByRole('link', { name: /hooks\.harborlight/ }).click();
    await page.getByRole('cell', { name: 'card.frozen' }).first().waitFor();
  },
  imports: async page => {
    await signedIn(page, '/imports', 'Check first');
    await page
      .getByLabel('File', { exact: true })
      .and(page.locator('input'))
      .setInputFiles({
        name: 'customers.ndjson',
        mimeType: 'application/x-ndjson',
        buffer: Buffer.from(CUSTOMERS.join('\n')),
      });
    await page.getByRole('button', { name: 'Check first' }).click();
    await page.getByRole('heading', { name: 'Rejected lines' }).scrollIntoViewIfNeeded();
  },
  changes: page => signedIn(page, '/changes', 'restricted demo-1005'),
  filters: async page => {
    await signedIn(page, '/history?transactionType=FEE', 'Monthly');
    await page.getByRole('button', { name: 'Add a filter' }).click();
    await page.getByRole('button', { name: 'Posted' }).click();
  },
  letterhead: page => signedIn(page, '/settings/letterhead', 'Account statement'),
  people: page => signedIn(page, '/settings/people', 'Otto Marlowe'),
  sandbox: page => signedIn(page, '/sandbox', 'Sandbox'),
};

export const CONSOLE_SHOTS: Readonly<Record<string, (page: Page) => Promise<unknown>>> = Object.fromEntries(
  Object.entries(SCREENS).map(([name, show]) => [`console-${name}`, show]),
);

const CUSTOMER = {
  customerId: '0000d0f1-0000-4000-8000-000000000000',
  name: {
    first: 'Juniper',
    last: 'Halloway',
  },
  taxId: '900-00-1234',
  taxIdCountry: 'US',
  governmentId: 'X0001234',
  dateOfBirth: '1991-04-12',
  contact: {
    email: ['juniper@example.test'],
    telephones: [],
  },
  addresses: [],
};
const CUSTOMERS = [
  JSON.stringify(CUSTOMER),
  '{"customerId": "0000d0f2-',
  JSON.stringify({ ...CUSTOMER, dateOfBirth: '1991-04-31' }),
  JSON.stringify({ ...CUSTOMER, name: { first: 'Juniper' } }),
];

const HOLD_MS = 7 * 24 * 3600 * 1000;

/** One session of each person for all pictures: the history would show nothing but sign-ins otherwise. */
const sessions = new Map<string, Cookies>();
type Cookies = Awaited<ReturnType<BrowserContext['cookies']>>;

async function signedIn(page: Page, path: string, text: string, as = 'Operator'): Promise<void> {
  const session = sessions.get(as);
  if (session) await page.context().addCookies(session);
  await page.goto(`/console${path}`);
  if (!session) await page.getByRole('button', { name: as, exact: true }).click();
  await page.locator('main').getByText(text).filter({ visible: true }).first().waitFor();
  while (!(await page.evaluate(isLoaded))) await page.waitForTimeout(20);
  sessions.set(as, await page.context().cookies());
  // The pointer would show what a control is for.
  await page.mouse.move(0, 0);
}

/**
 * Adds to the demo data what an operator's day has besides: a request that waits, and an endpoint that cannot be
 * reached.
 */
export async function prepareConsole(url: string, dataDir: string, env: NodeJS.ProcessEnv): Promise<void> {
  const file = join(dataDir, 'programs.json');
  await writeFile(file, JSON.stringify({ demo: { name: 'Harborlight', approvals: { changingOwners: true } } }));
  const run = (...args: string[]) => promisify(execFile)(process.execPath, ['dist/src/main.js', ...args], { env });
  await run('programs', 'set', file);
  const token = (await run('token', '--program', 'demo')).stdout.trim();
  const send = async (method: string, path: string, body?: object): Promise<Record<string, unknown>> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': path };
    const answer = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    return (await answer.json()) as Record<string, unknown>;
  };
  for (;;) {
    const { statementRuns } = (await send('GET', '/statement-runs?limit=100')) as {
      statementRuns?: readonly { status: string }[];
    };
    if (statementRuns?.length && statementRuns.every(({ status }) => status === 'FINISHED')) break;
    await sleep(500);
  }
  await send('POST', '/accounts/demo-1009/owners/remove', {
    holders: [{ customerId: '0000d009-0000-4000-8000-000000000000' }],
  });
  await send('POST', '/accounts/demo-1005/restrict', { reason: 'The card reader of a shop was tampered with.' });
  await send('POST', '/accounts/demo-1001/beneficiaries', {
    name: {
      first: 'Juniper',
      last: 'Halloway',
    },
    beneficiaryType: 'CONTINGENT',
    relationship: 'FRIEND',
    sharePercentage: 0,
  });
  const expiresAt = new Date(Date.now() + HOLD_MS).toISOString();
  const hold = { holdId: 'hold-1001-1', amount: 75, description: 'Quarry Road Fuel, pump 4', expiresAt };
  await send('POST', '/accounts/demo-1001/holds', hold);
  const { endpointId } = await send('POST', '/webhook-endpoints', {
    url: 'https://hooks.harborlight.example/tillgate',
    description: 'Ledger of the bank',
  });
  await send('POST', `/webhook-endpoints/${String(endpointId)}/test`, { type: 'card.frozen' });
  // The first screen shows figures that are counted after the events.
  const writtenMs = Date.now();
  for (;;) {
    const { asOf } = (await send('GET', '/overview')) as { asOf?: string | null };
    if (asOf && Date.parse(asOf) >= writtenMs) break;
    await sleep(500);
  }
}
