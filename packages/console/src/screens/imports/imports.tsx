import { useEffect, useReducer, useState } from 'preact/hooks';
import { useMay, useSession } from '../../client/session.js';
import { ImportKind } from '../../generated/graphql.js';
import { hrefOf, navigate, useAddress } from '../../router.js';
import { Button } from '../../ui/button.js';
import { Card } from '../../ui/card.js';
import { Select } from '../../ui/field.js';
import { Screen } from '../../ui/screen.js';
import { Empty, ProblemNote } from '../../ui/states.js';
import { words } from '../../ui/words.js';
import { FileField } from './file-field.js';
import { ImportHistory } from './import-history.js';
import { ImportJob, type ImportOrder } from './import-job.js';
import { Mapping } from './mapping.js';
import { Progress } from './progress.js';
import { useCsv } from './use-csv.js';

/** In the order in which files are imported: later records name earlier ones. */
const KINDS = Object.values(ImportKind);

const LINES: Readonly<Record<ImportKind, string>> = {
  PROGRAMS:
    'The record of the program. Approvals and clients are changed over the API, where another person approves it.',
  CUSTOMERS: 'Who owns accounts. A customer that is there is replaced.',
  ACCOUNTS:
    'Accounts with their owners, who must be imported before. Owners count in the first line of an account only.',
  BENEFICIARIES: 'Beneficiaries of accounts that are there. One that is there and differs is rejected.',
  TRANSACTIONS: 'Transactions in ledger order, added at the end of the ledgers of accounts that are there.',
  TRANSFERS: 'Transfers, which move money between two accounts when they are imported.',
};

/** The import that runs or was the last one. It outlives the screen. */
let current: ImportJob | null = null;

function useJob(): ImportJob | null {
  const { subject } = useSession();
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const job = current?.order.subject === subject ? current : null;
  useEffect(() => job?.watch(() => redraw(undefined)), [job]);
  return job;
}

/** Takes the bank's own records from a file. */
export function Imports() {
  if (useMay('operations')) return <Importing />;
  return (
    <Screen title="Imports">
      <div class="card">
        <Empty title="Imports are for operators">Ask an administrator for the role of an operator.</Empty>
      </div>
    </Screen>
  );
}

function Importing() {
  const { query } = useAddress();
  const { subject } = useSession();
  const kind = KINDS.find(one => one.toLowerCase() === query.get('kind')) ?? 'CUSTOMERS';
  const [file, setFile] = useState<File | null>(null);
  const [mapFile, setMapFile] = useState<File | null>(null);
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const job = useJob();
  const isBusy = job !== null && (job.progress.phase === 'running' || job.progress.phase === 'stopping');
  const begin = (order: Pick<ImportOrder, 'kind' | 'file' | 'csv' | 'dryRun'>): void => {
    current = new ImportJob({ ...order, subject });
    redraw(undefined);
    void current.goOn();
  };
  const csv = useCsv(kind, file, mapFile);
  const whyNot = isBusy
    ? 'An import is running.'
    : file === null
      ? 'Choose a file first.'
      : csv?.order === null
        ? 'Say first which columns have the fields.'
        : null;
  const start = (dryRun: boolean): void => {
    if (file && whyNot === null) begin({ kind, file, csv: csv?.order ?? null, dryRun });
  };
  return (
    <Screen
      title="Imports"
      about="Records of the bank from a file of CSV, or with one JSON object a line, plain or gzip."
    >
      <Card title="Import a file">
        <div class="stack">
          <Select
            label="Records"
            hint={LINES[kind]}
            value={kind}
            onValue={chosen => navigate(hrefOf('/imports', { kind: chosen.toLowerCase() }), { replace: true })}
            options={KINDS}
          />
          <FileField {...{ file, onFile: setFile }} />
          {csv && (
            <FileField
              label="Map (optional)"
              hint="A file of YAML or JSON that says what the columns are, as for the command line. Without it you choose below."
              accept=".yaml,.yml,.json"
              file={mapFile}
              onFile={setMapFile}
            />
          )}
          {csv?.problem && <ProblemNote problem={csv.problem} />}
        </div>
      </Card>
      {csv?.table && <Mapping table={csv.table} choices={csv.choices} onChoices={csv.onChoices} />}
      <p class="hint">
        A check keeps nothing. It looks at pieces of up to 1,000 lines by themselves: lines that depend on earlier
        pieces, such as a balance that goes on, can be rejected by a check and imported all the same.
      </p>
      <div class="buttons">
        <Button disabled={whyNot !== null} onClick={() => start(true)}>
          Check first
        </Button>
        <Button kind="primary" disabled={whyNot !== null} onClick={() => start(false)}>
          Import {words(kind).toLowerCase()}
        </Button>
        {whyNot !== null && <span class="soft">{whyNot}</span>}
      </div>
      {job && <Progress job={job} onImport={() => begin({ ...job.order, dryRun: false })} />}
      <ImportHistory />
    </Screen>
  );
}
