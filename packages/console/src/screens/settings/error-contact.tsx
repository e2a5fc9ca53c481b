import type { ProgramPatch } from '../../generated/graphql.js';
import { Facts } from '../../ui/facts.js';
import { useForm, type FieldsOf } from '../../ui/form.js';
import { LINES } from '../../ui/usual-fields.js';
import { EditableCard, type ChangeProps } from './editable-card.js';
import { ProgramDialog } from './program-dialog.js';
import type { SettingsProps } from './settings-of.js';

/** Shows the contact for errors in electronic transfers, as statements print it. */
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

const FIELDS = {
  'errorResolution/telephone': { label: 'Telephone', maxLength: 100, autoFocus: true },
  'errorResolution/email': { label: 'E-mail', type: 'email', isOptional: true, maxLength: 100 },
  'errorResolution/addressLines': { label: 'Address', hint: 'The postal address, 1 to 6 lines.', elements: LINES },
} as const satisfies FieldsOf<ProgramPatch>;

function Change({ program, onClose }: ChangeProps) {
  const form = useForm(FIELDS, { from: program, at: '/input/patch', isStacked: true });
  return (
    <ProgramDialog
      title="Change the contact for errors"
      form={form}
      input={form.input}
      saved="The contact was saved."
      onClose={onClose}
      below={<p class="hint">Statements that are issued from now on have it. Issued ones never change.</p>}
    />
  );
}
