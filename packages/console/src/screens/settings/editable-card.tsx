import type { ComponentChildren, ComponentType } from 'preact';
import { useState } from 'preact/hooks';
import { useMay } from '../../client/session.js';
import { Button } from '../../ui/button.js';
import { Card } from '../../ui/card.js';
import { ProgramDialog } from './program-dialog.js';
import type { Program } from './settings-of.js';

export interface ChangeProps {
  readonly program: Program;
  readonly onClose: () => void;
}

/** A part of the record that need not be there. */
interface Removal {
  readonly field: 'letterhead' | 'payer' | 'errorResolution' | 'approvals';
  /** The thing that is removed, such as `the payer`. */
  readonly what: string;
  /** The consequences, in whole sentences. */
  readonly consequence: string;
}

interface EditableCardProps {
  readonly title: string;
  /** The action of the button, such as `Change the payer`. */
  readonly change: string;
  /** The dialog that the button opens. */
  readonly Change: ComponentType<ChangeProps>;
  readonly program: Program;
  readonly removal?: Removal;
  readonly isFlush?: boolean;
  readonly children: ComponentChildren;
}

/** A part of the record of the program, with a button for those who may change it. */
export function EditableCard(props: EditableCardProps) {
  const { title, change, Change, program, removal, isFlush = false, children } = props;
  const mayChange = useMay('operations');
  const [open, setOpen] = useState<'change' | 'remove'>();
  const onClose = (): void => setOpen(undefined);
  const isRemovable = removal !== undefined && program[removal.field] !== null;
  return (
    <Card
      {...{ title, isFlush }}
      actions={
        mayChange && (
          <>
            {isRemovable && (
              <Button kind="quiet" isSmall aria-label={`Remove ${removal.what}`} onClick={() => setOpen('remove')}>
                Remove
              </Button>
            )}
            <Button isSmall aria-label={change} onClick={() => setOpen('change')}>
              Change
            </Button>
          </>
        )
      }
    >
      {children}
      {open === 'change' && <Change program={program} onClose={onClose} />}
      {open === 'remove' && removal && <Remove removal={removal} onClose={onClose} />}
    </Card>
  );
}

function Remove({ removal, onClose }: { readonly removal: Removal; readonly onClose: () => void }) {
  const { field, what, consequence } = removal;
  return (
    <ProgramDialog
      title={`Remove ${what}`}
      input={() => ({ [field]: null })}
      verb="Remove"
      isDangerous
      saved={`Nothing is on record any more of ${what}.`}
      onClose={onClose}
    >
      <p>{consequence}</p>
    </ProgramDialog>
  );
}

/** Above fields that say what operators may do, and where money goes. */
export function WaitsNote() {
  return <p class="note info">Nobody changes this alone: it waits until another person approves it.</p>;
}
