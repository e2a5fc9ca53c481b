import type { ConsoleRequestFragment } from '../../generated/graphql.js';
import { hrefOf } from '../../router.js';
import { Status } from '../../ui/status.js';
import { RowLink, Table, type Column, type Order } from '../../ui/table.js';
import { Time } from '../../ui/time.js';
import { useWho } from '../../ui/who.js';
import { words } from '../../ui/words.js';

interface RequestTableProps {
  readonly caption: string;
  readonly requests: readonly ConsoleRequestFragment[];
  readonly order?: Order;
}

/** Lists requests, each with a link to it. */
export function RequestTable({ caption, requests, order }: RequestTableProps) {
  const who = useWho();
  const columns: readonly Column<ConsoleRequestFragment>[] = [
    {
      label: 'Request',
      narrow: 'lead',
      cell: request => <RowLink href={hrefOfRequest(request.requestId)}>{operationOf(request)}</RowLink>,
    },
    { label: 'Sent by', cell: who },
    { label: 'Outcome', narrow: 'side', cell: request => <Outcome request={request} /> },
    { label: 'Duration', isEnd: true, cell: ({ durationMs }) => `${durationMs.toLocaleString('en-US')} ms` },
    { label: 'When', narrow: 'bare', isEnd: true, cell: ({ answeredAt }) => <Time at={answeredAt} withSeconds /> },
  ];
  return <Table rows={requests} keyOf={({ entryId }) => entryId} {...{ caption, columns, order }} />;
}

/** The end of a request: refused with its first code, a replay, or done, with the status where there is more to say. */
export function Outcome({ request }: { readonly request: ConsoleRequestFragment }) {
  const { problems, isReplay, isAborted, httpStatus } = request;
  const [first, ...more] = problems;
  if (first) {
    return <Status value="REFUSED" label={words(first.code) + (more.length > 0 ? ` and ${more.length} more` : '')} />;
  }
  if (isAborted) return <Status value="FAILED" label="Client was gone" />;
  return isReplay ? <Status value="REPLACED" label="Replay" /> : <Status value="DONE" label={`Status ${httpStatus}`} />;
}

/** The operation of a request in the words of its API. */
export function operationOf({ operation, rootFields, method }: ConsoleRequestFragment): string {
  return operation ?? (rootFields.join(', ') || method);
}

function hrefOfRequest(requestId: string): string {
  return hrefOf(`/requests/${encodeURIComponent(requestId)}`);
}
