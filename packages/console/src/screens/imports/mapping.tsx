import { Card } from '../../ui/card.js';
import { Select, TextField } from '../../ui/field.js';
import { Table } from '../../ui/table.js';
import { words } from '../../ui/words.js';
import { choiceOf, missingFields, type FieldChoice, type MapChoices, type Table as CsvTable } from './column-map.js';

const DATES = ['YYYY-MM-DD', 'DD.MM.YYYY', 'D.M.YYYY', 'DD/MM/YYYY', 'MM/DD/YYYY', 'M/D/YYYY'];
const TIMES = ['', ' HH:mm', ' HH:mm:ss'];
const AMOUNTS = ['1234.56', '1,234.56', '1.234,56', '1234,56', '1 234,56', "1'234.56"];
/** No column can have such a name, since the gateway takes spaces away around the names. */
const [NOTHING, TEXT] = [' nothing', ' text'];

interface MappingProps {
  readonly table: CsvTable;
  /** Null where a file has the map. */
  readonly choices: MapChoices | null;
  readonly onChoices: (choices: MapChoices) => void;
}

/** The first rows of a file, and which column of it is which field. */
export function Mapping({ table, choices, onChoices }: MappingProps) {
  const { columns, rows } = table;
  return (
    <>
      <Card title="First rows of the file" isFlush>
        <Table
          caption="First rows of the file"
          columns={columns.map((name, place) => ({
            label: name || `Column ${place + 1}`,
            cell: ({ cells }: { readonly cells: readonly string[] }) => cells[place],
          }))}
          rows={rows.map((cells, place) => ({ cells, place }))}
          keyOf={({ place }) => String(place)}
        />
      </Card>
      {choices && <Columns {...{ table, choices, onChoices }} />}
    </>
  );
}

function Columns({ table, choices, onChoices }: MappingProps & { readonly choices: MapChoices }) {
  const { columns, fields } = table;
  const missing = missingFields(table, choices).map(labelOf);
  const choose = (path: string, choice: FieldChoice): void =>
    onChoices({ ...choices, fields: { ...choices.fields, [path]: choice } });
  return (
    <Card title="Columns">
      <div class="stack">
        <div class="fields">
          <Select
            label="Dates in the file"
            value={choices.dates}
            onValue={dates => onChoices({ ...choices, dates })}
            options={DATES.map(form => [form, form] as const)}
          />
          <Select
            label="Times in the file"
            value={choices.times}
            onValue={times => onChoices({ ...choices, times })}
            options={TIMES.map(form => [form, form.trim() || 'None'] as const)}
          />
          <Select
            label="Amounts in the file"
            value={choices.amounts}
            onValue={amounts => onChoices({ ...choices, amounts })}
            options={AMOUNTS.map(form => [form, form] as const)}
          />
          <TextField
            label="Time zone"
            hint="Of times that say none, such as America/New_York."
            isOptional
            value={choices.timeZone}
            onValue={timeZone => onChoices({ ...choices, timeZone })}
          />
        </div>
        <div class="fields">
          {fields.map(({ path, isRequired, form }) => (
            <FieldMenu
              key={path}
              {...{ columns, form, isRequired, label: labelOf(path), choice: choiceOf(choices, path) }}
              onChoice={choice => choose(path, choice)}
            />
          ))}
        </div>
        {missing.length > 0 && <p class="hint">Choose a column or a text for: {missing.join(', ')}.</p>}
      </div>
    </Card>
  );
}

interface FieldMenuProps {
  readonly label: string;
  readonly columns: readonly string[];
  readonly form: string;
  readonly isRequired: boolean;
  readonly choice: FieldChoice;
  readonly onChoice: (choice: FieldChoice) => void;
}

function FieldMenu({ label, columns, form, isRequired, choice, onChoice }: FieldMenuProps) {
  const { column, text } = choice;
  return (
    <>
      <Select
        {...{ label }}
        isOptional={!isRequired}
        value={column ?? (text === null ? NOTHING : TEXT)}
        onValue={value =>
          onChoice({ column: [NOTHING, TEXT].includes(value) ? null : value, text: value === TEXT ? '' : null })
        }
        options={[
          [NOTHING, 'Not in the file'],
          ...[...new Set(columns)].filter(Boolean).map(name => [name, name] as const),
          [TEXT, 'The same in all rows'],
        ]}
      />
      {text !== null && (
        <TextField
          label={`${label} of all rows`}
          hint={form}
          value={text}
          onValue={value => onChoice({ column: null, text: value })}
        />
      )}
    </>
  );
}

/** Labels a path: `Addresses city` for `addresses.0.city`, since a list has one element in a row. */
function labelOf(path: string): string {
  return words(path.replaceAll('.0', ''));
}
