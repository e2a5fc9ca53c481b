import { hrefOf } from '../router.js';
import { groupsOf, type ChangeGroup } from './change-groups.js';
import type { CsvColumn } from './csv.js';
import { Data } from './data.js';
import { actorText, type Actor } from './happened.js';
import { Facts } from './facts.js';
import type { ToldEvent } from './sentences.js';
import { Status } from './status.js';
import { Table, type Column, type Order } from './table.js';
import { Time } from './time.js';
import { useWho } from './who.js';
import { counted, words } from './words.js';

/** An event as lists of changes show it. */
export type ChangeEvent = ToldEvent & {
  readonly eventId: string;
  readonly occurredAt: string;
  readonly audit?: { readonly chainSeq?: number | null; readonly hash?: string | null } | null;
};

/** The columns of a file of changes. */
export const CHANGE_CSV: readonly CsvColumn<ChangeEvent>[] = [
  ['eventId', ({ eventId }) => eventId],
  ['occurredAt', ({ occurredAt }) => occurredAt],
  ['action', ({ audit }) => audit?.action],
  ['outcome', ({ audit }) => audit?.outcome],
  ['accountId', ({ accountId }) => accountId],
  ['object', ({ object }) => object],
  ['clientId', ({ audit }) => audit?.clientId],
  ['subject', ({ audit }) => audit?.subject],
  ['requestId', ({ audit }) => audit?.requestId],
  ['data', ({ audit }) => JSON.stringify(audit?.data ?? {})],
];

type Group = ChangeGroup<ChangeEvent>;

interface ChangeListProps {
  readonly caption: string;
  readonly events: readonly ChangeEvent[];
  /** The time zone of the account, where the list is about one; then its column is left out. */
  readonly zone?: string;
  /** Every event is a row of its own, such as those of one request. */
  readonly isApart?: boolean | undefined;
  /** The most rows. */
  readonly most?: number;
  readonly order?: Order;
}

/** The number of rows that some events are. */
export function rowsOf(events: readonly ChangeEvent[]): number {
  return groupsOf(events, () => '').length;
}

/** Lists who did what. What one request or run did is one row, and what was done has no badge. */
export function ChangeList({ caption, events, zone, isApart, most, order }: ChangeListProps) {
  const who = useWho();
  const groups = isApart ? events.flatMap(event => groupsOf([event], who)) : groupsOf(events, who);
  const columns: readonly (Column<Group> | false)[] = [
    { label: 'Change', narrow: 'lead', cell: group => <Change {...{ group, who }} /> },
    zone === undefined && { label: 'Account', narrow: 'bare', cell: group => <AccountOf group={group} /> },
    {
      label: 'When',
      narrow: 'bare',
      isEnd: true,
      cell: ({ first }) => <Time at={first.occurredAt} zone={zone} withSeconds />,
    },
  ];
  return (
    <Table
      columns={columns.filter(column => column !== false)}
      rows={groups.slice(0, most)}
      keyOf={({ key }) => key}
      {...{ caption, order }}
    />
  );
}

interface ChangeProps {
  readonly group: Group;
  readonly who: (actor: Actor) => string;
}

function Change({ group: { first, count, sentence }, who }: ChangeProps) {
  const { outcome, action } = first.audit ?? {};
  return (
    <details class="more">
      <summary>
        {sentence} {outcome === 'DENIED' && <Status value="DENIED" />}
        {action === 'card.refuse_purchase' && <Status value="REFUSED" />}
      </summary>
      <Details {...{ first, count, who }} />
    </details>
  );
}

function AccountOf({ group: { accountId, accounts } }: { readonly group: Group }) {
  if (accounts > 1) return <>{counted(accounts, 'account')}</>;
  if (accountId === null) return <>Program</>;
  return <a href={hrefOf(`/accounts/${encodeURIComponent(accountId)}/events`)}>{accountId}</a>;
}

/** Screens of what events are about, by the kinds of their objects. */
const PLACES: Readonly<Record<string, string>> = {
  approval: 'approvals',
  customer: 'customers',
  tax_filing: 'tax/filings',
  webhook_endpoint: 'webhooks',
};

interface ChangedProps {
  readonly accountId: string | null | undefined;
  readonly object: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Leads to what was changed, or says it where there is no screen of it. */
function Changed({ accountId, object, data: { transactionIds } }: ChangedProps) {
  const [kind = '', id = ''] = object.split('/');
  const [posted, ...others] = Array.isArray(transactionIds) ? (transactionIds as readonly string[]) : [];
  if (accountId != null && posted !== undefined && others.length === 0) {
    const path = `/accounts/${encodeURIComponent(accountId)}/history/${encodeURIComponent(posted)}`;
    return <a href={hrefOf(path)}>Transaction {posted}</a>;
  }
  const place = PLACES[kind];
  if (place === undefined) return <>{object}</>;
  return (
    <a href={hrefOf(`/${place}/${encodeURIComponent(id)}`)}>
      {words(kind)} {id}
    </a>
  );
}

function Details({ first, count, who }: Pick<Group, 'first' | 'count'> & Pick<ChangeProps, 'who'>) {
  const { eventId, accountId, object, audit } = first;
  if (!audit) return null;
  const { action, clientId, subject, requestId, chainSeq, hash, data } = audit;
  return (
    <Facts
      isLines
      facts={[
        count > 1 && ['Changes', <a href={hrefOf('/changes', { request: requestId })}>Each of the {count}</a>],
        action === 'statement.issue' && ['Run', <a href={hrefOf(`/statement-runs/${requestId}`)}>Open the run</a>],
        object != null && ['Changed', <Changed {...{ accountId, object, data }} />],
        ['Facts', <Data data={data} />],
        ['By', actorText({ clientId, subject }, who)],
        ['Request', <a href={hrefOf('/changes', { request: requestId })}>{requestId}</a>],
        ['Sent', <a href={hrefOf(`/requests/${encodeURIComponent(requestId)}`)}>Open the request</a>],
        ['Event', chainSeq == null ? eventId : `${eventId}, number ${chainSeq} of its chain`],
        hash != null && ['Hash', <code>{hash}</code>],
      ]}
    />
  );
}
