import { useState } from 'preact/hooks';
import { type CustomersTo } from '../../generated/graphql.js';
import { Select, TextField } from '../../ui/field.js';
import { LimitFields, limitTextsOf, limitsSent, type LimitTexts } from '../../ui/limit-fields.js';
import { Money } from '../../ui/money.js';
import { Repeated } from '../../ui/repeated.js';
import { Empty } from '../../ui/states.js';
import { Table, type Column } from '../../ui/table.js';
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

type Values = LimitTexts & { readonly currency: string };

const FRESH: Values = { currency: 'USD', ...limitTextsOf({}) };

function valuesOf({ currency, ...limits }: Row): Values {
  return { currency, ...limitTextsOf(limits) };
}

function sentOf({ currency, ...limits }: Values) {
  return { ...limitsSent(limits), currency: currency.trim().toUpperCase() };
}

function Change({ program: { transfers }, onClose }: ChangeProps) {
  const [customersTo, setCustomersTo] = useState<CustomersTo>(transfers?.customersTo ?? 'OWN');
  const [limits, setLimits] = useState<readonly Values[]>(() => (transfers?.limits ?? []).map(valuesOf));
  return (
    <ProgramDialog
      title="Change the limits"
      size="wide"
      input={() => ({ transfers: { customersTo, limits: limits.map(sentOf) } })}
      saved="The limits were saved."
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
              return (
                <>
                  <TextField
                    label="Currency"
                    value={values.currency}
                    onValue={currency => set({ currency })}
                    error={errorAt(`${pointer}/currency`) ?? errorAt(pointer)}
                    maxLength={3}
                  />
                  <LimitFields
                    labels={LABELS}
                    texts={values}
                    onText={(name, text) => set({ [name]: text })}
                    errorOf={name => errorAt(`${pointer}/${name}`)}
                  />
                </>
              );
            }}
          </Repeated>
        </>
      )}
    </ProgramDialog>
  );
}
