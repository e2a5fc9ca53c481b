import { useState } from 'preact/hooks';
import { Facts } from '../../ui/facts.js';
import { TextField } from '../../ui/field.js';
import { EditableCard, type ChangeProps } from './editable-card.js';
import { ProgramDialog } from './program-dialog.js';
import { LinesField, linesOf } from './lines.js';
import type { SettingsProps } from './settings-of.js';

/** Whom customers tell about errors in electronic transfers, as statements say it. */
export function ErrorContact({ program }: SettingsProps) {
  const { errorResolution: contact } = program;
  return (
    <EditableCard
      title="Contact for errors"
      change="Change the contact"
      Change={Change}
      program={program}
      removal={{
        field: 'errorResolution',
        what: 'the contact for errors',
        consequence: 'No statements are issued until there is one again.',
      }}
    >
      {contact ? (
        <Facts
          isLines
          facts={[
            ['Telephone', contact.telephone],
            ['E-mail', contact.email ?? 'None'],
            ['Address', contact.addressLines.join(', ')],
          ]}
        />
      ) : (
        <p class="soft">Nobody is on record whom customers tell about errors.</p>
      )}
    </EditableCard>
  );
}

function Change({ program: { errorResolution: contact }, onClose }: ChangeProps) {
  const [telephone, setTelephone] = useState(contact?.telephone ?? '');
  const [email, setEmail] = useState(contact?.email ?? '');
  const [address, setAddress] = useState((contact?.addressLines ?? []).join('\n'));
  return (
    <ProgramDialog
      title="Change the contact for errors"
      input={() => ({ errorResolution: { telephone, email: email || null, addressLines: linesOf(address) } })}
      saved="The contact was saved."
      onClose={onClose}
    >
      {errorAt => (
        <>
          <TextField
            label="Telephone"
            value={telephone}
            onValue={setTelephone}
            error={errorAt('/input/errorResolution/telephone')}
            maxLength={100}
            autoFocus
          />
          <TextField
            label="E-mail"
            type="email"
            isOptional
            value={email}
            onValue={setEmail}
            error={errorAt('/input/errorResolution/email')}
            maxLength={100}
          />
          <LinesField
            label="Address"
            hint="Where to write to, 1 to 6 lines."
            isRequired
            value={address}
            onValue={setAddress}
            pointer="/input/errorResolution/addressLines"
            errorAt={errorAt}
          />
          <p class="hint">Statements that are issued from now on have it. Issued ones never change.</p>
        </>
      )}
    </ProgramDialog>
  );
}
