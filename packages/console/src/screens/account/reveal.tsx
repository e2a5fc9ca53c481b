import { useState } from 'preact/hooks';
import { useMay } from '../../client/session.js';
import { RevealPersonalDataDocument, type RevealPersonalDataMutation } from '../../generated/graphql.js';
import { useReason } from '../../ui/reason.js';
import { Button } from '../../ui/button.js';
import { CommandDialog } from '../../ui/command-dialog.js';
import { Dialog } from '../../ui/dialog.js';
import { Facts } from '../../ui/facts.js';
import { addressLine } from '../../ui/person.js';
import { dayText } from '../../ui/time.js';
import { nameOf, words } from '../../ui/words.js';

type RevealedData = NonNullable<RevealPersonalDataMutation['revealPersonalData']>['personalData'];

/** Revealing needs both scopes. */
export function useMayReveal(): boolean {
  const [mayRead, maySee] = [useMay('operations.read'), useMay('pii.read')];
  return mayRead && maySee;
}

interface RevealDialogProps {
  readonly who: { readonly accountId: string; readonly customerId?: string; readonly beneficiaryId?: string };
  readonly name: string;
  readonly onClose: () => void;
}

/**
 * Asks for a reason, and then shows the personal data until the dialog is closed. It is kept nowhere, and goes with the
 * session.
 */
export function RevealDialog({ who, name, onClose }: RevealDialogProps) {
  const form = useReason('At least 3 characters, without personal data. Operators read it in the events.');
  const [revealed, setRevealed] = useState<RevealedData>();
  if (revealed) return <Shown {...{ revealed, onClose }} />;
  return (
    <CommandDialog
      title={`Reveal the personal data of ${name}`}
      verb="Reveal"
      operation={RevealPersonalDataDocument}
      form={form}
      variables={() => ({ input: { ...who, ...form.input() } })}
      done={() => 'The reveal was recorded in the events of the account.'}
      onDone={data => (data.revealPersonalData ? setRevealed(data.revealPersonalData.personalData) : onClose())}
      onClose={onClose}
    >
      <p>The events of the account record who reveals it, of whom, when and why.</p>
    </CommandDialog>
  );
}

function Shown({ revealed, onClose }: { readonly revealed: RevealedData; readonly onClose: () => void }) {
  const { name, dateOfBirth, taxId, governmentId, addresses, emails, phones } = revealed;
  return (
    <Dialog title={nameOf(name)} onClose={onClose} foot={<Button onClick={onClose}>Done</Button>}>
      <Facts
        isLines
        facts={[
          ['Date of birth', dateOfBirth == null ? 'Not known' : dayText(dateOfBirth)],
          ['Tax id', taxId ?? 'None'],
          ['Government id', governmentId ?? 'None'],
          ...addresses.map(address => [`${words(address.type)} address`, addressLine(address)] as const),
          ...emails.map(email => ['E-mail', email] as const),
          ...phones.map(({ type, number }) => [`${words(type)} phone`, number] as const),
        ]}
      />
    </Dialog>
  );
}
