import { useState } from 'preact/hooks';
import { Facts } from '../../ui/facts.js';
import { TextField } from '../../ui/field.js';
import { EditableCard, WaitsNote, type ChangeProps } from './editable-card.js';
import { ProgramDialog } from './program-dialog.js';
import { LinesField, linesOf } from './lines.js';
import type { SettingsProps } from './settings-of.js';

/** Who pays the interest, as Forms 1099-INT say it. */
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
  const [fields, setFields] = useState({
    name: payer?.name ?? '',
    telephone: payer?.telephone ?? '',
    // The one on record is masked, and stays where nothing is sent.
    taxId: '',
    state: payer?.state ?? '',
    stateTaxId: payer?.stateTaxId ?? '',
  });
  const [address, setAddress] = useState((payer?.addressLines ?? []).join('\n'));
  const { name, telephone, taxId, state, stateTaxId } = fields;
  const sent = {
    name,
    addressLines: linesOf(address),
    telephone: telephone || null,
    ...(taxId && { taxId }),
    state: state.toUpperCase() || null,
    stateTaxId: stateTaxId || null,
  };
  return (
    <ProgramDialog
      title="Change the payer of interest"
      size="wide"
      input={() => ({ payer: sent })}
      saved="The payer was saved."
      onClose={onClose}
    >
      {errorAt => {
        const field = (key: keyof typeof fields) => ({
          value: fields[key],
          onValue: (value: string) => setFields(last => ({ ...last, [key]: value })),
          error: errorAt(`/input/payer/${key}`),
        });
        return (
          <>
            <WaitsNote />
            <div class="fields">
              <TextField label="Name" {...field('name')} maxLength={100} autoFocus />
              <TextField label="Telephone" isOptional {...field('telephone')} maxLength={100} />
              <TextField
                label="Tax id"
                hint={payer?.taxId ? `Empty keeps ${payer.taxId}.` : 'An EIN, such as 12-3456789.'}
                isOptional
                {...field('taxId')}
                maxLength={10}
              />
              <LinesField
                label="Address"
                hint="As on an envelope, at most 6 lines."
                value={address}
                onValue={setAddress}
                pointer="/input/payer/addressLines"
                errorAt={errorAt}
              />
              <TextField
                label="State"
                hint="Box 15 of the form, such as OR."
                isOptional
                {...field('state')}
                maxLength={2}
              />
              <TextField label="Id in the state" hint="Box 16." isOptional {...field('stateTaxId')} maxLength={20} />
            </div>
          </>
        );
      }}
    </ProgramDialog>
  );
}
