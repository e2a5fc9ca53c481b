import type { DocumentNode, OperationDefinitionNode } from 'graphql';
import { LRUCache } from 'lru-cache';

/** The memory of all documents with what is known about them and compiled from them. */
const MAX_BYTES = 32 * 1024 * 1024;
/** The memory of one document: about 3000 tokens. Larger documents are not kept. */
const MAX_DOCUMENT_BYTES = 1024 * 1024;
/** Longer texts are not kept either: they are mostly comments and literals, and each has another one. */
const MAX_TEXT_CHARACTERS = 16 * 1024;
/** A text is kept as the key and as the source that positions are looked up in, with two bytes for a character. */
const BYTES_PER_CHARACTER = 4;
/** The number of senders that are known to have sent a document; later ones send its text each time. */
const MAX_SENDERS = 64;
/** As measured: a document with its cache entries and senders, and a token with its part of the syntax tree. */
const BYTES = 8000;
const BYTES_PER_TOKEN = 300;

interface Entry<Analysis> {
  readonly document: DocumentNode;
  /** The SHA-256 of the text in hexadecimal digits. */
  readonly hash: string;
  /** By operationName, or '' without one. */
  readonly operations: Map<string, Analysis>;
  /** The senders that have sent the text. */
  readonly senders: Set<string>;
}

/**
 * The valid documents that were used last, by their texts, with what is known about their operations. It is also a
 * document store for a server of GraphQL, so that each document is parsed and validated once and kept once.
 */
export class Documents<Analysis> {
  private readonly byText = new LRUCache<string, Entry<Analysis>>({
    maxSize: MAX_BYTES,
    maxEntrySize: MAX_DOCUMENT_BYTES,
    sizeCalculation: entry => this.sizeOf(entry),
    dispose: ({ hash }) => this.byHash.delete(hash),
  });
  private readonly byHash = new Map<string, Entry<Analysis>>();

  constructor(
    private readonly analyze: (document: DocumentNode, operation: OperationDefinitionNode) => Analysis,
    private readonly bytesOf: (analysis: Analysis) => number,
  ) {}

  /** The estimated memory of all documents. */
  get bytes(): number {
    return this.byText.calculatedSize;
  }

  has(text: string): boolean {
    return this.byText.has(text);
  }

  /** The text with this SHA-256 in hexadecimal digits, if its document is kept and the sender has sent it before. */
  textOf(sha256: string, sender: string): string | undefined {
    const entry = this.byHash.get(sha256);
    return entry?.senders.has(sender) ? textOf(entry.document) : undefined;
  }

  /** Notes who has sent the text of a valid document. */
  sentBy(text: string, sender: string): void {
    const senders = this.byText.peek(text)?.senders;
    if (senders && senders.size < MAX_SENDERS) senders.add(sender);
  }

  /** Finds what is known about an operation that was analyzed before. */
  find(text: string, operationName: string | null | undefined): Analysis | undefined {
    return this.byText.get(text)?.operations.get(operationName ?? '');
  }

  /** Keeps what is known about an operation of a valid document. It is analyzed once while the document is kept. */
  learn(
    text: string,
    operationName: string | null | undefined,
    document: DocumentNode,
    operation: OperationDefinitionNode,
  ): Analysis {
    const found = this.find(text, operationName);
    if (found !== undefined) return found;
    const analysis = this.analyze(document, operation);
    this.byText.get(text)?.operations.set(operationName ?? '', analysis);
    this.measureAgain(document);
    return analysis;
  }

  /** To be called when something of a document was compiled. */
  measureAgain(document: DocumentNode): void {
    const text = textOf(document);
    const entry = this.byText.peek(text);
    if (entry) this.keep(text, entry);
  }

  async get(key: string): Promise<DocumentNode | undefined> {
    return this.byHash.get(hashIn(key))?.document;
  }

  async set(key: string, document: DocumentNode): Promise<void> {
    this.keep(textOf(document), { document, hash: hashIn(key), operations: new Map(), senders: new Set() });
  }

  async delete(key: string): Promise<void> {
    const entry = this.byHash.get(hashIn(key));
    if (entry) this.byText.delete(textOf(entry.document));
  }

  private keep(text: string, entry: Entry<Analysis>): void {
    this.byText.delete(text);
    if (text.length > MAX_TEXT_CHARACTERS) return;
    this.byText.set(text, entry);
    if (this.byText.has(text)) this.byHash.set(entry.hash, entry);
  }

  private sizeOf({ document, operations }: Entry<Analysis>): number {
    let bytes = BYTES + BYTES_PER_CHARACTER * textOf(document).length;
    for (let token = document.loc?.startToken ?? null; token; token = token.next) bytes += BYTES_PER_TOKEN;
    for (const analysis of operations.values()) bytes += this.bytesOf(analysis);
    return bytes;
  }
}

/** A document that was parsed from a text has it. */
function textOf({ loc }: DocumentNode): string {
  return loc?.source.body ?? '';
}

/** Apollo Server puts the hash of its schema before the hash of the text, with a colon between them. */
function hashIn(key: string): string {
  return key.slice(key.lastIndexOf(':') + 1);
}
