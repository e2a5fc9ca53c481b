import { useState } from 'preact/hooks';
import { ConsoleUploadStatementDocument } from '../../generated/graphql.js';
import { CommandDialog } from '../../ui/command-dialog.js';
import { Field, TextField } from '../../ui/field.js';

interface UploadStatementProps {
  readonly accountId: string;
  readonly onClose: () => void;
}

/** A file as the API takes it. */
interface ReadFile {
  readonly base64: string;
  readonly name: string;
}

/** Stores the PDF of a partner as a document of the account. */
export function UploadStatement({ accountId, onClose }: UploadStatementProps) {
  const [file, setFile] = useState<ReadFile>();
  const [statementDate, setDate] = useState('');
  const [description, setDescription] = useState('');
  return (
    <CommandDialog
      title={`Upload a document for ${accountId}`}
      verb="Upload"
      operation={ConsoleUploadStatementDocument}
      variables={() => ({
        accountId,
        input: { statementDate, description: description || null, document: file?.base64 ?? '' },
      })}
      done={() => `The document was stored for ${accountId}.`}
      onClose={onClose}
    >
      {errorAt => (
        <>
          <p class="soft">The statement of a partner, which is stored unchanged. Customers of the account read it.</p>
          <Field label="PDF" hint={file?.name ?? 'Up to 10 MiB, without scripts.'} error={errorAt('/input/document')}>
            {described => (
              <input
                {...described}
                type="file"
                required
                accept="application/pdf,.pdf"
                onChange={event => {
                  const [chosen] = event.currentTarget.files ?? [];
                  setFile(undefined);
                  if (chosen) read(chosen).then(setFile, () => setFile(undefined));
                }}
              />
            )}
          </Field>
          <div class="fields">
            <TextField
              label="Last day of the period"
              type="date"
              value={statementDate}
              onValue={setDate}
              error={errorAt('/input/statementDate')}
            />
            <TextField
              label="Title"
              isOptional
              hint="The day when it is empty."
              value={description}
              onValue={setDescription}
              error={errorAt('/input/description')}
              maxLength={200}
            />
          </div>
        </>
      )}
    </CommandDialog>
  );
}

/** What follows the comma of a data URL is Base64. */
function read(file: File): Promise<ReadFile> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => {
      const [, base64 = ''] = typeof reader.result === 'string' ? reader.result.split(',') : [];
      resolve({ base64, name: file.name });
    });
    reader.addEventListener('error', () => reject(new Error('The file cannot be read.')));
    reader.readAsDataURL(file);
  });
}
