import { keyed, unique } from '../../../test/support/gateway.js';
import { CARD_LAST4, HISTORY_LENGTH, JOINT, MAREN, OWN, type Bank } from '../../../test/session/bank.js';
import { until } from '../../../test/support/until.js';
import type { Operator } from './operator.js';

/** A screen of the console, or one of its dialogs. */
export interface ScreenOf {
  readonly name: string;
  /** Below `/console`. */
  readonly path: string;
  /** Opens the dialog. */
  readonly open?: (operator: Operator) => Promise<void>;
}

interface Runs {
  readonly statementRuns: { readonly nodes: readonly { readonly runId: string }[] };
}

const TABS = ['', '/history', '/owners', '/beneficiaries', '/cards', '/holds', '/documents', '/events'];

/** Every screen, with something on it. */
export async function screensOf(bank: Bank): Promise<readonly ScreenOf[]> {
  const approval = await waitingApproval(bank);
  const delivery = await failedDelivery(bank);
  const request = await refusedRequest(bank);
  const { data } = await (await bank.somebody()).graphql<Runs>('{ statementRuns(first: 1) { nodes { runId } } }');
  const at = (name: string, path: string, open?: ScreenOf['open']): ScreenOf => ({ name, path, ...(open && { open }) });
  return [
    at('home', '/'),
    at('search', '/?text=Ashdown'),
    at('search without a result', '/?text=Nobody'),
    at('accounts', '/accounts'),
    ...TABS.map(tab => at(`account${tab.replace('/', ' ')}`, `/accounts/${JOINT}${tab}`)),
    at('no account', '/accounts/nobodys'),
    at('customers', '/customers'),
    at('customers of a name', '/customers?text=Ashdown'),
    at('customer', `/customers/${MAREN}`),
    at('no customer', '/customers/00000000-0000-4000-8000-000000000000'),
    at('approvals', '/approvals'),
    at('approval', `/approvals/${approval}`),
    at('statement runs', '/statement-runs'),
    at('statement run', `/statement-runs/${String(data.statementRuns.nodes[0]?.runId)}`),
    at('tax year', '/tax/2025'),
    at('no filing', '/tax/filings/00000000-0000-4000-8000-000000000000'),
    at('webhooks', '/webhooks'),
    at('endpoint', `/webhooks/${bank.own.endpoint}`),
    at('delivery', `/webhooks/${bank.own.endpoint}/${delivery}`),
    at('requests', '/requests'),
    at('request', `/requests/${request}`),
    at('no request', '/requests/nobodys'),
    at('imports', '/imports'),
    {
      name: 'import of CSV',
      path: '/imports',
      open: async operator => {
        const buffer = Buffer.from('Customer ID;Last name\r\n0000d0f2-0000-4000-8000-000000000000;Quill\r\n');
        await operator.hands.attach('File', { name: 'customers.csv', mimeType: 'text/csv', buffer });
        await operator.reads('Columns');
      },
    },
    at('history', '/history'),
    at('filtered history', '/history?startTime=1995-01-01&endTime=1995-12-31&transactionType=FEE'),
    at('changes', '/changes'),
    ...['', '/letterhead', '/approvals', '/limits', '/clients', '/people', '/tokens'].map(part =>
      at(`settings${part.replace('/', ' ')}`, `/settings${part}`),
    ),
    at('sandbox', '/sandbox'),
    at('nothing', '/nothing/is/here'),
    ...dialogs(bank, delivery),
  ];
}

