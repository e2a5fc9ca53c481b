import { useEffect, useRef, useState } from 'preact/hooks';
import { tellChanged } from '../../client/changes.js';
import { useLive } from '../../client/live.js';
import { ConsoleAccountChangedDocument } from '../../generated/graphql.js';
import { announce } from '../../ui/toast.js';
import { counted } from '../../ui/words.js';

/** The time in which changes are gathered to be shown at once. */
const GATHER_MS = 250;
/** More than these are not marked as new. */
const MAX_FRESH = 500;

/** Shows what happens to the account without a reload. Gives the transactions that came since it is looked at. */
export function useLiveAccount(accountId: string, feedCursor: string | null | undefined): ReadonlySet<string> {
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set());
  // The first cursor is where to begin; those of later answers would begin again.
  const start = useRef<{ readonly accountId: string; readonly after: string } | null>(null);
  if (start.current?.accountId !== accountId) start.current = feedCursor ? { accountId, after: feedCursor } : null;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    setFresh(new Set());
    return () => clearTimeout(timer.current);
  }, [accountId]);
  useLive(
    ConsoleAccountChangedDocument,
    start.current,
    item => item.accountChanged?.cursor,
    ({ accountChanged }) => {
      if (!accountChanged) return;
      const { transactionIds } = (accountChanged.event.payload ?? {}) as {
        readonly transactionIds?: readonly string[];
      };
      if (transactionIds?.length) {
        setFresh(known => new Set([...known, ...transactionIds].slice(-MAX_FRESH)));
        announce(counted(transactionIds.length, 'new transaction'));
      }
      clearTimeout(timer.current);
      timer.current = setTimeout(tellChanged, GATHER_MS);
    },
  );
  return fresh;
}
