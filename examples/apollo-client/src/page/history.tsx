import type { FragmentType } from '@apollo/client';
import { useApolloClient, useFragment, useQuery } from '@apollo/client/react';
import { useEffect, useState, type ReactNode } from 'react';
import { HistoryDocument, TransactionLineFragmentDoc, type TransactionLineFragment } from '../generated/graphql.js';
import { postings, type Posting } from '../postings.js';
import { Refusals } from './refusals.js';

const PAGE = 10;

/** The history, newest first: what is posted while the page is open, and below it what was there, page by page. */
export function History({ accountId }: { readonly accountId: string }): ReactNode {
  const variables = { accountId, first: PAGE };
  const { data, error, fetchMore } = useQuery(HistoryDocument, { variables });
  const live = useLive(accountId);
  const history = data?.account?.transactions;
  if (error) return <Refusals error={error} />;
  if (!history) return null;
  const { edges, pageInfo } = history;
  // A posting of the moment in which the history was read is in both.
  const known = new Set(edges.map(({ node }) => node.id));
  const more = () => fetchMore({ variables: { after: pageInfo.endCursor } });
  return (
    <section aria-labelledby="history">
      <h2 id="history">History</h2>
      <ul>
        {live
          .filter(({ transaction }) => !known.has(transaction.id))
          .map(({ transaction }) => (
            <Line key={transaction.id} transaction={transaction} />
          ))}
        {edges.map(({ node }) => (
          <Line key={node.id} transaction={node} />
        ))}
      </ul>
      {pageInfo.hasNextPage && <button onClick={() => void more()}>Earlier</button>}
    </section>
  );
}

/** What was posted since the page opened, the newest first. */
function useLive(accountId: string): readonly Posting[] {
  const client = useApolloClient();
  const [live, setLive] = useState<readonly Posting[]>([]);
  useEffect(() => {
    const leaving = new AbortController();
    async function follow(): Promise<void> {
      for await (const posting of postings(client, accountId, leaving.signal)) setLive(before => [posting, ...before]);
    }
    follow().catch((error: unknown) => console.error(error));
    return () => leaving.abort();
  }, [client, accountId]);
  return live;
}

function Line({ transaction }: { readonly transaction: FragmentType<TransactionLineFragment> }): ReactNode {
  const { data, complete } = useFragment({
    fragment: TransactionLineFragmentDoc,
    fragmentName: 'TransactionLine',
    from: transaction,
  });
  if (!complete) return null;
  const { postedAtLocal, description, amount, direction, balanceAfter } = data;
  return (
    <li>
      <span>
        {postedAtLocal?.slice(0, 10)} {description}
      </span>
      <span>
        {direction === 'DEBIT' ? '-' : ''}
        {amount} ({balanceAfter})
      </span>
    </li>
  );
}
