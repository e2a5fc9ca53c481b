import type { Statement as SqlStatement } from '../../../lib/pg-wire/statement.js';
import type { Database } from '../../platform/database/orm.js';
import type { KeptTaxForm, StatementContent, TaxFormContent } from './statement.content.js';
import type { StatementView } from './statement.entity.js';
import type { DocumentPart, StatementVault } from './statement.vault.js';

// A document may have 10 MiB: its bytes alone are read, and never with an entity.
const partOf = (part: DocumentPart): SqlStatement => ({
  name: `statement_${part}`,
  text: `SELECT sealed_key, ${part} FROM statement WHERE account_id = $1 AND statement_id = $2`,
});
const PARTS: Readonly<Record<DocumentPart, SqlStatement>> = { pdf: partOf('pdf'), content: partOf('content') };

/** A document that may be read. Its parts are read and decrypted when they are asked for. */
export interface OpenDocument {
  readonly view: StatementView;
  pdf(): Promise<Buffer>;
  /** Only documents issued here have a content. */
  content(): Promise<StatementContent | TaxFormContent>;
  /** The content of a form, with what no reader is shown. */
  taxForm(): Promise<KeptTaxForm>;
}

export function openDocument(database: Database, vault: StatementVault, view: StatementView): OpenDocument {
  const { accountId, statementId } = view;
  const read = async (part: DocumentPart): Promise<Buffer> => {
    const [row] = await database.read<[Buffer, Buffer]>(PARTS[part], [accountId, statementId]);
    if (!row) throw new Error('a document vanished while it was being read');
    const [sealedKey, encrypted] = row;
    return vault.open(accountId, statementId, sealedKey, part, encrypted);
  };
  return {
    view,
    pdf: () => read('pdf'),
    content: async () => shownContent(await read('content')),
    taxForm: async () => JSON.parse((await read('content')).toString()) as KeptTaxForm,
  };
}

/** The content of a stored document, without fields that no reader is shown. */
function shownContent(stored: Buffer): StatementContent | TaxFormContent {
  const form = JSON.parse(stored.toString()) as KeptTaxForm;
  const { recipientTaxId: _, recipientPerson: _person, recipientAddress: _address, ...content } = form;
  const { secondTinNotice: _notice, ...shown } = content;
  return shown;
}
