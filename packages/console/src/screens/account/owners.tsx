import { useState } from 'preact/hooks';
import { useQuery } from '../../client/query.js';
import { useMay } from '../../client/session.js';
import {
  ConsoleAddOwnerDocument,
  ConsoleOwnersDocument,
  ConsoleRemoveOwnerDocument,
  type ConsoleOwnersQuery,
} from '../../generated/graphql.js';
import { hrefOf } from '../../router.js';
import { Button } from '../../ui/button.js';
import { Card } from '../../ui/card.js';
import { CommandDialog } from '../../ui/command-dialog.js';
import { Menu } from '../../ui/menu.js';
import { Answer, Empty } from '../../ui/states.js';
import { Status } from '../../ui/status.js';
import { RowLink, Table } from '../../ui/table.js';
import { counted, nameOf } from '../../ui/words.js';
import { CustomerPicker, type PickedCustomer } from '../customers/customer-picker.js';
import type { TabProps } from './account-of.js';
import { RevealDialog, useMayReveal } from './reveal.js';

type Owner = NonNullable<ConsoleOwnersQuery['account']>['owners'][number];

type OpenDialog = 'add' | { readonly remove: Owner } | { readonly reveal: Owner };

const ownerName = ({ name, customerId }: Owner): string => (name ? nameOf(name) : customerId);

/** Lists the owners of the account. */
export function OwnersTab({ account: { accountId, status } }: TabProps) {
  const query = useQuery(ConsoleOwnersDocument, { accountId });
  const mayWrite = useMay('owners.write') && status !== 'CLOSED';
  const mayReveal = useMayReveal();
  const [open, setOpen] = useState<OpenDialog>();
  const close = (): void => setOpen(undefined);
  return (
    <Card
      title="Owners"
      isFlush
      actions={
        mayWrite && (
          <Button isSmall icon="plus" onClick={() => setOpen('add')}>
            Add owner
          </Button>
        )
      }
    >
      <Answer of={query}>
        {data =>
          data.account?.owners.length ? (
            <Table
              caption="Owners"
              rows={data.account.owners}
              keyOf={({ customerId }) => customerId}
              columns={[
                {
                  label: 'Name',
                  narrow: 'lead',
                  cell: owner => <RowLink href={hrefOf(`/customers/${owner.customerId}`)}>{ownerName(owner)}</RowLink>,
                },
                {
                  label: 'Role',
                  narrow: 'bare',
                  cell: ({ isPrimary }) => isPrimary && <Status value="PRIMARY" tone="info" />,
                },
                {
                  label: 'Tax id',
                  cell: ({ taxId, taxIdCountry }) => (taxId ? `${taxId} ${taxIdCountry ?? ''}` : 'None'),
                },
                {
                  label: 'Contact',
                  narrow: 'bare',
                  cell: ({ contact }) =>
                    [...(contact?.email ?? []), ...(contact?.telephones.map(({ number }) => number) ?? [])].map(
                      text => <div key={text}>{text}</div>,
                    ),
                },
                {
                  label: 'Actions',
                  isLabelHidden: true,
                  isEnd: true,
                  narrow: 'side',
                  cell: owner =>
                    (mayWrite || mayReveal) && (
                      <Menu label={ownerName(owner)}>
                        {mayReveal && <Button onClick={() => setOpen({ reveal: owner })}>Reveal personal data</Button>}
                        {mayWrite && (
                          <Button kind="danger" onClick={() => setOpen({ remove: owner })}>
                            Remove owner
                          </Button>
                        )}
                      </Menu>
                    ),
                },
              ]}
            />
          ) : (
            <Empty title="No owners">The last owner was removed.</Empty>
          )
        }
      </Answer>
      {open === 'add' && <AddOwner accountId={accountId} onClose={close} />}
      {typeof open === 'object' && 'remove' in open && (
        <RemoveOwner accountId={accountId} owner={open.remove} onClose={close} />
      )}
      {typeof open === 'object' && 'reveal' in open && (
        <RevealDialog
          who={{ accountId, customerId: open.reveal.customerId }}
          name={ownerName(open.reveal)}
          onClose={close}
        />
      )}
    </Card>
  );
}

function AddOwner({ accountId, onClose }: { readonly accountId: string; readonly onClose: () => void }) {
  const [picked, setPicked] = useState<readonly PickedCustomer[]>([]);
  return (
    <CommandDialog
      title="Add an owner"
      verb="Add owner"
      operation={ConsoleAddOwnerDocument}
      variables={() => ({ accountId, customerIds: picked.map(({ customerId }) => customerId) })}
      done={({ addAccountOwners }) => {
        const results = addAccountOwners?.results ?? [];
        const failed = results.find(({ ownerStatus }) => ownerStatus !== 'ADDED');
        if (failed) return `Not everybody was added. ${failed.reason ?? ''}`;
        return `${counted(results.length, 'owner')} of ${accountId} more.`;
      }}
      onClose={onClose}
    >
      {errorAt => (
        <CustomerPicker
          label="New owners, behind the present ones"
          picked={picked}
          onPicked={setPicked}
          error={errorAt('/input/customerIds') ?? errorAt('/input/customerIds/0')}
        />
      )}
    </CommandDialog>
  );
}

interface RemoveOwnerProps {
  readonly accountId: string;
  readonly owner: Owner;
  readonly onClose: () => void;
}

function RemoveOwner({ accountId, owner, onClose }: RemoveOwnerProps) {
  return (
    <CommandDialog
      title={`Remove ${ownerName(owner)}`}
      verb="Remove owner"
      isDangerous
      operation={ConsoleRemoveOwnerDocument}
      variables={() => ({ accountId, customerIds: [owner.customerId] })}
      done={() => `${ownerName(owner)} is no longer an owner of ${accountId}.`}
      onClose={onClose}
    >
      <p>
        {ownerName(owner)} loses access to the account {accountId}. The customer stays on record.
      </p>
    </CommandDialog>
  );
}
