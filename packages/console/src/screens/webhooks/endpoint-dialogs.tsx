import { useState } from 'preact/hooks';
import {
  ConsoleCreateEndpointDocument,
  ConsoleUpdateEndpointDocument,
  WebhookSigning,
  type ConsoleEndpointFragment,
  type WebhookEndpointPatch,
} from '../../generated/graphql.js';
import { hrefOf, navigate } from '../../router.js';
import { CommandDialog } from '../../ui/command-dialog.js';
import { useForm, type FieldsOf } from '../../ui/form.js';
import { ShownSecret, type NewSecret } from './secret.js';

interface DialogProps {
  readonly onClose: () => void;
}

/** The separators of elements of a list: spaces, commas and ends of lines. */
const WORDS = /[\s,]+/;

const FIELDS = {
  url: {
    label: 'URL',
    type: 'url',
    hint: 'An https address that is reached from the internet.',
    placeholder: 'https://bank.example/hooks/tillgate',
    autoFocus: true,
  },
  // An empty one clears it.
  description: { label: 'Description', isOptional: true, maxLength: 200 },
  types: {
    label: 'Types of events',
    isOptional: true,
    elements: WORDS,
    hint: 'Types such as transaction.posted, one per line. All types when empty.',
  },
  accountIds: {
    label: 'Accounts',
    isOptional: true,
    elements: WORDS,
    hint: 'Account ids, one per line. All accounts, and the events of the program, when empty.',
  },
} as const satisfies FieldsOf<WebhookEndpointPatch>;

const SIGNING = {
  signing: {
    label: 'Signature',
    hint: 'The signature by which receivers know that a delivery is from here. Packages for Standard Webhooks verify v1 alone.',
    options: Object.values(WebhookSigning),
  },
} as const;

/** Adds an endpoint, and shows its secret once. */
export function CreateEndpoint({ onClose }: DialogProps) {
  const form = useForm({ ...FIELDS, ...SIGNING }, { at: '/input/endpoint', isStacked: true });
  const [made, setMade] = useState<NewSecret>();
  if (made) {
    return (
      <ShownSecret
        title="The endpoint was added"
        of={made}
        onClose={() => {
          onClose();
          navigate(hrefOf(`/webhooks/${made.endpoint.endpointId}`));
        }}
      />
    );
  }
  return (
    <CommandDialog
      title="Add an endpoint"
      operation={ConsoleCreateEndpointDocument}
      form={form}
      variables={() => ({ input: form.input() })}
      verb="Add"
      done={() => 'The endpoint was added. Events from now on are delivered to it.'}
      onDone={({ createWebhookEndpoint: created }) => (created ? setMade(created) : onClose())}
      onClose={onClose}
    />
  );
}

export function EditEndpoint({ endpoint, onClose }: DialogProps & { readonly endpoint: ConsoleEndpointFragment }) {
  const { endpointId } = endpoint;
  const form = useForm(FIELDS, { from: endpoint, at: '/input/patch', isStacked: true });
  return (
    <CommandDialog
      title="Edit the endpoint"
      operation={ConsoleUpdateEndpointDocument}
      form={form}
      variables={() => ({ endpointId, input: form.input() })}
      verb="Save"
      done={() => 'The endpoint was changed.'}
      onClose={onClose}
    />
  );
}
