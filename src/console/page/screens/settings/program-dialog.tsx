import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { ConsoleSetProgramDocument, type ConsoleSetProgramMutation } from '../../generated/graphql.js';
import { CommandDialog } from '../../ui/command-dialog.js';
import type { Program } from './settings-of.js';

type Rejected = NonNullable<ConsoleSetProgramMutation['importRecords']>['rejected'];

interface ProgramDialogProps {
  readonly title: string;
  readonly program: Program;
  /** The fields that change; what they leave out stays as it is. */
  readonly changes: () => Readonly<Record<string, unknown>>;
  readonly onClose: () => void;
  readonly children: (errorAt: (pointer: string) => string | undefined) => ComponentChildren;
}

/** Changes the record of the program, as an import of it does: the other fields stay as they are. */
export function ProgramDialog({ title, program, changes, onClose, children }: ProgramDialogProps) {
  const [rejected, setRejected] = useState<Rejected>([]);
  const { programId, name } = program;
  return (
    <CommandDialog
      {...{ title, onClose }}
      operation={ConsoleSetProgramDocument}
      variables={() => ({ lines: JSON.stringify({ programId, name, ...changes() }) })}
      verb="Save"
      done={({ importRecords: result }) =>
        result?.rejected.length
          ? 'Nothing was changed.'
          : result?.written
            ? 'The program was changed.'
            : 'The program was like this already.'
      }
      onDone={({ importRecords: result }) => {
        if (result?.rejected.length) setRejected(result.rejected);
        else onClose();
      }}
    >
      {children(pointer => rejected.find(one => one.pointer.startsWith(pointer))?.detail)}
      {rejected
        .filter(({ pointer }) => pointer === '')
        .map(({ detail }) => (
          <p key={detail} class="note bad" role="alert">
            {detail}
          </p>
        ))}
    </CommandDialog>
  );
}
