import { useEffect, useId, useState } from 'preact/hooks';
import { Button } from '../../ui/button.js';
import { Card } from '../../ui/card.js';
import { csvOf, saveAs, type CsvColumn } from '../../ui/csv.js';
import { Facts } from '../../ui/facts.js';
import { ProblemNote } from '../../ui/states.js';
import { Table, type Column } from '../../ui/table.js';
import { counted, words } from '../../ui/words.js';
import { sizeOf } from './file-field.js';
import { MAX_FAULTS, type ImportJob, type ImportProgress } from './import-job.js';
import type { Fault } from './pieces.js';

interface ProgressProps {
  readonly job: ImportJob;
  /** Imports the file that was checked. */
  readonly onImport: () => void;
}

const number = (of: number): string => of.toLocaleString('en-US');

/** Shows the progress of an import, its end, and what was rejected. */
export function Progress({ job, onImport }: ProgressProps) {
  const { order, progress } = job;
  const { phase, problem } = progress;
  const isRunning = phase === 'running' || phase === 'stopping';
  const id = useId();
  useLeaveWarning(isRunning);
  const title = `${order.dryRun ? 'Check' : 'Import'} of ${words(order.kind).toLowerCase()}`;
  return (
    <>
      <Card
        title={title}
        actions={
          <>
            {/* One button, so that the keyboard stays on it. */}
            {phase !== 'done' && (
              <Button
                isBusy={phase === 'stopping'}
                onClick={() => (phase === 'stopped' ? void job.goOn() : job.stop())}
              >
                {phase === 'stopped' ? 'Go on' : 'Stop'}
              </Button>
            )}
            {phase === 'done' && order.dryRun && (
              <Button kind="primary" onClick={onImport}>
                Import these now
              </Button>
            )}
          </>
        }
      >
        <div class="stack">
          <div class="progress">
            <label for={id}>{order.file.name}</label>
            <progress
              id={id}
              max={Math.max(1, order.file.size)}
              value={phase === 'done' ? Math.max(1, order.file.size) : progress.bytes}
            />
            <span role="status">{stateOf(job)}</span>
          </div>
          <Counts {...{ progress, size: order.file.size, dryRun: order.dryRun }} />
          {problem && (
            <>
              <ProblemNote problem={problem} />
              <p>
                {isRunning
                  ? 'The same lines are sent again, with the same key, so that nothing is imported twice.'
                  : `Stopped after line ${number(progress.lastLine)}. Go on to send the next lines again: nothing is imported twice.`}
              </p>
            </>
          )}
        </div>
      </Card>
      {progress.faults.length > 0 && <Rejected {...{ progress, fileName: order.file.name }} />}
    </>
  );
}

function stateOf({ order: { dryRun }, progress: { phase, lastLine } }: ImportJob): string {
  const at = `line ${number(lastLine)}`;
  if (phase === 'running') return `${dryRun ? 'Checking' : 'Importing'}: ${at}`;
  if (phase === 'stopping') return `Stopping after ${at}`;
  if (phase === 'stopped') return `Stopped after ${at}`;
  return dryRun ? 'Checked: nothing was kept' : 'Imported';
}

interface CountsProps {
  readonly progress: ImportProgress;
  readonly size: number;
  readonly dryRun: boolean;
}

function Counts({ progress, size, dryRun }: CountsProps) {
  const { bytes, read, written, unchanged, rejected, seconds } = progress;
  return (
    <Facts
      facts={[
        ['Lines', number(read)],
        [dryRun ? 'Would be written' : 'Written', number(written)],
        ['Unchanged', number(unchanged)],
        ['Rejected', number(rejected)],
        ['Read', `${sizeOf(bytes)} of ${sizeOf(size)}`],
        ['Rate', seconds > 0 ? `${number(Math.round(read / seconds))} lines a second` : 'Not known yet'],
      ]}
    />
  );
}

const SHOWN_AT_ONCE = 100;

const COLUMNS: readonly Column<Fault>[] = [
  { label: 'Line', narrow: 'lead', cell: ({ line }) => number(line) },
  { label: 'Field', cell: ({ pointer }) => (pointer ? <code>{pointer}</code> : 'The whole line') },
  { label: 'Reason', cell: ({ detail }) => detail },
  { label: 'Code', narrow: 'side', cell: ({ code }) => <code>{code}</code> },
];

const FAULTS: readonly CsvColumn<Fault>[] = [
  ['line', ({ line }) => line],
  ['field', ({ pointer }) => pointer],
  ['reason', ({ code }) => code],
  ['detail', ({ detail }) => detail],
];

function Rejected({ progress, fileName }: { readonly progress: ImportProgress; readonly fileName: string }) {
  const { faults, rejected } = progress;
  const [shown, setShown] = useState(SHOWN_AT_ONCE);
  const left = faults.length - shown;
  return (
    <Card
      title="Rejected lines"
      isFlush
      actions={
        <Button isSmall icon="download" onClick={() => saveAs(`${fileName}.rejected.csv`, csvOf(FAULTS, faults))}>
          Save as CSV
        </Button>
      }
    >
      <Table
        caption="Rejected lines"
        columns={COLUMNS}
        rows={faults.slice(0, shown)}
        keyOf={({ line, pointer, code }) => `${line} ${pointer} ${code}`}
      />
      <div class="list-foot">
        <span>
          {counted(rejected, 'line')} with {counted(faults.length, 'fault')}
          {faults.length === MAX_FAULTS && '; more are not kept'}
        </span>
        {left > 0 && (
          <Button isSmall onClick={() => setShown(shown + SHOWN_AT_ONCE)}>
            Show more
          </Button>
        )}
      </div>
    </Card>
  );
}

/** The browser asks before it leaves the page while an import runs. */
function useLeaveWarning(isRunning: boolean): void {
  useEffect(() => {
    if (!isRunning) return;
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isRunning]);
}
