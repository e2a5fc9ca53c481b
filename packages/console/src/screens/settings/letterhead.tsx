import type { ProgramPatch } from '../../generated/graphql.js';
import { useForm, type FieldsOf } from '../../ui/form.js';
import { LINES } from '../../ui/usual-fields.js';
import { EditableCard, type ChangeProps } from './editable-card.js';
import { ProgramDialog } from './program-dialog.js';
import { ErrorContact } from './error-contact.js';
import type { Program, SettingsProps } from './settings-of.js';

type Head = Pick<NonNullable<Program['letterhead']>, 'name' | 'addressLines' | 'telephone'>;

/** Shows the head of documents, as customers see it. */
export function LetterheadPart({ program }: SettingsProps) {
  const { letterhead, logo } = program;
  return (
    <>
      <EditableCard
        title="Letterhead"
        change="Change the letterhead"
        Change={Change}
        program={program}
        removal={{
          field: 'letterhead',
          what: 'the letterhead',
          consequence: 'No statements are issued until there is one again.',
        }}
      >
        {letterhead ? (
          <Preview head={letterhead} logo={logo} />
        ) : (
          <p class="soft">None is on record, so no statements are issued.</p>
        )}
      </EditableCard>
      <ErrorContact program={program} />
    </>
  );
}

function Preview({ head, logo }: { readonly head: Head; readonly logo: Program['logo'] }) {
  const { name, addressLines, telephone } = head;
  return (
    <div class="letterhead" role="group" aria-label="Preview of the letterhead">
      {logo && <Logo logo={logo} />}
      <div>
        <strong>{name}</strong>
        {[...addressLines, telephone].filter(Boolean).map((line, index) => (
          <div key={index}>{line}</div>
        ))}
      </div>
      <span>Account statement</span>
    </div>
  );
}

function Logo({ logo: { png, svgPath, viewBox, color } }: { readonly logo: NonNullable<Program['logo']> }) {
  if (png) return <img src={`data:image/png;base64,${png}`} alt="" height={44} />;
  return (
    <svg viewBox={viewBox?.join(' ')} height={44} aria-hidden="true">
      <path d={svgPath ?? ''} fill={color ?? 'currentColor'} />
    </svg>
  );
}

const FIELDS = {
  'letterhead/name': { label: 'Name', maxLength: 100, autoFocus: true },
  'letterhead/addressLines': {
    label: 'Address',
    hint: 'The address as on an envelope, at most 6 lines.',
    isOptional: true,
    elements: LINES,
  },
  'letterhead/telephone': { label: 'Telephone', isOptional: true, maxLength: 100 },
} as const satisfies FieldsOf<ProgramPatch>;

function Change({ program, onClose }: ChangeProps) {
  const { name, letterhead, logo } = program;
  const form = useForm(FIELDS, { from: { letterhead: letterhead ?? { name } }, at: '/input/patch', isStacked: true });
  return (
    <ProgramDialog
      title="Change the letterhead"
      form={form}
      input={form.input}
      saved="The letterhead was saved."
      onClose={onClose}
      below={
        <>
          <Preview head={form.input().letterhead} logo={logo} />
          <p class="hint">Documents that are issued from now on have it. Issued ones never change.</p>
        </>
      }
    />
  );
}
