import { useState } from 'preact/hooks';
import { ConsoleUpdateProgramDocument, type CustomersTo } from '../../generated/graphql.js';
import { CommandDialog } from '../../ui/command-dialog.js';
import { Select, TextField } from '../../ui/field.js';
import { Money } from '../../ui/money.js';
import { Repeated } from '../../ui/repeated.js';
import { Empty } from '../../ui/states.js';
import { Table, type Column } from '../../ui/table.js';
import { EditableCard, WaitsNote, type ChangeProps } from './editable-card.js';
import { MAX_CURRENCIES, type Program, type SettingsProps } from './settings-of.js';

type Row = NonNullable<Program['transfers']>['limits'][number];

const AMOUNTS = ['perTransfer', 'perDay', 'per30Days', 'cardHoldsPerDay'] as const;
const LABELS = {
  perTransfer: 'A transfer',
  perDay: 'Transfers of a day',
  per30Days: 'Of 30 days',
  transfersPerDay: 'How many a day',
  cardHoldsPerDay: 'Card holds of a day',
} as const;
const CUSTOMERS_TO: readonly (readonly [CustomersTo, string])[] = [
  ['OWN', 'Between accounts that they own'],
  ['PROGRAM', 'To any account whose owner they name'],
];

const amount = (of: string | null) => (of === null ? 'No limit' : <Money amount={of} />);

const COLUMNS: readonly Column<Row>[] = [
  { label: 'Currency', narrow: 'lead', cell: ({ currency }) => currency },
  { label: LABELS.perTransfer, isEnd: true, cell: ({ perTransfer }) => amount(perTransfer) },
  { label: LABELS.perDay, isEnd: true, cell: ({ perDay }) => amount(perDay) },
  { label: LABELS.per30Days, isEnd: true, cell: ({ per30Days }) => amount(per30Days) },
  { label: LABELS.transfersPerDay, isEnd: true, cell: ({ transfersPerDay }) => transfersPerDay ?? 'No limit' },
  { label: LABELS.cardHoldsPerDay, isEnd: true, cell: ({ cardHoldsPerDay }) => amount(cardHoldsPerDay) },
];

/** What may leave each account where nothing else was set for it. */
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

type Values = Readonly<Record<keyof Row, string>>;

const FRESH: Values = {
  currency: 'USD',
  perTransfer: '',
  perDay: '',
  per30Days: '',
  transfersPerDay: '',
  cardHoldsPerDay: '',
};

function valuesOf(row: Row): Values {
  return Object.fromEntries(Object.keys(FRESH).map(key => [key, String(row[key as keyof Row] ?? '')])) as Values;
}

/** An amount goes as it was typed, so that it stays exact. */
function limitsOf({ currency, transfersPerDay, ...amounts }: Values) {
  return {
    ...Object.fromEntries(AMOUNTS.map(name => [name, amounts[name].trim() || null])),
    currency: currency.trim().toUpperCase(),
    transfersPerDay: transfersPerDay === '' ? null : Number(transfersPerDay),
  };
}

function Change({ program: { transfers }, onClose }: ChangeProps) {
  const [customersTo, setCustomersTo] = useState<CustomersTo>(transfers?.customersTo ?? 'OWN');
  const [limits, setLimits] = useState<readonly Values[]>(() => (transfers?.limits ?? []).map(valuesOf));
  return (
    <CommandDialog
      title="Change the limits"
      size="wide"
      operation={ConsoleUpdateProgramDocument}
      variables={() => ({ input: { transfers: { customersTo, limits: limits.map(limitsOf) } } })}
      verb="Save"
      done={() => 'The limits were saved.'}
      onClose={onClose}
    >
      {errorAt => (
        <>
          <WaitsNote />
          <Select label="Customers move money" value={customersTo} onValue={setCustomersTo} options={CUSTOMERS_TO} />
          <Repeated
            legend="Limits of each account, by currency. Empty means no limit."
            noun="currency"
            items={limits}
            onItems={setLimits}
            fresh={FRESH}
            max={MAX_CURRENCIES}
          >
            {(values, set, index) => {
              const pointer = `/input/transfers/limits/${index}`;
              const field = (key: keyof Values) => ({
                value: values[key],
                onValue: (value: string) => set({ [key]: value }),
                error: errorAt(`${pointer}/${key}`),
              });
              const { error, ...currency } = field('currency');
              return (
                <>
                  <TextField label="Currency" {...currency} error={error ?? errorAt(pointer)} maxLength={3} />
                  {AMOUNTS.map(name => (
                    <TextField
                      key={name}
                      label={LABELS[name]}
                      isFilter
                      inputMode="decimal"
                      {...field(name)}
                      maxLength={24}
                    />
                  ))}
                  <TextField
                    label={LABELS.transfersPerDay}
                    isFilter
                    inputMode="numeric"
                    pattern="\d*"
                    {...field('transfersPerDay')}
                    maxLength={5}
                  />
                </>
              );
            }}
          </Repeated>
        </>
      )}
    </CommandDialog>
  );
}
