import { useQuery } from '../../client/query.js';
import { ConsoleDocumentDocument, type ConsoleDocumentFragment } from '../../generated/graphql.js';
import { BASE, hrefOf } from '../../router.js';
import { ButtonLink } from '../../ui/button.js';
import { Copy } from '../../ui/copy.js';
import { Dialog } from '../../ui/dialog.js';
import { Facts } from '../../ui/facts.js';
import { Answer, Empty } from '../../ui/states.js';
import { Time, dayText } from '../../ui/time.js';
import { words } from '../../ui/words.js';
import { pathOf } from './account-of.js';
import { FORMATS } from './history-export.js';

interface DocumentPreviewProps {
  readonly accountId: string;
  readonly statementId: string;
  readonly timeZone: string;
  readonly onClose: () => void;
}

/** A document as its recipient gets it, and its files. */
export function DocumentPreview({ accountId, statementId, timeZone, onClose }: DocumentPreviewProps) {
  const query = useQuery(ConsoleDocumentDocument, { accountId, statementId });
  const document = query.data?.account?.statement;
  return (
    <Dialog
      title={document ? `${words(document.documentType)}, ${dayText(document.statementDate)}` : 'Document'}
      size="large"
      onClose={onClose}
      foot={document && <Files document={document} />}
    >
      <Answer of={query} lines={8}>
        {data =>
          data.account?.statement ? (
            <Shown document={data.account.statement} zone={timeZone} />
          ) : (
            <Empty title="No such document">The account has no document with this id.</Empty>
          )
        }
      </Answer>
    </Dialog>
  );
}

const fileOf = ({ downloadPath }: ConsoleDocumentFragment, format = ''): string =>
  `${BASE}/files${downloadPath}${format && `?format=${format}`}`;

/** Only what the gateway issued from the ledger has other formats than PDF. */
function Files({ document }: { readonly document: ConsoleDocumentFragment }) {
  const hasFormats = document.documentType === 'STATEMENTS' && document.source === 'PLATFORM';
  return (
    <>
      {hasFormats &&
        FORMATS.map(([format, label]) => (
          <ButtonLink key={format} isDownload href={fileOf(document, format)}>
            {label.replace(/ \(.*/, '')}
          </ButtonLink>
        ))}
      <ButtonLink kind="primary" icon="download" isDownload href={fileOf(document)}>
        Download PDF
      </ButtonLink>
    </>
  );
}

function Shown({ document, zone }: { readonly document: ConsoleDocumentFragment; readonly zone: string }) {
  const { accountId, description, issuedAt, sha256, correctsStatementId, correctedByStatementId } = document;
  const linkTo = (statementId: string) => (
    <a href={hrefOf(pathOf(accountId, 'documents', statementId))}>{statementId}</a>
  );
  return (
    <>
      <Facts
        isLines
        facts={[
          ['Title', description],
          ['Issued', <Time at={issuedAt} zone={zone} />],
          correctsStatementId != null && ['Corrects', linkTo(correctsStatementId)],
          correctedByStatementId != null && ['Corrected by', linkTo(correctedByStatementId)],
          [
            'SHA-256',
            <span class="with-copy">
              <code>{sha256.slice(0, 16)}…</code> <Copy text={sha256} label="hash" />
            </span>,
          ],
        ]}
      />
      <iframe class="preview" src={fileOf(document)} title={`Preview of ${description}`} />
    </>
  );
}
