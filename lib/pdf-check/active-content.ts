import { type PdfProblemCode, PDF_PROBLEM_CODES } from './problem.js';
import { type Dict, isDict, type PdfValue, Ref, Text } from './reader.js';

/** Actions, by the entry S (ISO 32000-2, 12.6.4). Plain links and the movements of a viewer are not among them. */
const ACTIONS = new Map<string, PdfProblemCode>(
  Object.entries({
    JavaScript: 'javascript',
    Launch: 'launch',
    GoToR: 'launch',
    GoToE: 'embedded_files',
    SubmitForm: 'form_submission',
    ImportData: 'form_submission',
    Rendition: 'rich_media',
    Movie: 'rich_media',
    Sound: 'rich_media',
    GoTo3DView: 'rich_media',
    RichMediaExecute: 'rich_media',
  }),
);

/** Annotations, by the entry Subtype (ISO 32000-2, 12.5.6). Screen is also a blend mode, so a bare word is no proof. */
const ANNOTATIONS = new Map<string, PdfProblemCode>(
  Object.entries({
    FileAttachment: 'embedded_files',
    Screen: 'rich_media',
    Movie: 'rich_media',
    Sound: 'rich_media',
    RichMedia: 'rich_media',
    '3D': 'rich_media',
  }),
);

/** Entries that say it by being there: the name trees of a catalog (table 32), the XFA of a form (12.7.8). */
const ENTRIES = new Map<string, PdfProblemCode>(
  Object.entries({
    JavaScript: 'javascript',
    EmbeddedFiles: 'embedded_files',
    XFA: 'xfa',
  }),
);

/** The events of a catalog, a page, a field and an annotation (ISO 32000-2, 12.6.3). */
const EVENTS = 'E X D U Fo Bl PO PC PV PI O C K F V WC WS DS WP DP'.split(' ');
/** Where a file specification has its embedded files (ISO 32000-2, table 43). */
const FILE_KEYS = ['F', 'UF', 'DOS', 'Mac', 'Unix'];

const SAFE_SCHEMES = ['http', 'https', 'mailto', 'tel'];
/** As it is written in the file. A longer one is no link that a person would follow. */
const MAX_LINK_BYTES = 4_096;

/** Tells if the value of an entry is active: a value may also be given by reference, and be known only later. */
type Test = (value: PdfValue) => PdfProblemCode | null;

const TESTS = new Map<string, Test>(
  Object.entries<Test>({
    S: value => (typeof value === 'string' && ACTIONS.get(value)) || null,
    Subtype: value => (typeof value === 'string' && ANNOTATIONS.get(value)) || null,
    Type: value => (value === 'EmbeddedFile' ? 'embedded_files' : null),
    JS: value => (value instanceof Text ? 'javascript' : null),
    EF: value => (hasObjectAt(value, FILE_KEYS) ? 'embedded_files' : null),
    AA: value => (hasObjectAt(value, EVENTS) ? 'automatic_action' : null),
    OpenAction: value => (isDict(value) && value.has('S') && !isPlainGoTo(value) ? 'automatic_action' : null),
    URI: value => (value instanceof Text && !isSafeLink(value) ? 'unsafe_link' : null),
    Base: value => (value instanceof Text && !isSafeLink(value) ? 'unsafe_link' : null),
  }),
);

/**
 * Looks for what acts: in every object of every revision, whether or not something refers to it, because readers do not
 * agree on what is reachable. Goes by entries and not by words, so that a text about JavaScript is a text.
 */
export class ActiveContent {
  private readonly found = new Set<PdfProblemCode>();
  /** Entries whose value is an indirect object, and what the indirect objects would be as values: `key number`. */
  private readonly questions = new Set<string>();
  private readonly answers = new Map<string, PdfProblemCode>();

  /** Takes a dictionary that is anywhere in an object. */
  readonly visit = (dict: Dict): void => {
    for (const [key, value] of dict) {
      if (value === null) continue;
      this.note(ENTRIES.get(key) ?? null);
      const test = TESTS.get(key);
      if (test && value instanceof Ref) this.questions.add(`${key} ${value.number}`);
      else if (test) this.note(test(value));
    }
  };

  /** Takes the whole of an indirect object. */
  object(number: number, value: PdfValue): void {
    for (const [key, test] of TESTS) {
      const code = test(value);
      if (code) this.answers.set(`${key} ${number}`, code);
    }
  }

  /** Takes the dictionary of a stream: its content may be in another file (ISO 32000-2, table 5, and 8.10.4). */
  stream(dict: Dict): void {
    if ((dict.get('F') ?? dict.get('Ref') ?? null) !== null) this.found.add('external_content');
  }

  /** The first in the order of the codes, or null; complete once all objects have been shown. */
  problem(): PdfProblemCode | null {
    for (const question of this.questions) this.note(this.answers.get(question) ?? null);
    return PDF_PROBLEM_CODES.find(code => this.found.has(code)) ?? null;
  }

  private note(code: PdfProblemCode | null): void {
    if (code) this.found.add(code);
  }
}

function hasObjectAt(value: PdfValue, keys: readonly string[]): boolean {
  return isDict(value) && keys.some(key => isDict(value.get(key)) || value.get(key) instanceof Ref);
}

/** To show a page when a document is opened is what TeX and others ask for; what comes `Next` is not. */
function isPlainGoTo(action: Dict): boolean {
  return action.get('S') === 'GoTo' && (action.get('Next') ?? null) === null;
}

/** A link without a scheme goes to a place of the same site, unless it begins as a path of Windows does. */
function isSafeLink(text: Text): boolean {
  if (text.writtenBytes > MAX_LINK_BYTES) return false;
  const link = text.decoded();
  // A reader may drop control characters and byte order marks, so `java` and `script:` on two lines are one scheme.
  if (/[^\x20-\x7e\x80-\xff]|^[\xfe\xff\xef]|^\s*[\\/]{2}/.test(link)) return false;
  const scheme = /^\s*([^/?#:]*):/.exec(link)?.[1];
  return scheme === undefined || SAFE_SCHEMES.includes(scheme.toLowerCase());
}
