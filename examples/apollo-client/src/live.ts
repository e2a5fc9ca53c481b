import { setTimeout as sleep } from 'node:timers/promises';
import { CombinedProtocolErrors, type ApolloClient } from '@apollo/client';
import { createClient } from './client.js';
import { NowDocument, PostingsDocument, type PostingsSubscription } from './generated/graphql.js';
import { refusalsIn } from './retries.js';
import { clientCredentials } from './tokens.js';

const {
  TILLGATE_URL: url = 'http://127.0.0.1:4000',
  TILLGATE_CLIENT_ID: clientId = 'demo',
  TILLGATE_CLIENT_SECRET: clientSecret = 'demo-secret',
} = process.env;
const [accountId = 'demo-1001', most = 'Infinity'] = process.argv.slice(2);

/** After these it makes no sense to subscribe again. */
const LASTING_CODES = ['account_not_found', 'insufficient_scope', 'program_wide_only', 'rule_broken', 'invalid_input'];
const LONGEST_PAUSE_MS = 8000;

type Posting = NonNullable<PostingsSubscription['transactionPosted']>;

const client = createClient(url, clientCredentials({ tokenUrl: `${url}/oauth/token`, clientId, clientSecret }));
let count = 0;
for await (const { transaction } of postings(client, accountId)) {
  console.log(`${transaction.transactionId}: ${transaction.amount} ${transaction.debitCreditMemo}`);
  if (++count >= Number(most)) break;
}
client.stop();

/**
 * The transactions of an account from now on, each once. Whenever the subscription ends (with the token, when the
 * gateway restarts, when the network fails) it begins again behind the last transaction that came.
 */
async function* postings(bank: ApolloClient, of: string): AsyncGenerator<Posting> {
  // Else a subscription that is lost before its first item would begin again later than this.
  let after = (await bank.query({ query: NowDocument, fetchPolicy: 'no-cache' })).data?.feedCursor;
  for (let failures = 0; ; failures++) {
    const ended: { error?: unknown } = {};
    for await (const posting of once(bank, of, after, ended)) {
      after = posting.cursor;
      failures = 0;
      yield posting;
    }
    after = cursorIn(ended.error) ?? after;
    const lasting = refusalsIn(ended.error).find(({ code }) => LASTING_CODES.includes(code));
    if (lasting) throw new Error(`The subscription was refused: ${lasting.code}.`);
    // Somewhere in this time, so that clients that lost one gateway do not all reach the next one together.
    await sleep(Math.random() * Math.min(LONGEST_PAUSE_MS, 250 * 2 ** failures));
  }
}

/** What one subscription gives until it ends. */
async function* once(bank: ApolloClient, of: string, after: string | null | undefined, ended: { error?: unknown }) {
  const came: Posting[] = [];
  let isOver = false;
  let wake = (): void => undefined;
  const subscription = bank
    .subscribe({ query: PostingsDocument, variables: { accountId: of, after }, fetchPolicy: 'no-cache' })
    .subscribe({
      next: ({ data, error }) => {
        if (error) ended.error = error;
        if (data?.transactionPosted) came.push(data.transactionPosted);
        wake();
      },
      error: error => {
        ended.error = error;
        isOver = true;
        wake();
      },
      complete: () => {
        isOver = true;
        wake();
      },
    });
  try {
    while (came.length > 0 || !isOver) {
      const [next] = came.splice(0, 1);
      if (next) yield next;
      else await new Promise<void>(resolve => (wake = resolve));
    }
  } finally {
    subscription.unsubscribe();
  }
}

/** Where to go on, as the gateway says it when it ends a subscription. */
function cursorIn(error: unknown): string | undefined {
  const [first] = CombinedProtocolErrors.is(error) ? error.errors : [];
  return first?.extensions?.['cursor'] as string | undefined;
}
