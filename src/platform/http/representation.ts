import type { OutgoingHttpHeaders } from 'node:http';
import type { Request, Response, RequestHandler } from 'express';
import { PreconditionFailed, Refusal } from '../../shared/errors.js';
import { isCurrent, namesStrongly, weakTagOf } from './entity-tags.js';
import { exchangeOf } from './exchange.js';
import { bomOf, chosenForm, type Form } from './format.js';
import { DOCUMENT_UNITS } from './gate.js';
import { JSON_TYPE, codingFor, compressed, sendWhole, type ContentCoding } from './send.js';

/** A document in one of its forms. */
export interface Representation extends Form {
  /** Letters, digits, hyphens and points. */
  readonly fileName: string;
  /** SHA-256 of the bytes in hexadecimal digits, and their number. Called before `read`, which is not always needed. */
  measure(): Promise<{ readonly sha256: string; readonly sizeBytes: number }>;
  read(): Promise<Buffer>;
  /** This representation behind a byte order mark; absent for forms that may not have one. */
  readonly withMark?: Representation;
}

export class RangeNotSatisfiable extends Refusal {
  readonly code = 'range_not_satisfiable';
  constructor() {
    super('The requested range is outside the document. Request a range within the length in Content-Range.');
  }
}

/**
 * Sends a document as a download, whole or a range of it, by the rules of RFC 9110 for negotiation (12.5.1), conditions
 * (13) and ranges (14). `query` has `FORMAT_PARAMETERS`; `format` goes before `Accept`. A client that accepts anything
 * gets the first form. Throws `NotAcceptable`, `PreconditionFailed`, `RangeNotSatisfiable`, `InvalidInput`.
 */
export async function sendDocument(
  request: Request,
  response: Response,
  query: URLSearchParams,
  forms: readonly Representation[],
): Promise<void> {
  const chosen = chosenForm(request, query, forms);
  const form = (bomOf(query, chosen) && chosen.withMark) || chosen;
  await exchangeOf(request).charge(DOCUMENT_UNITS);
  const { sha256, sizeBytes } = await form.measure();
  const tag = `"${sha256}"`;
  const { 'if-match': ifMatch } = request.headers;
  if (ifMatch !== undefined && !namesStrongly(ifMatch, tag)) throw new PreconditionFailed();

  const unchanging = { 'Cache-Control': 'private, no-store', ETag: tag };
  if (isCurrent(request, unchanging)) {
    response.writeHead(304, unchanging).end();
    return;
  }
  const range = rangeOf(request, tag, sizeBytes);
  if (range === 'unsatisfiable') {
    response.setHeader('Content-Range', `bytes */${sizeBytes}`);
    throw new RangeNotSatisfiable();
  }
  const { first, last } = range ?? { first: 0, last: sizeBytes - 1 };
  const bytes = request.method === 'HEAD' ? undefined : (await form.read()).subarray(first, last + 1);
  const headers: OutgoingHttpHeaders = {
    ...unchanging,
    'Content-Type': form.contentType,
    'Content-Length': last - first + 1,
    'Content-Disposition': `${showsIn(request, form) ? 'inline' : 'attachment'}; filename="${form.fileName}"`,
    'Accept-Ranges': 'bytes',
    ...(range && { 'Content-Range': `bytes ${first}-${last}/${sizeBytes}` }),
  };
  response.writeHead(range ? 206 : 200, headers).end(bytes);
}

/** In a frame of our own a PDF is looked at. Nothing else is: a browser might run what is in it. */
function showsIn(request: Request, { contentType }: Form): boolean {
  return exchangeOf(request).isFramed && contentType === 'application/pdf';
}

const ONE_RANGE = /^bytes=(\d*)-(\d*)$/i;

/**
 * The requested range. Undefined, so that the document is sent whole, for several ranges, for one that is not valid,
 * and where `If-Range` names another document: RFC 9110, 14.2 leaves these to the server.
 */
function rangeOf(
  { method, headers }: Request,
  tag: string,
  sizeBytes: number,
): { readonly first: number; readonly last: number } | 'unsatisfiable' | undefined {
  const { range = '', 'if-range': ifRange = tag } = headers;
  if (method !== 'GET' || ifRange !== tag) return undefined;
  const [, from = '', to = ''] = ONE_RANGE.exec(range.trim()) ?? [];
  if (from + to === '' || (from !== '' && to !== '' && BigInt(from) > BigInt(to))) return undefined;
  const first = from === '' ? Math.max(0, sizeBytes - Number(to)) : Number(from);
  const last = from === '' || to === '' ? sizeBytes - 1 : Math.min(Number(to), sizeBytes - 1);
  return first < sizeBytes ? { first, last } : 'unsatisfiable';
}

/** A text in every coding. */
interface EncodedText {
  readonly unchanging: OutgoingHttpHeaders;
  readonly forms: Readonly<Record<ContentCoding | 'identity', Buffer>>;
}

/**
 * Serves a JSON document that does not change while the process runs. Anyone may request it any number of times, so it
 * is made and compressed once, for the first request, and browsers revalidate their copy.
 */
export function documentRoute(describe: () => object): RequestHandler {
  let document: Promise<EncodedText> | undefined;
  return async (req, res) => {
    const { unchanging, forms } = await (document ??= prepare(JSON.stringify(describe())));
    res.vary('Accept-Encoding');
    if (isCurrent(req, unchanging)) {
      res.writeHead(304, unchanging).end();
      return;
    }
    const coding = codingFor(req);
    const headers = { ...JSON_TYPE, ...unchanging, ...(coding && { 'Content-Encoding': coding }) };
    sendWhole(exchangeOf(req), 200, headers, forms[coding ?? 'identity']);
  };
}

async function prepare(text: string): Promise<EncodedText> {
  const [zstd, br, gzip] = await Promise.all([
    compressed('zstd', text),
    compressed('br', text),
    compressed('gzip', text),
  ]);
  const unchanging = { 'Cache-Control': 'no-cache', ETag: weakTagOf(text) };
  return { unchanging, forms: { zstd, br, gzip, identity: Buffer.from(text) } };
}
