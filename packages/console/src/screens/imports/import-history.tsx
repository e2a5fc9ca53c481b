import { usePages } from '../../client/pages.js';
import { ConsoleImportsDocument, type ConsoleImportsQuery } from '../../generated/graphql.js';
import { hrefOf } from '../../router.js';
import { Card } from '../../ui/card.js';
import type { CsvColumn } from '../../ui/csv.js';
import { useOrder } from '../../ui/order.js';
import { PagedList } from '../../ui/pages.js';
import { Empty } from '../../ui/states.js';
import { Status } from '../../ui/status.js';
import { RowLink, Table, type Column } from '../../ui/table.js';
import { Time } from '../../ui/time.js';
import { useWho } from '../../ui/who.js';
import { words } from '../../ui/words.js';

type Piece = NonNullable<ConsoleImportsQuery['events']>['nodes'][number];

const COUNTS = ['read', 'written', 'unchanged', 'rejected'] as const;

/** A file, or what a client sent under one request id, all of whose pieces are counted together. */
interface ImportRow extends Record<(typeof COUNTS)[number], number> {
  readonly requestId: string;
  readonly kind: string;
  readonly endedAt: string;
  readonly by: { readonly clientId: string; readonly subject: string };
  readonly isDenied: boolean;
}

const CSV: readonly CsvColumn<Piece>[] = [
  ['eventId', ({ eventId }) => eventId],
  ['occurredAt', ({ occurredAt }) => occurredAt],
  ['kind', ({ object }) => object?.split('/')[1]],
  ['outcome', ({ audit }) => audit?.outcome],
  ['clientId', ({ audit }) => audit?.clientId],
  ['subject', ({ audit }) => audit?.subject],
  ['requestId', ({ audit }) => audit?.requestId],
  ...COUNTS.map((name): CsvColumn<Piece> => [name, ({ audit }) => Number(audit?.data[name] ?? 0)]),
];

function rowsOf(pieces: readonly Piece[]): ImportRow[] {
  const rows = new Map<string, ImportRow>();
  for (const { eventId, occurredAt, object, audit } of pieces) {
    if (!audit) continue;
    const { requestId, data, outcome } = audit;
    const kind = object?.split('/')[1] ?? '';
    const key = `${kind} ${requestId || eventId}`;
    const row = rows.get(key);
    const [read, written, unchanged, rejected] = COUNTS.map(name => Number(data[name] ?? 0) + (row?.[name] ?? 0));
    rows.set(key, {
      requestId,
      kind,
      by: audit,
      isDenied: outcome === 'DENIED',
      endedAt: row?.endedAt ?? occurredAt,
      read: read ?? 0,
      written: written ?? 0,
      unchanged: unchanged ?? 0,
      rejected: rejected ?? 0,
    });
  }
  return [...rows.values()];
}

const number = (of: number): string => of.toLocaleString('en-US');

/** Lists what was imported over the API and by this screen, and how many lines were rejected. */
export function ImportHistory() {
  const { fromEnd, order } = useOrder('/imports', 'When');
  const pages = usePages(ConsoleImportsDocument, {}, data => data.events, { fromEnd });
  const who = useWho();
  const columns: readonly Column<ImportRow>[] = [
    {
      label: 'Import',
      narrow: 'lead',
      cell: ({ kind, requestId }) => (
        <RowLink href={hrefOf('/changes', { request: requestId })}>{kind ? words(kind) : 'Records'}</RowLink>
      ),
    },
    { label: 'By', narrow: 'bare', cell: ({ by }) => who(by) },
    { label: 'Lines', isEnd: true, cell: ({ read }) => number(read) },
    { label: 'Written', isEnd: true, cell: ({ written }) => number(written) },
    { label: 'Unchanged', isEnd: true, cell: ({ unchanged }) => number(unchanged) },
    {
      label: 'Rejected',
      isEnd: true,
      narrow: 'side',
      cell: ({ rejected, isDenied }) =>
        isDenied ? (
          <Status value="DENIED" />
        ) : rejected > 0 ? (
          <Status value="REJECTED" label={`${number(rejected)} rejected`} tone="warn" />
        ) : (
          'None'
        ),
    },
    { label: 'When', isEnd: true, narrow: 'bare', cell: ({ endedAt }) => <Time at={endedAt} /> },
  ];
  return (
    <Card title="Import history" isFlush>
      <PagedList
        of={pages}
        noun="import"
        csv={CSV}
        rows={rowsOf(pages.nodes).length}
        {...{ order }}
        empty={<Empty title="No imports">What is imported here or over the API appears here.</Empty>}
      >
        {nodes => (
          <Table
            caption="Import history"
            rows={rowsOf(nodes)}
            keyOf={({ kind, requestId }) => `${kind} ${requestId}`}
            {...{ columns, order }}
          />
        )}
      </PagedList>
    </Card>
  );
}
