import { hash } from 'node:crypto';
import type { Request, Response } from 'express';
import { PreconditionFailed } from '../../shared/errors.js';
import type { VersionedRecord } from '../../shared/version.js';
import { isAny, namesWeakly, tagsIn } from './entity-tags.js';
import { exchangeOf } from './exchange.js';
import { jsonOf } from './json.js';
import { JSON_TYPE, sendWhole } from './send.js';

// Conditional requests by RFC 9110, section 13.

/**
 * The tag of a record: its version, and a digest of the answer's bytes. The digest tells apart what the version does
 * not: a balance that moved, and what is masked for one caller and not for another.
 */
const RECORD_TAG = /^"(\d{1,10})-[\w-]{22}"$/;

function tagOf({ version }: VersionedRecord, body: string | Buffer): string {
  return `"${version}-${hash('sha256', body, 'base64url').slice(0, 22)}"`;
}

/**
 * The versions in `If-Match`, of which the record that is changed must have one; null if it may have any. The digests
 * do not count: a posting between a client's read and its write does not stand in the way of the write. Weak tags never
 * match (RFC 9110, 13.1.1).
 */
export function versionsIn({ headers: { 'if-match': list } }: Request): readonly number[] | null {
  if (list === undefined || isAny(list)) return null;
  return tagsIn(list).flatMap(tag => {
    const version = RECORD_TAG.exec(tag)?.[1];
    return version === undefined ? [] : [Number(version)];
  });
}

/**
 * Sends one record with its tag, or that it is the one which `If-None-Match` names. It is never compressed: a strong
 * tag is that of the bytes as they are sent. Throws `PreconditionFailed` where a read has an `If-Match` of another
 * version.
 */
export function sendRecord(request: Request, response: Response, versioned: VersionedRecord, record: object): void {
  const body = jsonOf(record);
  const tag = tagOf(versioned, body);
  if (request.method === 'GET' || request.method === 'HEAD') {
    const versions = versionsIn(request);
    if (versions && !versions.includes(versioned.version)) throw new PreconditionFailed();
    const tags = request.headers['if-none-match'];
    if (tags !== undefined && namesWeakly(tags, tag)) {
      response.writeHead(304, { ETag: tag }).end();
      return;
    }
  }
  sendWhole(exchangeOf(request), response.statusCode, { ...JSON_TYPE, ETag: tag }, body);
}
