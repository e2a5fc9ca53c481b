import { useState } from 'preact/hooks';
import { ConsoleUploadStatementDocument } from '../../generated/graphql.js';
import { readBase64, type ReadFile } from '../../ui/base64.js';
import { CommandDialog } from '../../ui/command-dialog.js';
import { Field } from '../../ui/field.js';
import { useForm } from '../../ui/form.js';

interface UploadStatementProps {
  readonly accountId: string;
  readonly onClose: () => void;
}

/** Stores the PDF of a partner as a document of the account. */
export function UploadStatement({ accountId, onClose }: UploadStatementProps) {
  const [file, setFile] = useState<ReadFile>();
  const form = useForm(
    {
      statementDate: { label: 'Last day of the period', type: 'date' },
      description: { label: 'Title', isOptional: true, hint: 'The day when it is empty.', maxLength: 200 },
    },
    { at: '/input/statement' },
  );
  return (
    <CommandDialog
      title={`Upload a document for ${accountId}`}
      verb="Upload"
      operation={ConsoleUploadStatementDocument}
      form={form}
      variables={() => ({ accountId, input: { ...form.input(), document: file?.base64 ?? '' } })}
      done={() => `The document was stored for ${accountId}.`}
      onClose={onClose}
    >
      {errorAt => (
        <>
          <p class="soft">The statement of a partner, which is stored unchanged. Customers of the account read it.</p>
          <Field
            label="PDF"
            hint={file?.name ?? 'Up to 10 MiB, without scripts.'}
            error={errorAt('/input/statement/document')}
          >
            {described => (
              <input
                {...described}
                type="file"
                required
                accept="application/pdf,.pdf"
                onChange={event => {
                  const [chosen] = event.currentTarget.files ?? [];
                  setFile(undefined);
                  if (chosen) readBase64(chosen).then(setFile, () => setFile(undefined));
                }}
              />
            )}
          </Field>
        </>
      )}
    </CommandDialog>
  );
}
