import type { ProgramPatch, CustomersTo } from '../../generated/graphql.js';
import { useForm, type FieldsOf } from '../../ui/form.js';
import { limitFields } from '../../ui/limit-fields.js';
import { Money } from '../../ui/money.js';
import { Empty } from '../../ui/states.js';
import { Table, type Column } from '../../ui/table.js';
import { CURRENCY } from '../../ui/usual-fields.js';
import { optionsOf } from '../../ui/words.js';
import { EditableCard, WaitsNote, type ChangeProps } from './editable-card.js';
import { ProgramDialog } from './program-dialog.js';
import { MAX_CURRENCIES, type Program, type SettingsProps } from './settings-of.js';

type Row = NonNullable<Program['transfers']>['limits'][number];

const LABELS = {
  perTransfer: 'A transfer',
  perDay: 'Transfers of a day',
  per30Days: 'Of 30 days',
  transfersPerDay: 'How many a day',
  cardHoldsPerDay: 'Card holds of a day',
} as const;

const FIELDS = {
  'transfers/customersTo': {
    label: 'Customers move money',
    options: optionsOf<CustomersTo>({
      OWN: 'Between accounts that they own',
      PROGRAM: 'To any account whose owner they name',
    }),
  },
  'transfers/limits': {
    legend: 'Limits of each account, by currency. Empty means no limit.',
    repeated: 'currency',
    fields: { currency: CURRENCY, ...limitFields(LABELS) },
    fresh: { currency: 'USD' },
    max: MAX_CURRENCIES,
  },
} as const satisfies FieldsOf<ProgramPatch>;

const amount = (of: string | null) => (of === null ? 'No limit' : <Money amount={of} />);

const COLUMNS: readonly Column<Row>[] = [
  { label: 'Currency', narrow: 'lead', cell: ({ currency }) => currency },
  { label: LABELS.perTransfer, isEnd: true, cell: ({ perTransfer }) => amount(perTransfer) },
  { label: LABELS.perDay, isEnd: true, cell: ({ perDay }) => amount(perDay) },
  { label: LABELS.per30Days, isEnd: true, cell: ({ per30Days }) => amount(per30Days) },
  { label: LABELS.transfersPerDay, isEnd: true, cell: ({ transfersPerDay }) => transfersPerDay ?? 'No limit' },
  { label: LABELS.cardHoldsPerDay, isEnd: true, cell: ({ cardHoldsPerDay }) => amount(cardHoldsPerDay) },
];

/** Shows what may leave each account where nothing else was set for it. */
export function Limits({ program }: SettingsProps) {
  const { transfers } = program;
  return (
    <EditableCard title="Limits of each account" change="Change the limits" Change={Change} program={program} isFlush>
      {transfers?.limits.length ? (
        <Table caption="Limits" columns={COLUMNS} rows={transfers.limits} keyOf={({ currency }) => currency} />
      ) : (
        <Empty title="No limits">Accounts let out what is available, unless an account has limits of its own.</Empty>
      )}
      <p class="hint card-note">
        Customers move money{' '}
        {transfers?.customersTo === 'PROGRAM'
          ? 'to any account whose owner they name'
          : 'between accounts that they own'}
        . Limits of one account are set on its page.
      </p>
    </EditableCard>
  );
}

function Change({ program: { transfers }, onClose }: ChangeProps) {
  const form = useForm(FIELDS, { from: { transfers }, at: '/input/patch', isStacked: true });
  return (
    <ProgramDialog
      title="Change the limits"
      size="wide"
      form={form}
      input={form.input}
      saved="The limits were saved."
      onClose={onClose}
    >
      <WaitsNote />
    </ProgramDialog>
  );
}
