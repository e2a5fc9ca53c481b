import { useState } from 'preact/hooks';
import { useQuery } from '../../client/query.js';
import { useMay } from '../../client/session.js';
import {
  ConsoleCaptureHoldDocument,
  ConsoleCardsDocument,
  ConsolePlaceHoldDocument,
  ConsoleReleaseHoldDocument,
  type ConsoleHoldFragment,
} from '../../generated/graphql.js';
import { CommandDialog } from '../../ui/command-dialog.js';
import { Check, Select, TextField } from '../../ui/field.js';
import { grouped } from '../../ui/money.js';
import type { Account } from './account-of.js';

/** The preset number of days of a new hold. The API takes at most 365. */
const USUAL_DAYS = 7;
const DAY_MS = 24 * 3600 * 1000;

interface PlaceHoldProps {
  readonly account: Account;
  readonly onClose: () => void;
}

export function PlaceHold({ account: { accountId, currency, balances }, onClose }: PlaceHoldProps) {
  const maySeeCards = useMay('cards.read');
  const cards = useQuery(ConsoleCardsDocument, maySeeCards ? { accountId } : null);
  const usable = cards.data?.account?.cards?.filter(({ status }) => status === 'ACTIVE') ?? [];
  const [holdId] = useState(() => `console-${crypto.randomUUID()}`);
  const [amount, setAmount] = useState('');
  const [description, setDescription] = useState('');
  const [days, setDays] = useState(String(USUAL_DAYS));
  const [expiry] = useState(() => Date.now());
  const [cardId, setCard] = useState('');
  const [reference, setReference] = useState('');
  return (
    <CommandDialog
      title={`Place a hold on ${accountId}`}
      verb="Place hold"
      size="wide"
      operation={ConsolePlaceHoldDocument}
      variables={() => ({
        accountId,
        input: {
          holdId,
          amount: amount.trim(),
          description,
          expiresAt: new Date(expiry + Number(days) * DAY_MS).toISOString(),
          cardId: cardId || null,
          reference: reference || null,
        },
      })}
      done={({ placeHold }) => `${grouped(placeHold?.amount ?? amount)} ${currency} of ${accountId} are held.`}
      onClose={onClose}
    >
      {errorAt => (
        <div class="fields">
          <TextField
            label={`Amount in ${currency}`}
            inputMode="decimal"
            hint={`${grouped(balances.available)} ${currency} are available.`}
            value={amount}
            onValue={setAmount}
            error={errorAt('/input/amount')}
            maxLength={24}
            autoFocus
          />
          <TextField
            label="Days until it ends"
            inputMode="numeric"
            hint="From 1 to 365. What is not captured by then is released."
            value={days}
            onValue={setDays}
            error={errorAt('/input/expiresAt')}
            maxLength={3}
            pattern="[1-9]|[1-9]\d|[12]\d\d|3[0-5]\d|36[0-5]"
          />
          <TextField
            label="Description"
            isWide
            value={description}
            onValue={setDescription}
            error={errorAt('/input/description')}
            maxLength={500}
          />
          <Select
            label="Card"
            isOptional
            value={cardId}
            onValue={setCard}
            options={[['', 'None'], ...usable.map(card => [card.cardId, `•••• ${card.last4}`] as const)]}
            error={errorAt('/input/cardId')}
          />
          <TextField
            label="Reference"
            isOptional
            value={reference}
            onValue={setReference}
            error={errorAt('/input/reference')}
            maxLength={64}
          />
        </div>
      )}
    </CommandDialog>
  );
}

interface HoldProps {
  readonly hold: ConsoleHoldFragment;
  readonly onClose: () => void;
}

export function CaptureHold({ hold: { accountId, holdId, heldAmount, currency, description }, onClose }: HoldProps) {
  const [amount, setAmount] = useState(heldAmount);
  const [keepRest, setKeepRest] = useState(false);
  return (
    <CommandDialog
      title="Capture the hold"
      verb="Capture"
      operation={ConsoleCaptureHoldDocument}
      variables={() => ({ accountId, holdId, amount: amount.trim(), keepRest })}
      done={() => `${grouped(amount.trim())} ${currency} were captured and posted.`}
      onClose={onClose}
    >
      {errorAt => (
        <>
          <p>
            {description}: a debit is posted to {accountId}. {grouped(heldAmount)} {currency} are held.
          </p>
          <TextField
            label={`Amount in ${currency}`}
            inputMode="decimal"
            value={amount}
            onValue={setAmount}
            error={errorAt('/amount')}
            maxLength={24}
            autoFocus
          />
          <Check
            label="Keep what then remains, so that it can be captured later"
            isChecked={keepRest}
            onChecked={setKeepRest}
          />
        </>
      )}
    </CommandDialog>
  );
}

export function ReleaseHold({ hold: { accountId, holdId, heldAmount, currency, description }, onClose }: HoldProps) {
  return (
    <CommandDialog
      title="Release the hold"
      verb="Release"
      operation={ConsoleReleaseHoldDocument}
      variables={() => ({ accountId, holdId })}
      done={() => `${grouped(heldAmount)} ${currency} of ${accountId} are available again.`}
      onClose={onClose}
    >
      <p>
        {description}: {grouped(heldAmount)} {currency} become available again, and the hold ends.
      </p>
    </CommandDialog>
  );
}
