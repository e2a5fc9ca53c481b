import { ApolloProvider } from '@apollo/client/react';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createClient } from '../client.js';
import { Account } from './account.js';
import { Beneficiaries } from './beneficiaries.js';
import { History } from './history.js';

const gateway = document.querySelector<HTMLMetaElement>('meta[name=gateway]')?.content ?? '';
const accountId = new URLSearchParams(location.search).get('account') ?? 'demo-1001';

/** The page's own server knows who is signed in, and has the secret that tokens cost. */
async function tokens(refused?: string): Promise<string> {
  const response = await fetch('/token', { method: 'POST', body: refused ?? '', signal: AbortSignal.timeout(10_000) });
  if (!response.ok) throw new Error(`There is no token: ${response.status}.`);
  return response.text();
}

createRoot(document.getElementById('page') as HTMLElement).render(
  <StrictMode>
    <ApolloProvider client={createClient(gateway, tokens)}>
      <Account accountId={accountId} />
      <Beneficiaries accountId={accountId} />
      <History accountId={accountId} />
    </ApolloProvider>
  </StrictMode>,
);
