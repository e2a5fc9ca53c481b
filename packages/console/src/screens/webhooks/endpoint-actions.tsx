import type { ComponentType } from 'preact';
import { useState } from 'preact/hooks';
import {
  ConsoleDeleteEndpointDocument,
  ConsoleRecoverEndpointDocument,
  ConsoleRotateSecretDocument,
  ConsoleTestEndpointDocument,
  ConsoleUpdateEndpointDocument,
  type ConsoleEndpointFragment,
} from '../../generated/graphql.js';
import { hrefOf, navigate } from '../../router.js';
import { CommandDialog } from '../../ui/command-dialog.js';
import { useForm } from '../../ui/form.js';
import { EditEndpoint } from './endpoint-dialogs.js';
import { ShownSecret, type NewSecret } from './secret.js';

interface ActionProps {
  readonly endpoint: ConsoleEndpointFragment;
  readonly onClose: () => void;
}

/** Deliveries are kept for so many days. */
const KEPT_DAYS = 30;
const DAY_MS = 86_400_000;

function TestEndpoint({ endpoint: { endpointId }, onClose }: ActionProps) {
  const form = useForm(
    {
      type: {
        label: 'Type of the event',
        hint: 'The data of the event is made up, whatever types the endpoint is for.',
        autoFocus: true,
      },
    },
    { from: { type: 'transaction.posted' }, isStacked: true },
  );
  return (
    <CommandDialog
      title="Send a test event"
      operation={ConsoleTestEndpointDocument}
      form={form}
      variables={() => ({ endpointId, ...form.input() })}
      verb="Send"
      done={() => 'The test event is on its way.'}
      onDone={({ sendTestEvent: sent }) => {
        onClose();
        if (sent) navigate(hrefOf(`/webhooks/${endpointId}/${sent.delivery.deliveryId}`));
      }}
      onClose={onClose}
    />
  );
}

/** An instant as a field for local times writes it, such as `2026-03-31T18:05`. */
function localText(at: Date): string {
  const two = (number: number): string => String(number).padStart(2, '0');
  const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-');
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

function RecoverEndpoint({ endpoint: { endpointId, failingSinceAt }, onClose }: ActionProps) {
  const now = Date.now();
  const form = useForm(
    {
      since: {
        label: 'Since',
        type: 'datetime-local',
        hint: `A time in your own time zone, within the last ${KEPT_DAYS} days. Everything that was not delivered since then is sent again.`,
        min: localText(new Date(now - KEPT_DAYS * DAY_MS)),
        max: localText(new Date(now)),
        autoFocus: true,
        send: text => new Date(text).toISOString(),
      },
    },
    { from: { since: localText(new Date(failingSinceAt ?? now - DAY_MS)) }, isStacked: true },
  );
  return (
    <CommandDialog
      title="Recover what was missed"
      operation={ConsoleRecoverEndpointDocument}
      form={form}
      variables={() => ({ endpointId, ...form.input() })}
      verb="Recover"
      done={() => 'What was missed is delivered again, in order.'}
      onClose={onClose}
    />
  );
}

function RotateSecret({ endpoint: { endpointId }, onClose }: ActionProps) {
  const [made, setMade] = useState<NewSecret>();
  if (made) return <ShownSecret title="The endpoint has a new secret" of={made} onClose={onClose} />;
  return (
    <CommandDialog
      title="New secret"
      operation={ConsoleRotateSecretDocument}
      variables={() => ({ endpointId })}
      verb="Make a new secret"
      done={() => 'The endpoint has a new secret.'}
      onDone={({ rotateWebhookSecret: rotated }) => (rotated ? setMade(rotated) : onClose())}
      onClose={onClose}
    >
      <p>For 24 hours deliveries are signed with the earlier secret, too, so that the receiver has time to change.</p>
    </CommandDialog>
  );
}

function DisableEndpoint({ endpoint: { endpointId, url }, onClose }: ActionProps) {
  return (
    <CommandDialog
      title="Disable the endpoint"
      operation={ConsoleUpdateEndpointDocument}
      variables={() => ({ endpointId, input: { status: 'DISABLED' as const } })}
      verb="Disable"
      isDangerous
      done={() => 'The endpoint is disabled. Nothing is delivered to it.'}
      onClose={onClose}
    >
      <p>
        Nothing is delivered to <span class="break">{url}</span> until somebody enables it. What it misses can be
        recovered for {KEPT_DAYS} days.
      </p>
    </CommandDialog>
  );
}

function EnableEndpoint({ endpoint: { endpointId }, onClose }: ActionProps) {
  return (
    <CommandDialog
      title="Enable the endpoint"
      operation={ConsoleUpdateEndpointDocument}
      variables={() => ({ endpointId, input: { status: 'ENABLED' as const } })}
      verb="Enable"
      done={() => 'The endpoint is enabled. Events from now on are delivered to it.'}
      onClose={onClose}
    >
      <p>Events from now on are delivered. To get what was missed meanwhile, recover it afterwards.</p>
    </CommandDialog>
  );
}

function DeleteEndpoint({ endpoint: { endpointId, url }, onClose }: ActionProps) {
  return (
    <CommandDialog
      title="Delete the endpoint"
      operation={ConsoleDeleteEndpointDocument}
      variables={() => ({ endpointId })}
      verb="Delete"
      isDangerous
      done={() => 'The endpoint was deleted.'}
      onDone={() => {
        onClose();
        navigate(hrefOf('/webhooks'), { replace: true });
      }}
      onClose={onClose}
    >
      <p>
        <span class="break">{url}</span> no longer gets events, and its deliveries cannot be looked at afterwards.
      </p>
    </CommandDialog>
  );
}

/** The actions for an endpoint, each in a dialog. */
export const ENDPOINT_ACTIONS = {
  test: TestEndpoint,
  recover: RecoverEndpoint,
  edit: EditEndpoint,
  rotate: RotateSecret,
  enable: EnableEndpoint,
  disable: DisableEndpoint,
  delete: DeleteEndpoint,
} as const satisfies Record<string, ComponentType<ActionProps>>;

export type EndpointAction = keyof typeof ENDPOINT_ACTIONS;
