import { useEffect, useState } from 'preact/hooks';
import { useCommand } from '../../client/command.js';
import { useQuery } from '../../client/query.js';
import {
  ConsolePayeeDocument,
  ConsolePreviewTransferDocument,
  ConsoleTransferDocument,
  type TransferInput,
} from '../../generated/graphql.js';
import { Button } from '../../ui/button.js';
import { CommandDialog } from '../../ui/command-dialog.js';
import { Dialog } from '../../ui/dialog.js';
import { Facts } from '../../ui/facts.js';
import { Fields } from '../../ui/fields.js';
import { useForm, type ShownForm } from '../../ui/form.js';
import { difference, grouped, Money } from '../../ui/money.js';
import { ProblemNote } from '../../ui/states.js';
import { amountIn } from '../../ui/usual-fields.js';
import { nameOf, words } from '../../ui/words.js';
import type { Account } from './account-of.js';
import { RemainingLimits } from './transfer-limits.js';

/** The answer to the dry run of a transfer. */
interface TransferPreview {
  /** With the digits of the currency. */
  readonly amount: string;
  /** True if another person must approve it. */
  readonly waits: boolean;
}

interface MoveMoneyProps {
  readonly account: Account;
  readonly onClose: () => void;
}

/** Asks for a transfer, tries it by a dry run, shows what it would do, and then makes it. */
export function MoveMoney({ account, onClose }: MoveMoneyProps) {
  const { accountId, currency, balances } = account;
  const [transferId] = useState(() => `console-${crypto.randomUUID()}`);
  const form = useForm(
    {
      toAccountId: {
        label: 'To account',
        hint: `An account of the program in ${currency}.`,
        maxLength: 64,
        autoFocus: true,
      },
      amount: { ...amountIn(currency), hint: `${grouped(balances.available)} ${currency} are available.` },
      description: { label: 'Description', isOptional: true, hint: 'Both histories show it.', maxLength: 500 },
      reference: { label: 'Reference', isOptional: true, hint: 'For bookkeeping.', maxLength: 64 },
    },
    { at: '/input/transfer' },
  );
  const [preview, setPreview] = useState<TransferPreview>();
  const input: TransferInput = { transferId, fromAccountId: accountId, ...form.input() };
  return preview ? (
    <Confirmation {...{ account, input, preview, onClose }} onBack={() => setPreview(undefined)} />
  ) : (
    <Asking {...{ account, input, form, onClose }} onPreview={setPreview} />
  );
}

interface AskingProps extends MoveMoneyProps {
  readonly input: TransferInput;
  readonly form: ShownForm;
  readonly onPreview: (preview: TransferPreview) => void;
}

function Asking({ account, input, form, onPreview, onClose }: AskingProps) {
  const { accountId, currency } = account;
  const { run, isBusy, problem, errorAt } = useCommand(ConsolePreviewTransferDocument);
  const waits = problem?.code === 'APPROVAL_REQUIRED';
  // It could be made, if another person approves it.
  useEffect(() => {
    if (waits) onPreview({ amount: input.amount, waits });
  }, [waits]);
  const submit = async (): Promise<void> => {
    const tried = (await run({ input }))?.createTransfer;
    if (tried) onPreview({ amount: tried.transfer.amount, waits: false });
  };
  return (
    <Dialog
      title={`Move money from ${accountId}`}
      size="wide"
      {...{ isBusy, onClose }}
      onSubmit={() => void submit()}
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" isBusy={isBusy}>
            Preview
          </Button>
        </>
      }
    >
      <Fields {...{ form, errorAt }} />
      <RemainingLimits {...{ accountId, currency }} />
      {problem && !waits && <ProblemNote problem={problem} />}
    </Dialog>
  );
}

interface ConfirmationProps extends MoveMoneyProps {
  readonly input: TransferInput;
  readonly preview: TransferPreview;
  readonly onBack: () => void;
}

function Confirmation({ account, input, preview: { amount, waits }, onBack, onClose }: ConfirmationProps) {
  const { accountId, currency, balances } = account;
  const { toAccountId, description, reference } = input;
  const payee = useQuery(ConsolePayeeDocument, { accountId: toAccountId });
  return (
    <CommandDialog
      title="Move this money?"
      verb="Move money"
      operation={ConsoleTransferDocument}
      variables={() => ({ input })}
      done={() => `${grouped(amount)} ${currency} went from ${accountId} to ${toAccountId}.`}
      onClose={onClose}
    >
      {waits && (
        <p class="note warn">The program wants a second person to approve this. The money moves when they do.</p>
      )}
      <p class="big">
        <Money amount={amount} currency={currency} />
      </p>
      <Facts
        isLines
        facts={[
          ['From', accountId],
          ['To', toAccountId],
          ['Owners', <Payee of={payee.data?.account} />],
          description != null && ['Description', description],
          reference != null && ['Reference', reference],
          ['Available after it', <Money amount={difference(balances.available, amount)} currency={currency} />],
        ]}
      />
      <p>
        <Button isSmall onClick={onBack}>
          Change it
        </Button>
      </p>
    </CommandDialog>
  );
}

interface PayeeProps {
  readonly of:
    | (Pick<Account, 'accountType'> & { readonly owners: readonly Pick<Account['owners'][number], 'name'>[] })
    | null
    | undefined;
}

/** To whom the money goes. */
function Payee({ of }: PayeeProps) {
  if (!of) return <>…</>;
  const names = of.owners.map(({ name }) => (name ? nameOf(name) : 'name not readable'));
  return (
    <>
      {names.join(', ') || 'Nobody'}, {words(of.accountType).toLowerCase()} account
    </>
  );
}
