import { randomUUID } from 'node:crypto';
import type { ApolloClient } from '@apollo/client';
import { createClient } from './client.js';
import {
  AccountDocument,
  AddBeneficiaryDocument,
  BeneficiariesDocument,
  BeneficiaryListFragmentDoc,
  HistoryDocument,
  type BeneficiaryInput,
} from './generated/graphql.js';
import { refusalsIn, type Refused } from './retries.js';
import { clientCredentials } from './tokens.js';

const {
  TILLGATE_URL: url = 'http://127.0.0.1:4000',
  TILLGATE_CLIENT_ID: clientId = 'demo',
  TILLGATE_CLIENT_SECRET: clientSecret = 'demo-secret',
} = process.env;
const [accountId = 'demo-1001'] = process.argv.slice(2);
const PAGE = 50;

const client = createClient(url, clientCredentials({ tokenUrl: `${url}/oauth/token`, clientId, clientSecret }));
await showAccount(client);
await readHistory(client);
await addOnce(client, { first: 'Ada', last: 'Ashdown' });
await addOnce(client, { first: 'Ada', last: '' });

async function showAccount({ query }: ApolloClient): Promise<void> {
  const { data } = await query({ query: AccountDocument, variables: { accountId } });
  // What the caller may not see is null, and so is what does not exist.
  if (!data?.account) throw new Error(`There is no account ${accountId}.`);
  const { availableBalance, currency, owners } = data.account;
  const names = owners.map(({ name }) => `${name?.first} ${name?.last}`);
  console.log(`${accountId}: ${availableBalance} ${currency}, owned by ${names.join(' and ')}`);
}

/**
 * Page by page: the cache joins them, so whoever watches this query, as a component does, sees one history that grows.
 */
async function readHistory(bank: ApolloClient): Promise<void> {
  const options = { query: HistoryDocument, variables: { accountId, first: PAGE } };
  await bank.query(options);
  const history = bank.watchQuery(options);
  for (;;) {
    const { data } = await bank.query({ ...options, fetchPolicy: 'cache-only' });
    const soFar = data?.account?.transactions;
    if (!soFar) return;
    const { edges, totalCount, pageInfo } = soFar;
    console.log(`${edges.length} of ${totalCount} transactions, back to ${edges.at(-1)?.node.transactionId}`);
    if (!pageInfo.hasNextPage) return;
    await history.fetchMore({ variables: { after: pageInfo.endCursor } });
  }
}

/** Calls twice for one order, as somebody who has had no answer would: its key makes one beneficiary of it. */
async function addOnce(bank: ApolloClient, name: BeneficiaryInput['name']): Promise<void> {
  const idempotencyKey = randomUUID();
  const input: BeneficiaryInput = {
    name,
    beneficiaryType: 'CONTINGENT',
    relationship: 'FRIEND',
    sharePercentage: 100,
  };
  for (const time of ['first', 'second']) {
    try {
      const { data } = await bank.mutate({
        mutation: AddBeneficiaryDocument,
        variables: { accountId, input },
        context: { idempotencyKey },
      });
      console.log(`${time} time: ${data?.addBeneficiary?.beneficiary.beneficiaryId}`);
    } catch (error) {
      const refusals = refusalsIn(error);
      if (refusals.length === 0) throw error;
      for (const refused of refusals) console.log(`${time} time: refused, ${explain(refused)}`);
    }
  }
  // What was added came with the list that it is in now, so this reads the cache.
  const { data } = await bank.query({ query: BeneficiariesDocument, variables: { accountId } });
  if (!data?.account) throw new Error(`There is no account ${accountId}.`);
  const list = bank.readFragment({
    fragment: BeneficiaryListFragmentDoc,
    fragmentName: 'BeneficiaryList',
    from: data.account,
  });
  console.log(`${list?.beneficiaries?.totalCount} beneficiaries`);
}

/** A program decides by `code`; people are told what is wrong where. */
function explain({ code, errors = [] }: Refused): string {
  return [code, ...errors.map(({ pointer, detail }) => `${pointer}: ${detail}`)].join('; ');
}
