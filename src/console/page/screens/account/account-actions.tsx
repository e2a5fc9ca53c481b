import { useState } from 'preact/hooks';
import type { Operation } from '../../client/graphql.js';
import { useMay } from '../../client/session.js';
import {
  ConsoleCloseAccountDocument,
  ConsoleRestrictAccountDocument,
  ConsoleUnrestrictAccountDocument,
} from '../../generated/graphql.js';
import { ReasonField } from '../../ui/reason-field.js';
import { Button } from '../../ui/button.js';
import { CommandDialog } from '../../ui/command-dialog.js';
import type { Account } from './account-of.js';
import { MoveMoney } from './move-money.js';

type Action = 'restrict' | 'unrestrict' | 'close';

/** What can be done with the account as a whole. */
export function AccountActions({ account }: { readonly account: Account }) {
  const { accountId, status } = account;
  const mayMove = useMay('transfers.write');
  const mayChange = useMay('operations');
  const [action, setAction] = useState<Action | 'move'>();
  const close = (): void => setAction(undefined);
  return (
    <>
      {mayMove && status === 'OPEN' && <Button onClick={() => setAction('move')}>Move money</Button>}
      <Button onClick={() => print()}>Print</Button>
      {mayChange && status === 'OPEN' && <Button onClick={() => setAction('restrict')}>Restrict</Button>}
      {mayChange && status === 'RESTRICTED' && (
        <Button onClick={() => setAction('unrestrict')}>Lift the restriction</Button>
      )}
      {mayChange && status !== 'CLOSED' && <Button onClick={() => setAction('close')}>Close account</Button>}
      {action === 'move' && <MoveMoney account={account} onClose={close} />}
      {action && action !== 'move' && <ReasonDialog {...{ accountId, action }} onClose={close} />}
    </>
  );
}

interface AccountActionTexts {
  readonly operation: Operation<unknown, { readonly accountId: string; readonly reason: string }>;
  readonly title: string;
  readonly verb: string;
  readonly text: string;
  readonly done: string;
}

const ACTION_TEXTS: Readonly<Record<Action, AccountActionTexts>> = {
  restrict: {
    operation: ConsoleRestrictAccountDocument,
    title: 'Restrict',
    verb: 'Restrict',
    text: 'The account gets no holds and no new cards, until the restriction is lifted. Transactions can still be posted.',
    done: 'is restricted',
  },
  unrestrict: {
    operation: ConsoleUnrestrictAccountDocument,
    title: 'Lift the restriction of',
    verb: 'Lift the restriction',
    text: 'The account can be used again without restriction.',
    done: 'is open again',
  },
  close: {
    operation: ConsoleCloseAccountDocument,
    title: 'Close',
    verb: 'Close account',
    text: 'A closed account is never opened again, and its cards are closed. The balance must be zero, and nothing may be held. The history and the documents stay.',
    done: 'is closed',
  },
};

interface ReasonDialogProps {
  readonly accountId: string;
  readonly action: Action;
  readonly onClose: () => void;
}

function ReasonDialog({ accountId, action, onClose }: ReasonDialogProps) {
  const [reason, setReason] = useState('');
  const { operation, title, verb, text, done } = ACTION_TEXTS[action];
  return (
    <CommandDialog
      title={`${title} ${accountId}`}
      isDangerous={action !== 'unrestrict'}
      {...{ verb, operation, onClose }}
      variables={() => ({ accountId, reason })}
      done={() => `Account ${accountId} ${done}.`}
    >
      {errorAt => (
        <>
          <p>{text}</p>
          <ReasonField
            hint="For the records of the bank, without personal data. Operators read it in the events."
            value={reason}
            onValue={setReason}
            error={errorAt('/reason')}
          />
        </>
      )}
    </CommandDialog>
  );
}
