import type { Query } from '../../client/query.js';
import type { ConsoleAttentionQuery, ConsoleFailedWebhooksQuery } from '../../generated/graphql.js';
import { hrefOf } from '../../router.js';
import { Card } from '../../ui/card.js';
import { Answer, Empty, ErrorState, Loading } from '../../ui/states.js';
import { Status } from '../../ui/status.js';
import { RowLink, Table, type Column } from '../../ui/table.js';
import { Time } from '../../ui/time.js';
import { useWho } from '../../ui/who.js';
import { counted } from '../../ui/words.js';
import { NOT_OFFERED, itemsOf, type AttentionItem } from './attention.js';

const COLUMNS: readonly Column<AttentionItem>[] = [
  { label: 'What', narrow: 'lead', cell: ({ what, href }) => <RowLink href={href}>{what}</RowLink> },
  { label: 'About', narrow: 'bare', cell: ({ detail }) => <span class="break">{detail}</span> },
  { label: 'State', narrow: 'side', cell: ({ status }) => <Status value={status} /> },
  { label: 'Since', narrow: 'bare', isEnd: true, cell: ({ since }) => <Time at={since} /> },
];

interface NeedsAttentionProps {
  readonly of: Query<ConsoleAttentionQuery>;
  readonly webhooks: Query<ConsoleFailedWebhooksQuery>;
}

/** Lists what waits for a person, each with the way to its remedy. */
export function NeedsAttention({ of: query, webhooks }: NeedsAttentionProps) {
  const who = useWho();
  const waiting = query.data?.approvals?.totalCount ?? 0;
  return (
    <Card
      title="Needs attention"
      isFlush
      actions={waiting > 0 && <a href={hrefOf('/approvals')}>{counted(waiting, 'request')} to approve</a>}
    >
      {webhooks.problem && webhooks.problem.code !== NOT_OFFERED && (
        <ErrorState problem={webhooks.problem} onRetry={webhooks.reload} />
      )}
      <Answer of={query} lines={4}>
        {data => {
          const items = itemsOf(data, webhooks.data, who);
          if (items.length === 0 && !webhooks.data && webhooks.isLoading) return <Loading />;
          return items.length > 0 ? (
            <Table caption="Needs attention" columns={COLUMNS} rows={items} keyOf={({ key }) => key} />
          ) : (
            <Empty title="Nothing needs attention">
              Requests to approve, failed webhooks, documents that were left out and rejected lines appear here.
            </Empty>
          );
        }}
      </Answer>
    </Card>
  );
}
