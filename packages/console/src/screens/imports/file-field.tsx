import { useState } from 'preact/hooks';
import { Field } from '../../ui/field.js';

interface FileFieldProps {
  readonly label?: string;
  /** The purpose of the file. */
  readonly hint?: string;
  readonly accept?: string;
  readonly file: File | null;
  readonly onFile: (file: File | null) => void;
}

const CHOOSE = 'Choose a file, or drop it here.';
const RECORDS = '.csv,.tsv,.ndjson,.jsonl,.json,.gz,.txt,text/csv,application/x-ndjson,application/gzip';

/** A file to choose by a button, or to drop. */
export function FileField({ label = 'File', hint = CHOOSE, accept = RECORDS, file, onFile }: FileFieldProps) {
  const [isOver, setOver] = useState(false);
  return (
    <div
      class={isOver ? 'drop over' : 'drop'}
      onDragOver={event => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={event => {
        event.preventDefault();
        setOver(false);
        const dropped = event.dataTransfer?.files[0];
        if (dropped) onFile(dropped);
      }}
    >
      <Field {...{ label }} hint={file ? `${file.name}, ${sizeOf(file.size)}` : hint}>
        {described => (
          <input
            {...described}
            type="file"
            {...{ accept }}
            onChange={event => onFile(event.currentTarget.files?.[0] ?? null)}
          />
        )}
      </Field>
    </div>
  );
}

/** `12.3 MB` */
export function sizeOf(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB'];
  const step = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / 1000 ** step).toLocaleString('en-US', { maximumFractionDigits: step === 0 ? 0 : 1 })} ${units[step]}`;
}
