import { useState } from 'preact/hooks';
import type { Operation } from '../../client/graphql.js';
import { useMay } from '../../client/session.js';
import {
  ConsoleCloseAccountDocument,
  ConsoleRestrictAccountDocument,
  ConsoleUnrestrictAccountDocument,
} from '../../generated/graphql.js';
import { Button } from '../../ui/button.js';
import { CommandDialog } from '../../ui/command-dialog.js';
import { Menu } from '../../ui/menu.js';
import { MenuItem } from '../../ui/menu-item.js';
import { useReason } from '../../ui/reason.js';
import type { Account } from './account-of.js';
import { EditAccount } from './edit-account.js';
import { LimitsDialog } from './limits-dialog.js';
import { MoveMoney } from './move-money.js';
import { PostTransaction } from './post-transaction.js';

type Action = 'restrict' | 'unrestrict' | 'close';

/** Offers what can be done with the account as a whole. */
export function AccountActions({ account }: { readonly account: Account }) {
  const { accountId, status } = account;
  const mayMove = useMay('transfers.write');
  const mayChange = useMay('operations') && status !== 'CLOSED';
  const [action, setAction] = useState<Action | Form>();
  const close = (): void => setAction(undefined);
  const Opened = isForm(action) && FORMS[action];
  return (
    <>
      {mayMove && status === 'OPEN' && (
        <Button kind="primary" onClick={() => setAction('move')}>
          Move money
        </Button>
      )}
      {mayChange ? (
        <Menu label={accountId}>
          <Changes isOpen={status === 'OPEN'} onAsk={setAction} />
        </Menu>
      ) : (
        <Button onClick={() => print()}>Print</Button>
      )}
      {Opened && <Opened account={account} onClose={close} />}
      {action && !isForm(action) && <ReasonDialog {...{ accountId, action }} onClose={close} />}
    </>
  );
}

interface ChangesProps {
  readonly isOpen: boolean;
  readonly onAsk: (action: Action | Form) => void;
}

function Changes({ isOpen, onAsk }: ChangesProps) {
  return (
    <>
      <MenuItem
        label="Post a transaction"
        about="A correction, a fee or interest, at the end of the history."
        onClick={() => onAsk('post')}
      />
      <MenuItem
        label="Set limits"
        about="Sets how much may leave the account, in place of the program’s limits."
        onClick={() => onAsk('limits')}
      />
      <MenuItem
        label="Edit"
        about="The type, the time zone, interest and the overdraft limit."
        onClick={() => onAsk('edit')}
      />
      <MenuItem label="Print" about="The page without what is for the screen." onClick={() => print()} />
      {isOpen ? (
        <MenuItem
          label="Restrict"
          about="No holds and no new cards, until it is lifted."
          isDangerous
          onClick={() => onAsk('restrict')}
        />
      ) : (
        <MenuItem
          label="Lift the restriction"
          about="The account can be used again as any other."
          onClick={() => onAsk('unrestrict')}
        />
      )}
      <MenuItem
        label="Close account"
        about="Closes it for good, with its cards. It must be empty."
        isDangerous
        onClick={() => onAsk('close')}
      />
    </>
  );
}

const FORMS = { move: MoveMoney, edit: EditAccount, post: PostTransaction, limits: LimitsDialog } as const;
type Form = keyof typeof FORMS;

function isForm(action: string | undefined): action is Form {
  return action !== undefined && action in FORMS;
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
  const form = useReason('For the records of the bank, without personal data. Operators read it in the events.');
  const { operation, title, verb, text, done } = ACTION_TEXTS[action];
  return (
    <CommandDialog
      title={`${title} ${accountId}`}
      isDangerous={action !== 'unrestrict'}
      {...{ verb, operation, form, onClose }}
      variables={() => ({ accountId, ...form.input() })}
      done={() => `Account ${accountId} ${done}.`}
    >
      <p>{text}</p>
    </CommandDialog>
  );
}
