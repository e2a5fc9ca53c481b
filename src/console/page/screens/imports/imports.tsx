import { useEffect, useReducer, useState } from 'preact/hooks';
import { useMay, useSession } from '../../client/session.js';
import type { ImportKind } from '../../generated/graphql.js';
import { hrefOf, navigate, useAddress } from '../../router.js';
import { Button } from '../../ui/button.js';
import { Card } from '../../ui/card.js';
import { Select } from '../../ui/field.js';
import { Screen } from '../../ui/screen.js';
import { Empty } from '../../ui/states.js';
import { words } from '../../ui/words.js';
import { FileField } from './file-field.js';
import { ImportHistory } from './import-history.js';
import { ImportJob } from './import-job.js';
import { Progress } from './progress.js';

/** In the order in which files are imported: later records name earlier ones. */
const KINDS: readonly ImportKind[] = [
  'PROGRAMS',
  'CUSTOMERS',
  'ACCOUNTS',
  'BENEFICIARIES',
  'TRANSACTIONS',
  'TRANSFERS',
];

const LINES: Readonly<Record<ImportKind, string>> = {
  PROGRAMS: 'The record of the program. Approvals and clients are changed from the command line alone.',
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
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const job = useJob();
  const isBusy = job !== null && (job.progress.phase === 'running' || job.progress.phase === 'stopping');
  const begin = (chosen: File, of: ImportKind, dryRun: boolean): void => {
    current = new ImportJob({ kind: of, file: chosen, dryRun, subject });
    redraw(undefined);
    void current.goOn();
  };
  return (
    <Screen title="Imports" about="Records of the bank from a file with one JSON object a line, plain or gzip.">
      <Card title="Import a file">
        <form
          class="stack"
          onSubmit={event => {
            event.preventDefault();
            if (file && !isBusy) begin(file, kind, false);
          }}
        >
          <Select
            label="Records"
            hint={LINES[kind]}
            value={kind}
            onValue={chosen => navigate(hrefOf('/imports', { kind: chosen.toLowerCase() }), { replace: true })}
            options={KINDS}
          />
          <FileField {...{ file, onFile: setFile }} />
          <p class="hint">
            A check keeps nothing. It looks at pieces of up to 1,000 lines by themselves: lines that depend on earlier
            pieces, such as a balance that goes on, can be rejected by a check and imported all the same.
          </p>
          <div class="buttons">
            <Button disabled={!file || isBusy} onClick={() => file && begin(file, kind, true)}>
              Check first
            </Button>
            <Button type="submit" kind="primary" disabled={!file || isBusy}>
              Import {words(kind).toLowerCase()}
            </Button>
          </div>
        </form>
      </Card>
      {job && <Progress job={job} onImport={() => begin(job.order.file, job.order.kind, false)} />}
      <ImportHistory />
    </Screen>
  );
}
