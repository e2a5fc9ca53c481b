import { useState } from 'preact/hooks';
import { usePages } from '../../client/pages.js';
import { useMay } from '../../client/session.js';
import { ConsoleAddNoteDocument, ConsoleNotesDocument, type NoteFilter } from '../../generated/graphql.js';
import { hrefOf } from '../../router.js';
import { Button } from '../../ui/button.js';
import { Card } from '../../ui/card.js';
import { CommandDialog } from '../../ui/command-dialog.js';
import { useForm } from '../../ui/form.js';
import { PagedList } from '../../ui/pages.js';
import { Time } from '../../ui/time.js';
import { pathOf } from '../account/account-of.js';

const MAX_NOTE_CHARACTERS = 2000;
/** Few, since they stand beside other parts of a screen. */
const PAGE_SIZE = 10;

interface NotesProps {
  readonly about: NoteFilter;
  /** The name of the subject, such as `demo-1001`. */
  readonly name: string;
}

/** Shows what operators have written down for each other, in a part of a screen. */
export function NotesCard(props: NotesProps) {
  return (
    <Card title="Notes" actions={<AddNote {...props} />}>
      <Notes {...props} />
    </Card>
  );
}

/** Notes with what adds one, where there is no card around them. */
export function NotesSection(props: NotesProps) {
  return (
    <section class="notes-section">
      <div class="notes-head">
        <h3>Notes</h3>
        <AddNote {...props} />
      </div>
      <Notes {...props} />
    </section>
  );
}

function Notes({ about }: NotesProps) {
  const pages = usePages(ConsoleNotesDocument, { filter: about }, data => data.notes, { size: PAGE_SIZE });
  return (
    <PagedList of={pages} noun="note" empty={<p class="soft">No notes. Customers never read them.</p>}>
      {nodes => (
        <ul class="notes">
          {nodes.map(({ noteId, accountId, transactionId, text, subject, createdAt }) => (
            <li key={noteId}>
              <p>{text}</p>
              <p class="soft small">
                {subject}, <Time at={createdAt} />
                {accountId != null && transactionId != null && transactionId !== about.transactionId && (
                  <>
                    , about <a href={hrefOf(pathOf(accountId, 'history', transactionId))}>a transaction</a>
                  </>
                )}
              </p>
            </li>
          ))}
        </ul>
      )}
    </PagedList>
  );
}

function AddNote({ about, name }: NotesProps) {
  const mayAdd = useMay('operations');
  const [isOpen, setOpen] = useState(false);
  if (!mayAdd) return null;
  return (
    <>
      <Button isSmall icon="plus" onClick={() => setOpen(true)}>
        Add note
      </Button>
      {isOpen && <NoteDialog {...{ about, name }} onClose={() => setOpen(false)} />}
    </>
  );
}

function NoteDialog({ about, name, onClose }: NotesProps & { readonly onClose: () => void }) {
  const form = useForm(
    {
      text: {
        label: 'Note',
        isLong: true,
        hint: 'Other operators read it, and customers never do. It cannot be changed or deleted.',
        maxLength: MAX_NOTE_CHARACTERS,
        autoFocus: true,
      },
    },
    { at: '/input/note', isStacked: true },
  );
  return (
    <CommandDialog
      title={`Add a note about ${name}`}
      verb="Add note"
      operation={ConsoleAddNoteDocument}
      form={form}
      variables={() => ({ input: { ...about, ...form.input() } })}
      done={() => 'The note was added.'}
      onClose={onClose}
    />
  );
}
