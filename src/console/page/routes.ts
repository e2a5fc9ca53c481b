import type { ComponentType } from 'preact';
import type { IconName } from './ui/icon.js';

export interface Route {
  /** Such as `/accounts/:accountId/:tab?`; the screen gets the values by these names. */
  readonly pattern: string;
  /** Loads the screen when it is first shown. */
  readonly load: () => Promise<ComponentType<Readonly<Record<string, string>>>>;
}

export interface Place {
  readonly label: string;
  readonly path: string;
  readonly icon: IconName;
  /** One of these scopes is needed to see anything there. */
  readonly scopes: readonly string[];
  /** Pressed after `g`, it goes there. */
  readonly key: string;
}

/** Every screen. The first pattern that the address matches is shown. */
export const ROUTES: readonly Route[] = [
  { pattern: '/', load: async () => (await import('./screens/home/home.js')).Home },
  { pattern: '/accounts', load: async () => (await import('./screens/accounts/accounts.js')).Accounts },
  {
    pattern: '/accounts/:accountId/:tab?/:item?',
    load: async () => (await import('./screens/account/account.js')).AccountScreen,
  },
  {
    pattern: '/customers/:customerId',
    load: async () => (await import('./screens/customer/customer.js')).CustomerScreen,
  },
];

/** The navigation, in its order. */
export const PLACES: readonly Place[] = [
  { label: 'Home', path: '/', icon: 'home', scopes: ['accounts.read'], key: 'h' },
  { label: 'Accounts', path: '/accounts', icon: 'account', scopes: ['accounts.read'], key: 'a' },
];
