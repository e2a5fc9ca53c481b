import { usePages } from '../../client/pages.js';
import { ConsoleEndpointsDocument, type ConsoleEndpointFragment, type ProgramPatch } from '../../generated/graphql.js';
import { hrefOf } from '../../router.js';
import { Card } from '../../ui/card.js';
import { Copy } from '../../ui/copy.js';
import { useForm, type FieldsOf } from '../../ui/form.js';
import { PagedList } from '../../ui/pages.js';
import { Empty } from '../../ui/states.js';
import { RowLink, Table, type Column } from '../../ui/table.js';
import { LINES } from '../../ui/usual-fields.js';
import { words } from '../../ui/words.js';
import { EditableCard, WaitsNote, type ChangeProps } from './editable-card.js';
import { ProgramDialog } from './program-dialog.js';
import type { SettingsProps } from './settings-of.js';

const KEYS: readonly Column<ConsoleEndpointFragment>[] = [
  {
    label: 'Endpoint',
    narrow: 'lead',
    cell: ({ endpointId, url }) => (
      <RowLink href={hrefOf(`/webhooks/${endpointId}`)}>
        <span class="break">{url}</span>
      </RowLink>
    ),
  },
  { label: 'Signed with', narrow: 'bare', cell: ({ signing }) => words(signing) },
  {
    label: 'Public key',
    cell: ({ publicKey }) =>
      publicKey == null ? (
        'None: the secret verifies'
      ) : (
        <span class="with-copy">
          <code>{publicKey.slice(0, 16)}…</code> <Copy text={publicKey} label="public key" />
        </span>
      ),
  },
];

/** The systems of the program, and what verifies that deliveries are of the gateway. */
export function Clients({ program }: SettingsProps) {
  const { clients, approvals } = program;
  const posting = new Set(approvals?.postingClients);
  const endpoints = usePages(ConsoleEndpointsDocument, {}, data => data.webhookEndpoints);
  const columns: readonly Column<string>[] = [
    { label: 'Client', narrow: 'lead', cell: client => <code>{client}</code> },
    {
      label: 'Postings',
      narrow: 'bare',
      cell: client => (posting.has(client) ? 'Never wait for an approval' : 'Wait as the rules say'),
    },
    {
      label: 'Changes',
      isEnd: true,
      narrow: 'side',
      cell: client => <a href={hrefOf('/changes', { client })}>What it changed</a>,
    },
  ];
  return (
    <>
      <EditableCard title="Clients" change="Change the clients" Change={Change} program={program} isFlush>
        {clients.length > 0 ? (
          <Table caption="Clients" columns={columns} rows={clients} keyOf={client => client} />
        ) : (
          <Empty title="No clients">Tokens name the program in a claim.</Empty>
        )}
        <p class="hint card-note">Their secrets are at the identity provider, which gives them their tokens.</p>
      </EditableCard>
      <Card title="Keys of webhooks" isFlush>
        <PagedList
          of={endpoints}
          noun="endpoint"
          empty={<Empty title="No endpoints">Nothing is delivered, so there is nothing to verify.</Empty>}
        >
          {nodes => (
            <Table caption="Keys of webhooks" columns={KEYS} rows={nodes} keyOf={({ endpointId }) => endpointId} />
          )}
        </PagedList>
      </Card>
    </>
  );
}

const FIELDS = {
  clients: {
    label: 'Clients of the program',
    hint: 'One id on each line, such as harborlight-core, as their tokens have it.',
    isOptional: true,
    elements: LINES,
  },
  'approvals/postingClients': {
    label: 'Clients whose postings never wait',
    hint: 'Systems of the bank, such as that of a card network. One id on each line.',
    isOptional: true,
    elements: LINES,
  },
} as const satisfies FieldsOf<ProgramPatch>;

function Change({ program, onClose }: ChangeProps) {
  const form = useForm(FIELDS, { from: program, at: '/input/patch', isStacked: true });
  return (
    <ProgramDialog
      title="Change the clients"
      form={form}
      // Rules that nobody changed are not made by this.
      input={() => ({ clients: form.input().clients, ...form.changes() })}
      saved="The clients were saved."
      onClose={onClose}
    >
      <WaitsNote />
    </ProgramDialog>
  );
}
