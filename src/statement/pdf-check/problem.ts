export const MAX_PDF_BYTES = 10 * 1024 * 1024;

/** What one stream, and all streams of a file, may expand to: an A4 page in colours with 400 dots an inch has 44 MiB, forty with 300 have 1,000. */
export const MAX_EXPANDED_STREAM_MIB = 64;
export const MAX_EXPANDED_MIB = 1024;

/** Why a PDF is refused. The codes are stable; where several hold, the first of this list is said. */
const SENTENCES = {
  empty: 'The file is empty: send the bytes of a PDF.',
  too_large: `The file is larger than ${MAX_PDF_BYTES / 1024 / 1024} MiB: send a smaller PDF.`,
  not_pdf: 'The file is not a PDF: its first bytes are not the header of PDF 1.0 to 2.0.',
  encrypted: 'The PDF is encrypted: save it without a password or other protection, and send it again.',
  damaged: 'The PDF is damaged or incomplete: make it anew, and send it again.',
  uncheckable: 'The PDF is built in a way that cannot be checked: print it to a new PDF, and send that.',
  looping_pages:
    'The PDF has a page that is there twice, or pages that lead back to themselves: print it to a new PDF, and send that.',
  expanding: `The PDF expands to more than can be shown: a part of it to more than ${MAX_EXPANDED_STREAM_MIB} MiB, or all of it to more than ${MAX_EXPANDED_MIB} MiB. Send it with smaller pictures.`,
  javascript: 'The PDF has JavaScript: send it without.',
  launch: 'The PDF starts a program or opens a file outside of it: send it without.',
  embedded_files: 'The PDF has files embedded in it: send it without.',
  xfa: 'The PDF has an XFA form, which is a program of its own: send it with a plain form or none.',
  rich_media: 'The PDF has sound, film, 3D or other media that play: send it without.',
  form_submission: 'The PDF has a form that sends or fetches data: send it without.',
  external_content: 'The PDF refers to another file for a part of itself: send it complete.',
  unsafe_link: 'The PDF has a link that is not to a web page, a mail address or a telephone number: send it without.',
  automatic_action: 'The PDF acts by itself when it is opened or read: send it without.',
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
  readonly code: PdfProblemCode;
  constructor(code: PdfProblemCode) {
    super(code);
    this.code = code;
  }
}
