import { useState } from 'preact/hooks';
import { BASE } from '../../router.js';
import { Button, ButtonLink } from '../../ui/button.js';
import { Dialog } from '../../ui/dialog.js';
import { Select, TextField } from '../../ui/field.js';

export const FORMATS = [
  ['csv', 'CSV'],
  ['camt.053', 'camt.053 (ISO 20022)'],
  ['ofx', 'OFX 2.2'],
  ['ofx1', 'OFX 1.0.2'],
  ['bai2', 'BAI2'],
] as const;

interface HistoryExportProps {
  readonly accountId: string;
  /** The filter of the list, whose days the export begins with. */
  readonly query: URLSearchParams;
}

/** A file with everything that was booked on some days, with its balances. */
export function HistoryExport({ accountId, query }: HistoryExportProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button isSmall icon="download" onClick={() => setOpen(true)}>
        Export
      </Button>
      {isOpen && <ExportDialog {...{ accountId, query }} onClose={() => setOpen(false)} />}
    </>
  );
}

function ExportDialog({ accountId, query, onClose }: HistoryExportProps & { readonly onClose: () => void }) {
  const today = new Date().toISOString().slice(0, 10);
  const [from, setFrom] = useState(query.get('from') ?? `${today.slice(0, 4)}-01-01`);
  const [to, setTo] = useState(query.get('to') ?? today);
  const [format, setFormat] = useState<(typeof FORMATS)[number][0]>('csv');
  const search = new URLSearchParams({ startTime: from, endTime: to, format });
  return (
    <Dialog
      title="Export the history"
      onClose={onClose}
      foot={
        <ButtonLink
          kind="primary"
          icon="download"
          isDownload
          href={`${BASE}/files/accounts/${encodeURIComponent(accountId)}/transactions?${search.toString()}`}
        >
          Download
        </ButtonLink>
      }
    >
      <p class="soft">
        Everything that was booked on these days in the account’s time zone. Other filters do not count, since a
        filtered list has no balances.
      </p>
      <div class="fields">
        <TextField label="First day" type="date" value={from} onValue={setFrom} max={to} />
        <TextField label="Last day" type="date" value={to} onValue={setTo} min={from} />
        <Select label="Format" value={format} onValue={setFormat} options={FORMATS} />
      </div>
    </Dialog>
  );
}
