import { useState } from 'preact/hooks';
import { usePages } from '../../client/pages.js';
import { useMay } from '../../client/session.js';
import { ConsoleDocumentsDocument, type ConsoleDocumentFragment, type DocumentType } from '../../generated/graphql.js';
import { hrefOf, navigate, useAddress } from '../../router.js';
import { Button } from '../../ui/button.js';
import { Card } from '../../ui/card.js';
import { csvFields } from '../../ui/csv.js';
import { useOrder } from '../../ui/order.js';
import { PagedList } from '../../ui/pages.js';
import { Empty } from '../../ui/states.js';
import { Status } from '../../ui/status.js';
import { RowLink, Table } from '../../ui/table.js';
import { Tabs } from '../../ui/tabs.js';
import { Day, Time } from '../../ui/time.js';
import { optionsOf, words } from '../../ui/words.js';
import { pathOf, type TabProps } from './account-of.js';
import { DocumentPreview } from './document-preview.js';
import { UploadStatement } from './upload-statement.js';

const TYPES = optionsOf<DocumentType>({ STATEMENTS: 'Statements', TAX_1099: 'Tax forms' });

const CSV = csvFields<ConsoleDocumentFragment>(
  'statementId',
  'documentType',
  'source',
  'statementDate',
  'issuedAt',
  'sizeBytes',
  'sha256',
);

/** The statements and tax forms of the account. */
export function DocumentsTab({ account: { accountId, timeZone }, item }: TabProps) {
  const { query } = useAddress();
  const mayUpload = useMay('operations');
  const [isUploading, setUploading] = useState(false);
  const path = pathOf(accountId, 'documents');
  const documentType = TYPES.find(([type]) => type === query.get('type'))?.[0];
  const { fromEnd, order } = useOrder(path, 'Period');
  const pages = usePages(
    ConsoleDocumentsDocument,
    { accountId, filter: documentType ? { documentTypes: [documentType] } : null },
    data => data.account?.statements,
    { fromEnd },
  );
  const given = Object.fromEntries(query);
  const tabs = [[undefined, 'All'] as const, ...TYPES].map(([type, label]) => ({
    label,
    href: hrefOf(path, { type }),
    isCurrent: type === documentType,
  }));
  return (
    <Card
      title="Documents"
      isFlush
      actions={
        mayUpload && (
          <Button isSmall icon="plus" onClick={() => setUploading(true)}>
            Upload a document
          </Button>
        )
      }
    >
      <div class="inner-tabs">
        <Tabs label="Kind of documents" tabs={tabs} />
      </div>
      <PagedList
        of={pages}
        noun="document"
        csv={CSV}
        {...{ order }}
        empty={<Empty title="No documents">None was issued for this account.</Empty>}
      >
        {nodes => (
          <Table
            caption="Documents"
            {...{ order }}
            rows={nodes}
            keyOf={({ statementId }) => statementId}
            columns={[
              {
                label: 'Period',
                narrow: 'lead',
                cell: ({ statementId, statementDate }) => (
                  <RowLink href={hrefOf(pathOf(accountId, 'documents', statementId), given)}>
                    <Day on={statementDate} />
                  </RowLink>
                ),
              },
              { label: 'Document', narrow: 'bare', cell: document => words(document.documentType) },
              {
                label: 'State',
                narrow: 'bare',
                cell: ({ correctsStatementId, correctedByStatementId }) => (
                  <>
                    {correctsStatementId != null && <Status value="CORRECTION" tone="info" />}
                    {correctedByStatementId != null && <Status value="CORRECTED" tone="warn" />}
                  </>
                ),
              },
              { label: 'From', narrow: 'bare', cell: ({ source }) => (source === 'PARTNER' ? 'Partner' : 'Gateway') },
              { label: 'Issued', cell: ({ issuedAt }) => <Time at={issuedAt} zone={timeZone} /> },
              { label: 'Size', isEnd: true, narrow: 'side', cell: ({ sizeBytes }) => sizeText(sizeBytes) },
            ]}
          />
        )}
      </PagedList>
      {isUploading && <UploadStatement accountId={accountId} onClose={() => setUploading(false)} />}
      {item && (
        <DocumentPreview
          key={item}
          {...{ accountId, timeZone }}
          statementId={item}
          onClose={() => navigate(hrefOf(path, given))}
        />
      )}
    </Card>
  );
}

function sizeText(bytes: number): string {
  return `${Math.max(1, Math.round(bytes / 1024)).toLocaleString('en-US')} kB`;
}
