import { hash } from 'node:crypto';

export interface Statement {
  /** Unique for its text: the server plans the text once a connection under this name. */
  readonly name: string;
  readonly text: string;
}

/** A statement that is named after its text, since PostgreSQL takes names of 63 characters only. */
export function statementOf(text: string): Statement {
  return { name: hash('sha256', text, 'base64url'), text };
}
