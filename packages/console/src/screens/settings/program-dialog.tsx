import type { ComponentProps } from 'preact';
import { ConsoleUpdateProgramDocument, type ConsoleUpdateProgramMutationVariables } from '../../generated/graphql.js';
import { CommandDialog } from '../../ui/command-dialog.js';

type Dialog = ComponentProps<typeof CommandDialog>;

interface ProgramDialogProps extends Pick<
  Dialog,
  'title' | 'size' | 'isDangerous' | 'form' | 'below' | 'onClose' | 'children'
> {
  /** `Save` where it is left out. */
  readonly verb?: string;
  /** Makes the changes of the program, when the form is sent. */
  readonly input: () => ConsoleUpdateProgramMutationVariables['input'];
  /** Says what was saved, in a whole sentence. */
  readonly saved: string;
}

/** A dialog that changes a part of the record of the program. */
export function ProgramDialog({ input, saved, verb = 'Save', ...dialog }: ProgramDialogProps) {
  return (
    <CommandDialog
      {...dialog}
      operation={ConsoleUpdateProgramDocument}
      variables={() => ({ input: input() })}
      verb={verb}
      done={() => saved}
    />
  );
}
