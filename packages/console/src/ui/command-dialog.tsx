import type { ComponentChildren } from 'preact';
import { useCommand } from '../client/command.js';
import type { Operation } from '../client/graphql.js';
import { hrefOf } from '../router.js';
import { Button, ButtonLink } from './button.js';
import { Dialog } from './dialog.js';
import { Fields } from './fields.js';
import type { ShownForm } from './form.js';
import { ProblemNote } from './states.js';
import { toast } from './toast.js';

interface CommandDialogProps<Result, Variables> {
  readonly title: string;
  readonly operation: Operation<Result, Variables>;
  /** The input of the command, read when the form is sent. */
  readonly variables: () => Variables;
  /** The text of the button: the verb of the command. */
  readonly verb: string;
  readonly isDangerous?: boolean;
  readonly size?: 'wide';
  /** Says what was done, in a whole sentence. */
  readonly done: (result: Result) => string;
  /** In place of closing the dialog when it was done, such as to show an answer. */
  readonly onDone?: (result: Result) => void;
  readonly onClose: () => void;
  /** The fields, below the children. */
  readonly form?: ShownForm;
  /** The content below the fields. */
  readonly below?: ComponentChildren;
  /** `errorAt` gives what is wrong with a value, by its pointer, such as `/input/amount`. */
  readonly children?: ComponentChildren | ((errorAt: (pointer: string) => string | undefined) => ComponentChildren);
}

/** A dialog that asks for a command, sends it once, and says what it did. */
export function CommandDialog<Result, Variables>(props: CommandDialogProps<Result, Variables>) {
  const { title, operation, variables, verb, isDangerous, size, done, onDone, onClose, form, below, children } = props;
  const { run, isBusy, problem, errorAt } = useCommand(operation);
  const submit = async (): Promise<void> => {
    const result = await run(variables());
    if (result === null) return;
    toast(done(result));
    (onDone ?? onClose)(result);
  };
  const approvalId = problem?.code === 'APPROVAL_REQUIRED' ? problem.extensions.approvalId : undefined;
  if (approvalId) {
    return <Waiting {...{ title, approvalId, onClose }} />;
  }
  return (
    <Dialog
      {...{ title, size, isBusy, onClose }}
      onSubmit={() => void submit()}
      foot={
        <>
          <Button onClick={onClose} isBusy={false} disabled={isBusy}>
            Cancel
          </Button>
          <Button type="submit" kind={isDangerous ? 'danger' : 'primary'} isBusy={isBusy}>
            {verb}
          </Button>
        </>
      }
    >
      {typeof children === 'function' ? children(errorAt) : children}
      {form && <Fields {...{ form, errorAt }} />}
      {below}
      {problem && <ProblemNote problem={problem} />}
    </Dialog>
  );
}

function Waiting({
  title,
  approvalId,
  onClose,
}: {
  readonly title: string;
  readonly approvalId: string;
  readonly onClose: () => void;
}) {
  return (
    <Dialog
      {...{ title, onClose }}
      foot={
        <>
          <Button onClick={onClose}>Close</Button>
          <ButtonLink kind="primary" href={hrefOf(`/approvals/${approvalId}`)}>
            Open the approval
          </ButtonLink>
        </>
      }
    >
      <div class="note warn" role="status">
        <p>
          <strong>Waiting for approval.</strong> Nothing was changed yet: the program wants a second person to approve
          this. It is carried out as soon as they do.
        </p>
      </div>
    </Dialog>
  );
}
