import type { ComponentChildren, ComponentType } from 'preact';
import { useState } from 'preact/hooks';
import { useMay } from '../../client/session.js';
import { Button } from '../../ui/button.js';
import { Card } from '../../ui/card.js';
import type { Program } from './settings-of.js';

export interface ChangeProps {
  readonly program: Program;
  readonly onClose: () => void;
}

interface EditableCardProps {
  readonly title: string;
  /** What the button does, such as `Change the payer`. */
  readonly change: string;
  /** The dialog that the button opens. */
  readonly Change: ComponentType<ChangeProps>;
  readonly program: Program;
  readonly isFlush?: boolean;
  readonly children: ComponentChildren;
}

/** A part of the record of the program, with a button for those who may change it. */
export function EditableCard({ title, change, Change, program, isFlush = false, children }: EditableCardProps) {
  const mayChange = useMay('operations');
  const [isOpen, setOpen] = useState(false);
  return (
    <Card
      {...{ title, isFlush }}
      actions={
        mayChange && (
          <Button isSmall aria-label={change} onClick={() => setOpen(true)}>
            Change
          </Button>
        )
      }
    >
      {children}
      {isOpen && <Change program={program} onClose={() => setOpen(false)} />}
    </Card>
  );
}

/** Above fields that say what operators may do, and where money goes. */
export function WaitsNote() {
  return <p class="note info">Nobody changes this alone: it waits until another person approves it.</p>;
}
