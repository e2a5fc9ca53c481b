import { useState } from 'preact/hooks';
import {
  ConsoleAcknowledgeTaxFilingDocument,
  ConsoleMarkTaxFilingDocument,
  type TaxFilingMark,
} from '../../generated/graphql.js';
import { hrefOf, navigate } from '../../router.js';
import { readBase64, type ReadFile } from '../../ui/base64.js';
import { CommandDialog } from '../../ui/command-dialog.js';
import { useForm } from '../../ui/form.js';
import { words } from '../../ui/words.js';
import { FileField } from '../imports/file-field.js';

interface DialogProps {
  readonly onClose: () => void;
}

/** Hands over what the IRS answered to a file, and goes to its filing. */
export function HandAnswer({ onClose }: DialogProps) {
  const [file, setFile] = useState<File | null>(null);
  const [read, setRead] = useState<ReadFile>();
  return (
    <CommandDialog
      title="Hand over an answer of the IRS"
      verb="Hand it over"
      operation={ConsoleAcknowledgeTaxFilingDocument}
      variables={() => ({ input: { answer: read?.base64 ?? '' } })}
      done={({ acknowledgeTaxFiling: answered }) =>
        `The filing is ${words(answered?.taxFiling.status ?? '').toLowerCase()} now.`
      }
      onDone={({ acknowledgeTaxFiling: answered }) => {
        onClose();
        if (answered) navigate(hrefOf(`/tax/filings/${answered.taxFiling.filingId}`));
      }}
      onClose={onClose}
    >
      {errorAt => (
        <>
          <p class="soft">
            The receipt or the acknowledgement of a file in XML. It says itself to which file it belongs.
          </p>
          <FileField
            label="Answer of the IRS"
            accept=".xml,application/xml,text/xml"
            hint="Choose a file of XML, or drop it here."
            file={file}
            onFile={chosen => {
              setFile(chosen);
              setRead(undefined);
              if (chosen) readBase64(chosen).then(setRead, () => setFile(null));
            }}
          />
          <p class="field-error" role="status">
            {errorAt('/input/answer')}
          </p>
        </>
      )}
    </CommandDialog>
  );
}

const OUTCOMES = {
  SENT: 'Uploaded, and not answered yet',
  ACCEPTED: 'Accepted',
  REJECTED: 'Rejected',
} as const satisfies Record<TaxFilingMark, string>;

/** Tells what the portal of the IRS shows about the files of a filing. */
export function TellOutcome({ filingId, onClose }: DialogProps & { readonly filingId: string }) {
  const form = useForm(
    {
      outcome: {
        label: 'What the portal shows',
        options: Object.entries(OUTCOMES) as [TaxFilingMark, string][],
      },
      receiptId: { label: 'Receipt', isOptional: true, maxLength: 100 },
    },
    { isStacked: true },
  );
  return (
    <CommandDialog
      title="Tell what the portal shows"
      verb="Keep the outcome"
      operation={ConsoleMarkTaxFilingDocument}
      form={form}
      variables={() => ({ input: { filingId, ...form.input() } })}
      done={() => `The returns are kept as ${OUTCOMES[form.values.outcome].toLowerCase()}.`}
      onClose={onClose}
    >
      <p class="soft">The IRIS Taxpayer Portal answers on its pages and not in a file.</p>
    </CommandDialog>
  );
}