function dialogs(bank: Bank, delivery: string): readonly ScreenOf[] {
  const button = (name: string, path: string, ...labels: readonly string[]): ScreenOf => ({
    name,
    path,
    open: async operator => {
      for (const label of labels) await operator.press('button', label);
    },
  });
  const account = `/accounts/${JOINT}`;
  const endpoint = `/webhooks/${bank.own.endpoint}`;
  return [
    { name: 'keys', path: '/accounts', open: operator => operator.page.keyboard.press('?') },
    button('a filter of days', `${account}/history`, 'Filter', 'Posted'),
    button('a filter of types', `${account}/history`, 'Filter', 'Type'),
    { name: 'the palette', path: '/accounts', open: operator => operator.page.keyboard.press('ControlOrMeta+k') },
    button('change the letterhead', '/settings/letterhead', 'Change the letterhead'),
    button('change the payer', '/settings', 'Change the payer'),
    button('change the rules of approvals', '/settings/approvals', 'Change the rules', 'Add currency of postings'),
    button('change the limits', '/settings/limits', 'Change the limits', 'Add currency'),
    button('change the clients', '/settings/clients', 'Change the clients'),
    button('change the groups', '/settings/people', 'Change the groups', 'Add group'),
    button('remove the payer', '/settings', 'Remove the payer of interest'),
    button('end a session', '/settings/people', 'End the session of Otto Marlowe'),
    button('revoke tokens', '/settings/tokens', 'Revoke tokens'),
    button('add a customer', '/customers', 'Add customer', 'Add e-mail', 'Add telephone', 'Add address'),
    button('edit a customer', `/customers/${MAREN}`, 'Edit'),
    button('erase a customer', `/customers/${MAREN}`, 'Actions for Maren Ashdown', 'Erase personal data'),
    button('open an account', `/customers/${MAREN}`, 'Open account'),
    button('edit an account', account, `Actions for ${JOINT}`, 'Edit'),
    button('actions for an account', account, `Actions for ${JOINT}`),
    button('close an account', account, `Actions for ${JOINT}`, 'Close account'),
    button('set limits', account, `Actions for ${JOINT}`, 'Set limits'),
    button('post a transaction', account, `Actions for ${JOINT}`, 'Post a transaction'),
    button('upload a document', `${account}/documents`, 'Upload a document'),
    button('add a note', account, 'Add note'),
    { name: 'review of requests', path: '/approvals', open: operator => operator.press('button', /^Review/) },
    button('move money', account, 'Move money'),
    button('add a beneficiary', `${account}/beneficiaries`, 'Add beneficiary'),
    button('delete a beneficiary', `${account}/beneficiaries`, 'Actions for Grace Lindqvist', 'Delete'),
    button('add an owner', `${account}/owners`, 'Add owner'),
    button('remove an owner', `${account}/owners`, 'Actions for Maren Ashdown', 'Remove owner'),
    button('reveal personal data', `${account}/owners`, 'Actions for Maren Ashdown', 'Reveal personal data'),
    button('create a card', `${account}/cards`, 'Create card'),
    button('freeze a card', `${account}/cards`, `Freeze card ${CARD_LAST4}`),
    button('place a hold', `${account}/holds`, 'Place hold'),
    button('capture a hold', `${account}/holds`, `Capture ${bank.own.hold}`),
    button('export the history', `${account}/history`, 'Export'),
    { name: 'a transaction', path: `${account}/history/h-${HISTORY_LENGTH - 1}` },
    button('refund a fee', `${account}/history/h-6`, 'Refund the fee'),
    { name: 'a document', path: `${account}/documents/${bank.own.statement}` },
    button('add an endpoint', '/webhooks', 'Add an endpoint'),
    button('edit an endpoint', endpoint, `Actions for ${new URL(bank.receiver.url).host}`, 'Edit'),
    button('send a test event', endpoint, 'Send a test event'),
    button('send a delivery again', `${endpoint}/${delivery}`, 'Send again'),
    button('authorise a purchase', '/sandbox', 'Authorise a purchase'),
  ];
}

async function waitingApproval(bank: Bank): Promise<string> {
  const { account } = await bank.gateway.given.account({ program: OWN });
  const asker = await bank.somebody();
  const { body } = await asker.rest.post(
    `/accounts/${account}/close`,
    { reason: 'CUSTOMER_REQUEST' },
    keyed(unique('close')),
  );
  return String(body.approvalId);
}

async function failedDelivery(bank: Bank): Promise<string> {
  const sender = await bank.somebody();
  const { body } = await sender.rest.post(`/webhook-endpoints/${bank.own.endpoint}/test`, { type: 'card.frozen' });
  await bank.failed(String(body.deliveryId));
  return String(body.deliveryId);
}

async function refusedRequest(bank: Bank): Promise<string> {
  const id = unique('refused');
  const sender = await bank.somebody();
  await sender.rest.post('/holds', {}, { 'x-request-id': id });
  await sender.rest.post(`/accounts/${JOINT}/holds`, { amount: 0 }, { 'x-request-id': id });
  const { gateway } = bank;
  await until(async () => {
    const { rows } = await gateway.sql.query('SELECT FROM api_request WHERE request_id = $1', [id]);
    return rows.length === 2;
  });
  return id;
}
