import { Facts } from '../../ui/facts.js';
import { useForm } from '../../ui/form.js';
import { LINES } from '../../ui/usual-fields.js';
import { EditableCard, WaitsNote, type ChangeProps } from './editable-card.js';
import { ProgramDialog } from './program-dialog.js';
import type { SettingsProps } from './settings-of.js';

/** Shows the payer of the interest, as Forms 1099-INT print it. */
export function Payer({ program }: SettingsProps) {
  const { payer } = program;
  return (
    <EditableCard
      title="Payer of interest"
      change="Change the payer"
      Change={Change}
      program={program}
      removal={{
        field: 'payer',
        what: 'the payer of interest',
        consequence:
          'No Forms 1099-INT are issued until there is one again. It waits until another person approves it.',
      }}
    >
      {payer ? (
        <Facts
          isLines
          facts={[
            ['Name', payer.name],
            ['Address', payer.addressLines.join(', ') || 'None'],
            ['Telephone', payer.telephone ?? 'None'],
            ['Tax id', payer.taxId ?? 'None'],
            ['State', payer.state ? `${payer.state}, ${payer.stateTaxId ?? 'no id'}` : 'None'],
          ]}
        />
      ) : (
        <p class="soft">None is on record, so no Forms 1099-INT are issued.</p>
      )}
    </EditableCard>
  );
}

function Change({ program: { payer }, onClose }: ChangeProps) {
  const form = useForm(
    {
      name: { label: 'Name', maxLength: 100, autoFocus: true },
      telephone: { label: 'Telephone', isOptional: true, maxLength: 100 },
      // The one on record is masked, and stays where nothing is sent.
      taxId: {
        label: 'Tax id',
        hint: payer?.taxId ? `Empty keeps ${payer.taxId}.` : 'An EIN, such as 12-3456789.',
        isOptional: true,
        maxLength: 10,
      },
      addressLines: {
        label: 'Address',
        hint: 'The address as on an envelope, at most 6 lines.',
        isOptional: true,
        elements: LINES,
      },
      state: {
        label: 'State',
        hint: 'Box 15 of the form, such as OR.',
        isOptional: true,
        maxLength: 2,
        send: text => text.toUpperCase(),
      },
      stateTaxId: { label: 'Id in the state', hint: 'Box 16.', isOptional: true, maxLength: 20 },
    },
    { from: { ...payer, taxId: null }, at: '/input/patch/payer' },
  );
  const sent = () => {
    const { taxId, ...fields } = form.input();
    return { payer: { ...fields, ...(taxId !== null && { taxId }) } };
  };
  return (
    <ProgramDialog
      title="Change the payer of interest"
      size="wide"
      form={form}
      input={sent}
      saved="The payer was saved."
      onClose={onClose}
    >
      <WaitsNote />
    </ProgramDialog>
  );
}
