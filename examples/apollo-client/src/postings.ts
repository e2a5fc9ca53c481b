import { CombinedProtocolErrors, type ApolloClient } from '@apollo/client';
import {
  NowDocument,
  PostingsDocument,
  type PostingsSubscription,
  type PostingsSubscriptionVariables,
} from './generated/graphql.js';
import { refusalsIn } from './retries.js';

/** After these it makes no sense to subscribe again. */
const LASTING_CODES = ['ACCOUNT_NOT_FOUND', 'INSUFFICIENT_SCOPE', 'PROGRAM_WIDE_ONLY', 'RULE_BROKEN', 'INVALID_INPUT'];
const LONGEST_PAUSE_MS = 8000;

export type Posting = NonNullable<PostingsSubscription['transactionPosted']>;

/**
 * The transactions of an account from now on, each once. Whenever the subscription ends (with the token, when the
 * gateway restarts, when the network fails) it begins again behind the last transaction that came. The cache gets each
 * transaction, and the balance of the account.
 */
export async function* postings(bank: ApolloClient, of: string, signal?: AbortSignal): AsyncGenerator<Posting> {
  // Else a subscription that is lost before its first item would begin again later than this.
  let after = (await bank.query({ query: NowDocument, fetchPolicy: 'no-cache' })).data?.feedCursor;
  for (let failures = 0; !signal?.aborted; failures++) {
    const ended: { error?: unknown } = {};
    for await (const posting of once(bank, { accountId: of, after }, ended, signal)) {
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
async function* once(
  bank: ApolloClient,
  variables: PostingsSubscriptionVariables,
  ended: { error?: unknown },
  signal?: AbortSignal,
): AsyncGenerator<Posting> {
  const came: Posting[] = [];
  let isOver = false;
  let wake = (): void => undefined;
  const end = (error?: unknown): void => {
    ended.error ??= error;
    isOver = true;
    wake();
  };
  const subscription = bank.subscribe({ query: PostingsDocument, variables }).subscribe({
    next: ({ data, error }) => {
      if (error) ended.error = error;
      if (data?.transactionPosted) came.push(data.transactionPosted);
      wake();
    },
    error: end,
    complete: () => end(),
  });
  const stop = (): void => end();
  signal?.addEventListener('abort', stop);
  try {
    while (came.length > 0 || !isOver) {
      const [next] = came.splice(0, 1);
      if (next) yield next;
      else await new Promise<void>(resolve => (wake = resolve));
    }
  } finally {
    subscription.unsubscribe();
    signal?.removeEventListener('abort', stop);
  }
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, milliseconds));
}

/** Where to go on, as the gateway says it when it ends a subscription. */
function cursorIn(error: unknown): string | undefined {
  const [first] = CombinedProtocolErrors.is(error) ? error.errors : [];
  return first?.extensions?.['cursor'] as string | undefined;
}
