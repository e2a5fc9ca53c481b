import { useState } from 'preact/hooks';
import { usePages } from '../../client/pages.js';
import { useMay } from '../../client/session.js';
import {
  ConsoleBeneficiariesDocument,
  ConsoleDeleteBeneficiaryDocument,
  type ConsoleBeneficiaryFragment,
} from '../../generated/graphql.js';
import { Button } from '../../ui/button.js';
import { Card } from '../../ui/card.js';
import { CommandDialog } from '../../ui/command-dialog.js';
import { csvFields, type CsvColumn } from '../../ui/csv.js';
import { Menu } from '../../ui/menu.js';
import { PagedList } from '../../ui/pages.js';
import { Empty } from '../../ui/states.js';
import { Table } from '../../ui/table.js';
import { Day } from '../../ui/time.js';
import { nameOf, words } from '../../ui/words.js';
import type { TabProps } from './account-of.js';
import { BeneficiaryDialog } from './beneficiary-dialog.js';
import { RevealDialog, useMayReveal } from './reveal.js';

const CSV: readonly CsvColumn<ConsoleBeneficiaryFragment>[] = [
  ['beneficiaryId', ({ beneficiaryId }) => beneficiaryId],
  ['name', ({ name }) => nameOf(name)],
  ...csvFields<ConsoleBeneficiaryFragment>('beneficiaryType', 'relationship', 'sharePercentage'),
];

type OpenDialog =
  | { readonly action: 'add' }
  | { readonly action: 'change' | 'delete' | 'reveal'; readonly beneficiary: ConsoleBeneficiaryFragment };

/** Lists the beneficiaries, who receive a share when the owners die. */
export function BeneficiariesTab({ account: { accountId, status } }: TabProps) {
  const pages = usePages(ConsoleBeneficiariesDocument, { accountId }, ({ account }) => account?.beneficiaries);
  const mayWrite = useMay('beneficiaries.write');
  const mayReveal = useMayReveal();
  const [open, setOpen] = useState<OpenDialog>();
  const close = (): void => setOpen(undefined);
  return (
    <Card
      title="Beneficiaries"
      isFlush
      actions={
        mayWrite &&
        status !== 'CLOSED' && (
          <Button isSmall icon="plus" onClick={() => setOpen({ action: 'add' })}>
            Add beneficiary
          </Button>
        )
      }
    >
      <PagedList
        of={pages}
        noun="beneficiary"
        many="beneficiaries"
        csv={CSV}
        empty={<Empty title="No beneficiaries">Nobody receives a share of this account when its owner dies.</Empty>}
      >
        {nodes => (
          <Table
            caption="Beneficiaries"
            rows={nodes}
            keyOf={({ beneficiaryId }) => beneficiaryId}
            columns={[
              { label: 'Name', narrow: 'lead', cell: ({ name }) => <strong>{nameOf(name)}</strong> },
              {
                label: 'Relationship',
                narrow: 'bare',
                cell: ({ relationship, beneficiaryType }) => `${words(relationship)}, ${beneficiaryType.toLowerCase()}`,
              },
              { label: 'Tax id', cell: ({ taxId, taxIdType }) => (taxId ? `${taxId} ${taxIdType ?? ''}` : 'None') },
              {
                label: 'Born',
                cell: ({ dateOfBirth }) => (dateOfBirth == null ? 'Not known' : <Day on={dateOfBirth} />),
              },
              { label: 'Share', isEnd: true, cell: ({ sharePercentage }) => `${sharePercentage}%` },
              {
                label: 'Actions',
                isLabelHidden: true,
                isEnd: true,
                narrow: 'side',
                cell: beneficiary =>
                  (mayWrite || mayReveal) && (
                    <Menu label={nameOf(beneficiary.name)}>
                      {mayWrite && <Button onClick={() => setOpen({ action: 'change', beneficiary })}>Change</Button>}
                      {mayReveal && (
                        <Button onClick={() => setOpen({ action: 'reveal', beneficiary })}>Reveal personal data</Button>
                      )}
                      {mayWrite && (
                        <Button kind="danger" onClick={() => setOpen({ action: 'delete', beneficiary })}>
                          Delete
                        </Button>
                      )}
                    </Menu>
                  ),
              },
            ]}
          />
        )}
      </PagedList>
      {open?.action === 'add' && <BeneficiaryDialog accountId={accountId} onClose={close} />}
      {open?.action === 'change' && (
        <BeneficiaryDialog accountId={accountId} beneficiary={open.beneficiary} onClose={close} />
      )}
      {open?.action === 'delete' && <Delete {...{ accountId }} beneficiary={open.beneficiary} onClose={close} />}
      {open?.action === 'reveal' && (
        <RevealDialog
          who={{ accountId, beneficiaryId: open.beneficiary.beneficiaryId }}
          name={nameOf(open.beneficiary.name)}
          onClose={close}
        />
      )}
    </Card>
  );
}

interface DeleteProps {
  readonly accountId: string;
  readonly beneficiary: ConsoleBeneficiaryFragment;
  readonly onClose: () => void;
}

function Delete({ accountId, beneficiary: { beneficiaryId, name, sharePercentage }, onClose }: DeleteProps) {
  return (
    <CommandDialog
      title={`Delete ${nameOf(name)}`}
      verb="Delete"
      isDangerous
      operation={ConsoleDeleteBeneficiaryDocument}
      variables={() => ({ accountId, beneficiaryId })}
      done={() => `${nameOf(name)} is no beneficiary of ${accountId} any more.`}
      onClose={onClose}
    >
      <p>The share of {sharePercentage}% is not given to the other beneficiaries: change theirs if it should be.</p>
    </CommandDialog>
  );
}
