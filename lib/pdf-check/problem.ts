export const MAX_PDF_BYTES = 10 * 1024 * 1024;

/**
 * The size to which one stream, and all streams of a file, may expand. It is counted, and nothing of it is kept or
 * read. An A4 page in colours with 400 dots an inch has 44 MiB, forty with 300 have 1,000.
 */
const MAX_EXPANDED_STREAM_MIB = 64;
const MAX_EXPANDED_MIB = 1024;
export const MAX_EXPANDED_STREAM_BYTES = MAX_EXPANDED_STREAM_MIB * 1024 * 1024;
export const MAX_EXPANDED_BYTES = MAX_EXPANDED_MIB * 1024 * 1024;
/** The size to which object streams and cross-reference streams may inflate. A book of five hundred pages has 3 MiB. */
export const MAX_INFLATED_BYTES = 16 * 1024 * 1024;
/** That book takes less than a million; this is about a second of a processor. */
export const MAX_STEPS = 2_500_000;
/** Opening a stream has a price of its own, however little is in it. Writers put a hundred or more objects into one. */
export const MAX_OPENED_STREAMS = 5_000;

/** Why a PDF is refused. The codes are stable; where several hold, the first of this list is said. */
const SENTENCES = {
  empty: 'The file is empty. Send the bytes of a PDF.',
  too_large: `The file is larger than ${MAX_PDF_BYTES / 1024 / 1024} MiB. Send a smaller PDF.`,
  not_pdf: 'The file is not a PDF. Send a file that begins with the header of PDF 1.0 to 2.0.',
  encrypted: 'The PDF is encrypted. Save it without a password or other protection, and send it again.',
  damaged: 'The PDF is damaged or incomplete. Create it again, and send the new file.',
  uncheckable: 'The structure of the PDF cannot be checked. Print it to a new PDF, and send that.',
  looping_pages: 'The page tree of the PDF contains a page twice, or a loop. Print it to a new PDF, and send that.',
  expanding: `The PDF expands to more than ${MAX_EXPANDED_MIB} MiB, or one stream of it to more than ${MAX_EXPANDED_STREAM_MIB} MiB. Send it with smaller pictures.`,
  javascript: 'The PDF contains JavaScript. Remove it, and send the PDF again.',
  launch: 'The PDF starts a program or opens another file. Remove that action, and send the PDF again.',
  embedded_files: 'The PDF contains embedded files. Remove them, and send the PDF again.',
  xfa: 'The PDF contains an XFA form, which can run scripts. Send it with a plain form, or without a form.',
  rich_media: 'The PDF contains sound, video, 3D or other rich media. Remove them, and send the PDF again.',
  form_submission: 'The PDF has a form that sends or fetches data. Remove that action, and send the PDF again.',
  external_content:
    'The PDF takes a part of its content from another file. Include that content, and send the PDF again.',
  unsafe_link:
    'The PDF has a link that is not to a web page, a mail address or a telephone number. Remove the link, and send the PDF again.',
  automatic_action: 'The PDF starts an action when it is opened or read. Remove that action, and send the PDF again.',
} as const;

export type PdfProblemCode = keyof typeof SENTENCES;

/** Why a PDF is refused: a stable code, and a sentence for a person that repeats nothing of what was sent. */
export interface PdfProblem {
  readonly code: PdfProblemCode;
  readonly message: string;
}

export const PDF_PROBLEM_CODES = Object.keys(SENTENCES) as readonly PdfProblemCode[];

export function problemOf(code: PdfProblemCode): PdfProblem {
  return { code, message: SENTENCES[code] };
}

/** Ends the reading of a file that cannot be read further. Never leaves `checkPdf`. */
export class Unreadable extends Error {
  constructor(readonly code: PdfProblemCode) {
    super(code);
  }
}

/**
 * The cost of the check of one file so far, and its limit. Work is counted and not timed, so that a file is refused or
 * accepted alike on every machine.
 */
export class Budget {
  steps = 0;
  inflatedBytes = 0;
  openedStreams = 0;
  expandedBytes = 0;

  spend(steps: number): void {
    if (this.steps + steps > MAX_STEPS) throw new Unreadable('uncheckable');
    this.steps += steps;
  }

  openStream(): void {
    if (this.openedStreams === MAX_OPENED_STREAMS) throw new Unreadable('uncheckable');
    this.openedStreams++;
  }

  /** The size to which the next stream may expand. */
  get expandableBytes(): number {
    return Math.min(MAX_EXPANDED_STREAM_BYTES, MAX_EXPANDED_BYTES - this.expandedBytes);
  }

  expand(bytes: number): void {
    if (bytes > this.expandableBytes) throw new Unreadable('expanding');
    this.expandedBytes += bytes;
  }

  get inflatableBytes(): number {
    return MAX_INFLATED_BYTES - this.inflatedBytes;
  }
}
