import { useState } from 'preact/hooks';
import {
  ConsoleCreateEndpointDocument,
  ConsoleUpdateEndpointDocument,
  type ConsoleEndpointFragment,
  type WebhookSigning,
} from '../../generated/graphql.js';
import { hrefOf, navigate } from '../../router.js';
import { CommandDialog } from '../../ui/command-dialog.js';
import { Select, TextField } from '../../ui/field.js';
import { ShownSecret, type NewSecret } from './secret.js';

interface DialogProps {
  readonly onClose: () => void;
}

interface Draft {
  readonly url: string;
  readonly description: string;
  readonly types: string;
  readonly accountIds: string;
}

/** Words that are separated by spaces, commas or ends of lines. */
function listOf(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/).filter(word => word !== ''))];
}

/** The first thing that is wrong with a list or with an element of it. */
function errorIn(errorAt: (pointer: string) => string | undefined, name: string, text: string): string | undefined {
  const elements = listOf(text);
  const wrong = elements.findIndex((_, index) => errorAt(`/input/${name}/${index}`) !== undefined);
  return (
    errorAt(`/input/${name}`) ?? (wrong < 0 ? undefined : `${elements[wrong]}: ${errorAt(`/input/${name}/${wrong}`)}`)
  );
}

interface FieldsProps {
  readonly draft: Draft;
  readonly onDraft: (draft: Draft) => void;
  readonly errorAt: (pointer: string) => string | undefined;
}

function EndpointFields({ draft, onDraft, errorAt }: FieldsProps) {
  const set = (changes: Partial<Draft>): void => onDraft({ ...draft, ...changes });
  return (
    <>
      <TextField
        label="URL"
        type="url"
        hint="An https address that is reached from the internet."
        placeholder="https://bank.example/hooks/tillgate"
        value={draft.url}
        onValue={url => set({ url })}
        error={errorAt('/input/url')}
        autoFocus
      />
      <TextField
        label="Description"
        isOptional
        value={draft.description}
        onValue={description => set({ description })}
        maxLength={200}
        error={errorAt('/input/description')}
      />
      <TextField
        label="Types of events"
        isOptional
        isLong
        hint="Such as transaction.posted, one per line. All types when empty."
        value={draft.types}
        onValue={types => set({ types })}
        error={errorIn(errorAt, 'types', draft.types)}
      />
      <TextField
        label="Accounts"
        isOptional
        isLong
        hint="Account ids, one per line. All accounts, and the events of the program, when empty."
        value={draft.accountIds}
        onValue={accountIds => set({ accountIds })}
        error={errorIn(errorAt, 'accountIds', draft.accountIds)}
      />
    </>
  );
}

function inputOf({ url, description, types, accountIds }: Draft) {
  return { url: url.trim(), description, types: listOf(types), accountIds: listOf(accountIds) };
}

/** Adds an endpoint, and shows its secret once. */
export function CreateEndpoint({ onClose }: DialogProps) {
  const [draft, setDraft] = useState<Draft>({ url: '', description: '', types: '', accountIds: '' });
  const [signing, setSigning] = useState<WebhookSigning>('V1');
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
      variables={() => ({ input: { ...inputOf(draft), signing } })}
      verb="Add"
      done={() => 'The endpoint was added. Events from now on are delivered to it.'}
      onDone={({ createWebhookEndpoint: created }) => (created ? setMade(created) : onClose())}
      onClose={onClose}
    >
      {errorAt => (
        <>
          <EndpointFields draft={draft} onDraft={setDraft} errorAt={errorAt} />
          <Select
            label="Signature"
            hint="How receivers know that a delivery is from here. Packages for Standard Webhooks verify v1 alone."
            value={signing}
            onValue={setSigning}
            options={['V1', 'V1A']}
          />
        </>
      )}
    </CommandDialog>
  );
}

export function EditEndpoint({ endpoint, onClose }: DialogProps & { readonly endpoint: ConsoleEndpointFragment }) {
  const { endpointId, url, description, types, accountIds } = endpoint;
  const [draft, setDraft] = useState<Draft>({
    url,
    description: description ?? '',
    types: types.join('\n'),
    accountIds: accountIds.join('\n'),
  });
  return (
    <CommandDialog
      title="Edit the endpoint"
      operation={ConsoleUpdateEndpointDocument}
      variables={() => ({ endpointId, input: inputOf(draft) })}
      verb="Save"
      done={() => 'The endpoint was changed.'}
      onClose={onClose}
    >
      {errorAt => <EndpointFields draft={draft} onDraft={setDraft} errorAt={errorAt} />}
    </CommandDialog>
  );
}
