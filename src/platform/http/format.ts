import type { Request } from 'express';
import { InvalidInput, Refusal } from '../../shared/errors.js';
import { booleanOf } from './query.js';

/** A form in which something can be answered. */
export interface Form {
  /** Its name for the parameter `format`. */
  readonly format: string;
  /** Its content type, with the parameters that tell it from others. */
  readonly contentType: string;
}

/** The query parameters that choose a form. */
export const FORMAT_PARAMETERS = ['format', 'bom'] as const;

export class NotAcceptable extends Refusal {
  readonly code = 'not_acceptable';
  constructor(forms: readonly Form[]) {
    const named = forms.map(
      ({ format, contentType }) => `${contentType.replace(/; (charset|header)=[^;]+/g, '')} (${format})`,
    );
    super(
      `The document is available only as ${named.join(', ')}. Request one of these content types in Accept, or one of the names in format.`,
    );
  }
}

/**
 * The form that a request asks for: by `format`, or by `Accept` (RFC 9110, 12.5.1), or the first one if it accepts
 * anything. Says that the answer varies by `Accept`. Throws `NotAcceptable` for an unknown format, or if it accepts
 * none.
 */
export function chosenForm<Chosen extends Form>(
  request: Request,
  query: URLSearchParams,
  forms: readonly Chosen[],
): Chosen {
  request.res?.vary('Accept');
  const format = query.get('format');
  if (format !== null) {
    const named = forms.find(form => form.format === format);
    if (!named) throw new NotAcceptable(forms);
    return named;
  }
  const { accept = '*/*' } = request.headers;
  const types = forms.map(({ contentType }) => contentType);
  const chosen = forms[accept === '*/*' ? 0 : types.indexOf(String(request.accepts(types)))];
  if (!chosen) throw new NotAcceptable(forms);
  return chosen;
}

/** True if a byte order mark is asked for, which only CSV has. Throws `InvalidInput`. */
export function bomOf(query: URLSearchParams, { format }: Form): boolean {
  const isAsked = booleanOf(query, 'bom');
  if (isAsked && format !== 'csv') {
    const detail = 'Only CSV can have a byte order mark. Leave bom out, or request CSV.';
    throw new InvalidInput('malformed', [{ pointer: '/bom', code: 'unknown_parameter', detail }]);
  }
  return isAsked;
}
