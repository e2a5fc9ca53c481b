import { useState } from 'preact/hooks';
import { TextField } from '../../ui/field.js';
import { EditableCard, type ChangeProps } from './editable-card.js';
import { ProgramDialog } from './program-dialog.js';
import { ErrorContact } from './error-contact.js';
import { LinesField, linesOf } from './lines.js';
import type { Program, SettingsProps } from './settings-of.js';

type Head = Pick<NonNullable<Program['letterhead']>, 'name' | 'addressLines' | 'telephone'>;

/** What stands at the head of documents, as customers see it. */
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

function Change({ program, onClose }: ChangeProps) {
  const { letterhead, logo } = program;
  const [name, setName] = useState(letterhead?.name ?? program.name);
  const [address, setAddress] = useState((letterhead?.addressLines ?? []).join('\n'));
  const [telephone, setTelephone] = useState(letterhead?.telephone ?? '');
  const addressLines = linesOf(address);
  return (
    <ProgramDialog
      title="Change the letterhead"
      input={() => ({ letterhead: { name, addressLines, telephone: telephone || null } })}
      saved="The letterhead was saved."
      onClose={onClose}
    >
      {errorAt => (
        <>
          <TextField
            label="Name"
            value={name}
            onValue={setName}
            error={errorAt('/input/letterhead/name')}
            maxLength={100}
            autoFocus
          />
          <LinesField
            label="Address"
            hint="As on an envelope, at most 6 lines."
            value={address}
            onValue={setAddress}
            pointer="/input/letterhead/addressLines"
            errorAt={errorAt}
          />
          <TextField
            label="Telephone"
            isOptional
            value={telephone}
            onValue={setTelephone}
            error={errorAt('/input/letterhead/telephone')}
            maxLength={100}
          />
          <Preview head={{ name, addressLines, telephone }} logo={logo} />
          <p class="hint">Documents that are issued from now on have it. Issued ones never change.</p>
        </>
      )}
    </ProgramDialog>
  );
}
