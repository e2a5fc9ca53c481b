import { useQuery } from '@apollo/client/react';
import type { ReactNode } from 'react';
import { AccountDocument } from '../generated/graphql.js';
import { Refusals } from './refusals.js';

/** The balance follows by itself: each posting has the account with it, which the cache knows by its `id`. */
export function Account({ accountId }: { readonly accountId: string }): ReactNode {
  const { data, error, loading } = useQuery(AccountDocument, { variables: { accountId } });
  if (error) return <Refusals error={error} />;
  if (loading) return <h1>{accountId}</h1>;
  // What the caller may not see is null, and so is what does not exist.
  if (!data?.account) return <h1>There is no account {accountId}</h1>;
  const { availableBalance, currency, owners } = data.account;
  return (
    <header>
      <h1>{accountId}</h1>
      <p>
        <output>{availableBalance}</output> {currency}, owned by{' '}
        {owners.map(({ name }) => `${name?.first} ${name?.last}`).join(' and ')}
      </p>
    </header>
  );
}
