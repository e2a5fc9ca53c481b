import { useState } from 'preact/hooks';
import { useQuery } from '../../client/query.js';
import { useMay } from '../../client/session.js';
import { ConsoleEndpointByIdDocument, type ConsoleEndpointFragment } from '../../generated/graphql.js';
import { hrefOf } from '../../router.js';
import { Button } from '../../ui/button.js';
import { Card } from '../../ui/card.js';
import { Copy } from '../../ui/copy.js';
import { Facts } from '../../ui/facts.js';
import { Menu } from '../../ui/menu.js';
import { Screen } from '../../ui/screen.js';
import { Answer, Empty } from '../../ui/states.js';
import { Time } from '../../ui/time.js';
import { words } from '../../ui/words.js';
import { Deliveries } from './deliveries.js';
import { ENDPOINT_ACTIONS, type EndpointAction } from './endpoint-actions.js';
import { EndpointStatus } from './webhooks.js';

/** Why nothing is delivered. */
const DISABLED = {
  OPERATOR: 'An operator disabled this endpoint. Nothing is delivered until somebody enables it.',
  GONE: 'The receiver answered 410, so it wants no more deliveries. If that was a mistake, enable the endpoint.',
  FAILING: 'Every delivery failed for five days. Repair the receiver, enable the endpoint, and recover what it missed.',
} as const;

/** One endpoint with its deliveries. */
export function EndpointScreen({ endpointId = '' }: Readonly<Record<string, string>>) {
  const query = useQuery(ConsoleEndpointByIdDocument, { endpointId });
  const endpoint = query.data?.webhookEndpoint;
  const [action, setAction] = useState<EndpointAction>();
  const mayChange = useMay('operations');
  const Asked = action && ENDPOINT_ACTIONS[action];
  return (
    <Screen
      title={endpoint ? new URL(endpoint.url).host : 'Endpoint'}
      about={
        <span class="with-copy">
          {endpointId} <Copy text={endpointId} label="endpoint id" />
        </span>
      }
      actions={endpoint && mayChange && <Actions {...{ endpoint, onAction: setAction }} />}
    >
      <Answer of={query} lines={8}>
        {({ webhookEndpoint: found }) =>
          found ? (
            <>
              <Record endpoint={found} />
              <Deliveries endpointId={endpointId} />
            </>
          ) : (
            <Empty title="No such endpoint">
              The program has no endpoint with this id. <a href={hrefOf('/webhooks')}>See all endpoints</a>.
            </Empty>
          )
        }
      </Answer>
      {endpoint && Asked && <Asked {...{ endpoint, onClose: () => setAction(undefined) }} />}
    </Screen>
  );
}

interface ActionsProps {
  readonly endpoint: ConsoleEndpointFragment;
  readonly onAction: (action: EndpointAction) => void;
}

function Actions({ endpoint: { status, url }, onAction }: ActionsProps) {
  const button = (action: EndpointAction, label: string) => <Button onClick={() => onAction(action)}>{label}</Button>;
  const item = (action: EndpointAction, label: string, kind: 'plain' | 'danger' = 'plain') => (
    <Button kind={kind} onClick={() => onAction(action)}>
      {label}
    </Button>
  );
  return (
    <>
      {status === 'ENABLED' ? (
        <>
          {button('test', 'Send a test event')}
          {button('recover', 'Recover')}
        </>
      ) : (
        button('enable', 'Enable')
      )}
      <Menu label={new URL(url).host}>
        {item('edit', 'Edit')}
        {item('rotate', 'New secret')}
        {status === 'ENABLED' && item('disable', 'Disable')}
        {item('delete', 'Delete', 'danger')}
      </Menu>
    </>
  );
}

function Record({ endpoint }: { readonly endpoint: ConsoleEndpointFragment }) {
  const { url, description, types, accountIds, disabledReason, signing, publicKey } = endpoint;
  const { previousSecretExpiresAt, failingSinceAt, createdAt, updatedAt } = endpoint;
  return (
    <>
      {disabledReason != null && <p class="note warn">{DISABLED[disabledReason]}</p>}
      <Card title="Endpoint">
        <Facts
          isLines
          facts={[
            ['URL', <span class="break">{url}</span>],
            ['Status', <EndpointStatus endpoint={endpoint} />],
            failingSinceAt != null && ['Failing since', <Time at={failingSinceAt} withSeconds />],
            ['Description', description ?? 'None'],
            ['Types', types.length > 0 ? types.join(', ') : 'All types'],
            ['Accounts', accountIds.length > 0 ? accountIds.join(', ') : 'All accounts, and the program'],
            ['Signature', words(signing)],
            publicKey != null && [
              'Public key',
              <span class="with-copy">
                <code class="break">{publicKey}</code> <Copy text={publicKey} label="public key" />
              </span>,
            ],
            previousSecretExpiresAt != null && ['Earlier secret until', <Time at={previousSecretExpiresAt} />],
            ['Created', <Time at={createdAt} />],
            ['Changed', <Time at={updatedAt} />],
          ]}
        />
      </Card>
    </>
  );
}
