import { useState } from 'preact/hooks';
import { useQuery } from '../../client/query.js';
import { useReloading } from '../../client/reloading.js';
import { useMay } from '../../client/session.js';
import {
  ConsoleDeliveryByIdDocument,
  ConsoleResendDocument,
  type ConsoleDeliveryByIdQuery,
} from '../../generated/graphql.js';
import { hrefOf } from '../../router.js';
import { Button } from '../../ui/button.js';
import { Card } from '../../ui/card.js';
import { CommandDialog } from '../../ui/command-dialog.js';
import { Copy } from '../../ui/copy.js';
import { Facts } from '../../ui/facts.js';
import { Screen } from '../../ui/screen.js';
import { Answer, Empty } from '../../ui/states.js';
import { Status } from '../../ui/status.js';
import { Table, type Column } from '../../ui/table.js';
import { Time } from '../../ui/time.js';
import { waitsBehind } from './deliveries.js';

type Delivery = NonNullable<ConsoleDeliveryByIdQuery['webhookDelivery']>;
type Attempt = NonNullable<Delivery['attempts']>[number];

/** The words for what went wrong where no answer came. */
const ERRORS: Readonly<Record<string, string>> = {
  TIMED_OUT: 'No answer in time',
  NAME_NOT_FOUND: 'The host name is not known',
  CONNECTION_FAILED: 'No connection',
  TLS_FAILED: 'No secure connection',
  ADDRESS_REFUSED: 'The address is not a public one',
};

const COLUMNS: readonly Column<Attempt>[] = [
  { label: 'Attempt', narrow: 'lead', cell: ({ startedAt }) => <Time at={startedAt} withSeconds /> },
  { label: 'Outcome', narrow: 'side', cell: attempt => <Outcome attempt={attempt} /> },
  { label: 'Duration', isEnd: true, cell: ({ durationMs }) => `${durationMs.toLocaleString('en-US')} ms` },
  {
    label: 'Answer',
    cell: ({ answer }) => (answer ? <pre class="json">{answer}</pre> : <span class="soft">Empty</span>),
  },
];

function Outcome({ attempt: { httpStatus, error } }: { readonly attempt: Attempt }) {
  if (httpStatus == null) return <Status value="FAILED" label={ERRORS[error ?? ''] ?? error ?? 'No answer'} />;
  const isDone = httpStatus >= 200 && httpStatus < 300;
  return <Status value={isDone ? 'DELIVERED' : 'FAILED'} label={`Status ${httpStatus}`} />;
}

/** One event on its way to an endpoint, with every attempt. */
export function DeliveryScreen({ endpointId = '', deliveryId = '' }: Readonly<Record<string, string>>) {
  const query = useQuery(ConsoleDeliveryByIdDocument, { deliveryId });
  const delivery = query.data?.webhookDelivery;
  const [isSending, setSending] = useState(false);
  const mayResend = useMay('operations');
  const isPending = delivery?.status === 'PENDING';
  useReloading(isPending, query.reload);
  return (
    <Screen
      title={delivery?.type ?? 'Delivery'}
      about={
        <span class="with-copy">
          {deliveryId} <Copy text={deliveryId} label="delivery id" />
        </span>
      }
      actions={
        delivery &&
        mayResend && (
          <Button kind="primary" onClick={() => setSending(true)}>
            {isPending ? 'Send now' : 'Send again'}
          </Button>
        )
      }
    >
      <Answer of={query} lines={8}>
        {({ webhookDelivery: found }) =>
          found ? (
            <>
              <Record delivery={found} />
              <Attempts delivery={found} />
            </>
          ) : (
            <Empty title="No such delivery">
              Deliveries are kept for 30 days. <a href={hrefOf(`/webhooks/${endpointId}`)}>See those of the endpoint</a>
              .
            </Empty>
          )
        }
      </Answer>
      {delivery && isSending && <Resend {...{ delivery, onClose: () => setSending(false) }} />}
    </Screen>
  );
}

function Record({ delivery }: { readonly delivery: Delivery }) {
  const { endpointId, webhookId, accountId, status, createdAt, nextAttemptAt, attemptCount } = delivery;
  return (
    <Card title="Delivery">
      <Facts
        facts={[
          ['Status', <Status value={status} />],
          ['Event', webhookId],
          [
            'Account',
            accountId == null ? (
              'Of the program, or a test'
            ) : (
              <a href={hrefOf(`/accounts/${encodeURIComponent(accountId)}`)}>{accountId}</a>
            ),
          ],
          ['Since', <Time at={createdAt} withSeconds />],
          ['Attempts', attemptCount],
          nextAttemptAt != null && ['Next attempt', <Time at={nextAttemptAt} withSeconds />],
          nextAttemptAt == null && status === 'PENDING' && ['Next attempt', waitsBehind(status)],
          ['Endpoint', <a href={hrefOf(`/webhooks/${endpointId}`)}>Open the endpoint</a>],
        ]}
      />
    </Card>
  );
}

function Attempts({ delivery: { attempts } }: { readonly delivery: Delivery }) {
  const newestFirst = (attempts ?? []).toReversed();
  return (
    <Card title="Attempts" isFlush>
      {newestFirst.length > 0 ? (
        <Table caption="Attempts" columns={COLUMNS} rows={newestFirst} keyOf={({ startedAt }) => startedAt} />
      ) : (
        <Empty title="No attempt yet">It waits for its turn.</Empty>
      )}
    </Card>
  );
}

function Resend({ delivery, onClose }: { readonly delivery: Delivery; readonly onClose: () => void }) {
  const { deliveryId, webhookId, type } = delivery;
  return (
    <CommandDialog
      title="Send it again"
      operation={ConsoleResendDocument}
      variables={() => ({ deliveryId })}
      verb="Send"
      done={() => 'The delivery is on its way again.'}
      onClose={onClose}
    >
      <p>
        The receiver gets {type} once more, with the same id <code>{webhookId}</code>, by which it knows a repeated
        delivery.
      </p>
    </CommandDialog>
  );
}
