import { useState } from 'preact/hooks';
import { useQuery } from '../../client/query.js';
import { useMay } from '../../client/session.js';
import {
  ConsoleAttentionDocument,
  ConsoleFailedWebhooksDocument,
  ConsoleHomeDocument,
  ConsoleSearchDocument,
} from '../../generated/graphql.js';
import { hrefOf, useAddress } from '../../router.js';
import { Card } from '../../ui/card.js';
import { ChangeList } from '../../ui/change-list.js';
import { hrefOfHit, keyOfHit, labelOf, MIN_SEARCH_CHARACTERS, wordsOf, type SearchHit } from '../../ui/hits.js';
import { Money } from '../../ui/money.js';
import { Screen } from '../../ui/screen.js';
import { Answer, Empty } from '../../ui/states.js';
import { Status } from '../../ui/status.js';
import { RowLink, Table, type Column } from '../../ui/table.js';
import { counted, words } from '../../ui/words.js';
import { AtAGlance } from './at-a-glance.js';
import { NeedsAttention } from './needs-attention.js';

/** The number of rows of changes that are shown. */
const LATEST = 10;
/** Lines that were rejected longer ago are forgotten: nobody says when they were sent again. */
const IMPORTS_MS = 7 * 24 * 3600 * 1000;

/** Shows what a search has found, or the program at a glance. */
export function Home() {
  const { query } = useAddress();
  const text = query.get('text')?.trim() ?? '';
  const mayRead = useMay('operations.read');
  if (text && mayRead) return <Results text={text} />;
  return (
    <Screen title="Home" about="Search for an account id, the last four digits of a card or a tax id, or a name.">
      {mayRead && <Overview />}
    </Screen>
  );
}

/** Shows how the program is, then what waits for a person, then what happened last. */
function Overview() {
  const [importedSince] = useState(() => new Date(Date.now() - IMPORTS_MS).toISOString());
  const attention = useQuery(ConsoleAttentionDocument, { importedSince });
  const webhooks = useQuery(ConsoleFailedWebhooksDocument, {});
  return (
    <>
      <AtAGlance webhooks={webhooks.data} />
      <NeedsAttention of={attention} webhooks={webhooks} />
      <Latest />
    </>
  );
}

function Results({ text }: { readonly text: string }) {
  const query = useQuery(ConsoleSearchDocument, text.length >= MIN_SEARCH_CHARACTERS ? { text } : null);
  const hits = query.data?.search ?? [];
  return (
    <Screen title={`Results for “${text}”`} about={query.data && counted(hits.length, 'result')}>
      <div class="card">
        {text.length < MIN_SEARCH_CHARACTERS ? (
          <Empty title="Too short">Search for at least {MIN_SEARCH_CHARACTERS} characters.</Empty>
        ) : (
          <Answer of={query}>
            {() =>
              hits.length > 0 ? (
                <Table caption="Results" columns={HIT_COLUMNS} rows={hits} keyOf={keyOfHit} />
              ) : (
                <Empty title="Nothing found">
                  Found are whole account ids, first and last names, the beginning of a last name, e-mail addresses,
                  telephone numbers, customer numbers, and the last four digits of a card or of a tax id.
                </Empty>
              )
            }
          </Answer>
        )}
      </div>
    </Screen>
  );
}

const HIT_COLUMNS: readonly Column<SearchHit>[] = [
  { label: 'Found', narrow: 'lead', cell: hit => <RowLink href={hrefOfHit(hit)}>{labelOf(hit)}</RowLink> },
  {
    label: 'Kind',
    narrow: 'bare',
    cell: ({ kind, detail }) => [words(kind), detail && wordsOf(detail)].filter(Boolean).join(' · '),
  },
  { label: 'Account', narrow: 'bare', cell: ({ accountId }) => accountId ?? 'No account' },
  { label: 'Status', narrow: 'bare', cell: ({ account }) => account && <Status value={account.status} /> },
  {
    label: 'Available',
    isEnd: true,
    narrow: 'side',
    cell: ({ account }) => account && <Money amount={account.availableBalance} currency={account.currency} />,
  },
];

function Latest() {
  const query = useQuery(ConsoleHomeDocument, {});
  return (
    <Answer of={query} lines={8}>
      {({ events }) => (
        <>
          <Card title="Latest changes" isFlush actions={<a href={hrefOf('/changes')}>All changes</a>}>
            {events?.nodes.length ? (
              <ChangeList caption="Latest changes" events={events.nodes} most={LATEST} />
            ) : (
              <Empty title="Nothing happened yet" />
            )}
          </Card>
        </>
      )}
    </Answer>
  );
}
