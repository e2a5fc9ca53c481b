import { useState } from 'preact/hooks';
import { useMay } from '../../client/session.js';
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
  /** Saves the list as it is filtered. */
  readonly saveShown: () => Promise<void>;
}

/** A file of the list as it is filtered, or one with everything that was booked on some days, with its balances. */
export function HistoryExport(props: HistoryExportProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button isSmall icon="download" onClick={() => setOpen(true)}>
        <span class="icon-text">Export</span>
      </Button>
      {isOpen && <ExportDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

const LIST = ['list', 'The list as it is filtered, as CSV'] as const;
/** It has names and an address, as documents have. */
const PDF = ['pdf', 'PDF, to read and to print'] as const;
type Choice = (typeof LIST | typeof PDF | (typeof FORMATS)[number])[0];

function ExportDialog({ accountId, query, saveShown, onClose }: HistoryExportProps & { readonly onClose: () => void }) {
  const today = new Date().toISOString().slice(0, 10);
  const [from, setFrom] = useState(query.get('from') ?? `${today.slice(0, 4)}-01-01`);
  const [to, setTo] = useState(query.get('to') ?? today);
  const [format, setFormat] = useState<Choice>('list');
  const isList = format === 'list';
  const choices = [LIST, ...(useMay('statements.read') ? [PDF] : []), ...FORMATS];
  const search = new URLSearchParams({ startTime: from, endTime: to, format });
  return (
    <Dialog
      title="Export the history"
      onClose={onClose}
      foot={
        isList ? (
          <Button kind="primary" icon="download" onClick={() => void saveShown().then(onClose)}>
            Download
          </Button>
        ) : (
          <ButtonLink
            kind="primary"
            icon="download"
            isDownload
            href={`${BASE}/files/accounts/${encodeURIComponent(accountId)}/transactions?${search.toString()}`}
          >
            Download
          </ButtonLink>
        )
      }
    >
      <p class="soft">
        {isList
          ? 'What the list shows, with all of its pages.'
          : 'Everything that was booked on these days in the account’s time zone. Other filters do not count, since a filtered list has no balances.'}
      </p>
      <div class="fields">
        <Select label="Format" value={format} onValue={setFormat} options={choices} />
        {!isList && (
          <>
            <TextField label="First day" type="date" value={from} onValue={setFrom} max={to} />
            <TextField label="Last day" type="date" value={to} onValue={setTo} min={from} />
          </>
        )}
      </div>
    </Dialog>
  );
}
