import type { ComponentType } from 'preact';
import type { IconName } from './ui/icon.js';

export interface Route {
  /** Such as `/accounts/:accountId/:tab?`; the screen gets the values by these names. */
  readonly pattern: string;
  /** Loads the screen, with those that are used beside it. */
  readonly load: () => Promise<ComponentType<Readonly<Record<string, string>>>>;
}

export interface Place {
  readonly label: string;
  readonly path: string;
  readonly icon: IconName;
  /** One of these scopes is needed to see anything there. */
  readonly scopes: readonly string[];
  /** Only where things can be made to happen. */
  readonly isSandbox?: true;
  /** Pressed after `g`, it goes there. */
  readonly key: string;
}

const screens = () => import('./screens/screens.js');
const operations = () => import('./screens/operations.js');

/** Every screen. The first pattern that the address matches is shown. */
export const ROUTES: readonly Route[] = [
  { pattern: '/', load: async () => (await screens()).Home },
  { pattern: '/accounts', load: async () => (await screens()).Accounts },
  {
    pattern: '/accounts/:accountId/:tab?/:item?',
    load: async () => (await screens()).AccountScreen,
  },
  { pattern: '/customers', load: async () => (await screens()).Customers },
  {
    pattern: '/customers/:customerId',
    load: async () => (await screens()).CustomerScreen,
  },
  { pattern: '/approvals', load: async () => (await screens()).Approvals },
  {
    pattern: '/approvals/:approvalId',
    load: async () => (await screens()).ApprovalScreen,
  },
  { pattern: '/statement-runs', load: async () => (await operations()).Runs },
  { pattern: '/statement-runs/:runId', load: async () => (await operations()).RunScreen },
  { pattern: '/tax/:taxYear?', load: async () => (await operations()).Tax },
  { pattern: '/tax/filings/:filingId', load: async () => (await operations()).FilingScreen },
  { pattern: '/webhooks', load: async () => (await operations()).Webhooks },
  {
    pattern: '/webhooks/:endpointId',
    load: async () => (await operations()).EndpointScreen,
  },
  {
    pattern: '/webhooks/:endpointId/:deliveryId',
    load: async () => (await operations()).DeliveryScreen,
  },
  { pattern: '/requests', load: async () => (await operations()).Requests },
  { pattern: '/requests/:requestId', load: async () => (await operations()).RequestScreen },
  { pattern: '/imports', load: async () => (await operations()).Imports },
  { pattern: '/history', load: async () => (await screens()).ProgramTransactions },
  { pattern: '/changes', load: async () => (await screens()).Changes },
  { pattern: '/settings/:part?', load: async () => (await operations()).Settings },
  { pattern: '/sandbox', load: async () => (await operations()).Sandbox },
];

/** The navigation, in its order. */
export const PLACES: readonly Place[] = [
  { label: 'Home', path: '/', icon: 'home', scopes: ['accounts.read'], key: 'h' },
  { label: 'Accounts', path: '/accounts', icon: 'account', scopes: ['accounts.read'], key: 'a' },
  { label: 'Customers', path: '/customers', icon: 'person', scopes: ['operations.read'], key: 'u' },
  { label: 'Approvals', path: '/approvals', icon: 'approvals', scopes: ['operations.read'], key: 'p' },
  { label: 'Statement runs', path: '/statement-runs', icon: 'documents', scopes: ['operations.read'], key: 'r' },
  { label: 'Tax', path: '/tax', icon: 'tax', scopes: ['operations.read'], key: 'x' },
  { label: 'Webhooks', path: '/webhooks', icon: 'webhooks', scopes: ['operations.read'], key: 'w' },
  { label: 'Requests', path: '/requests', icon: 'requests', scopes: ['operations.read'], key: 'q' },
  { label: 'Imports', path: '/imports', icon: 'imports', scopes: ['operations'], key: 'i' },
  { label: 'History', path: '/history', icon: 'history', scopes: ['transactions.read'], key: 't' },
  { label: 'Changes', path: '/changes', icon: 'changes', scopes: ['operations.read'], key: 'c' },
  { label: 'Settings', path: '/settings', icon: 'settings', scopes: ['operations.read'], key: 'e' },
  { label: 'Sandbox', path: '/sandbox', icon: 'sandbox', scopes: ['operations.read'], key: 's', isSandbox: true },
];
