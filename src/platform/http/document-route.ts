import { hash } from 'node:crypto';
import type { RequestHandler } from 'express';
import { codingFor, packed, type Coding } from './compression.js';
import { exchangeOf } from './exchange.js';
import { namesWeakly } from './representation.js';
import { JSON_TYPE, sendWhole } from './send.js';

/** A text that does not change while the process runs, in every coding. */
interface Prepared {
  readonly tag: string;
  readonly forms: Readonly<Record<Coding | 'identity', Buffer>>;
}

/**
 * Shows what the gateway tells of itself. Anybody may ask, as often as they like, so it is put together and compressed once, when somebody
 * first asks; a browser that has it asks whether it is still the same.
 */
export function documentRoute(describe: () => object): RequestHandler {
  let document: Promise<Prepared> | undefined;
  return async (req, res) => {
    const { tag, forms } = await (document ??= prepare(JSON.stringify(describe())));
    res.vary('Accept-Encoding');
    // Weak, since it is one for all codings (RFC 9110, 8.8.1).
    const unchanging = { 'Cache-Control': 'no-cache', ETag: `W/${tag}` };
    if (namesWeakly(req.headers['if-none-match'] ?? '', tag)) {
      res.writeHead(304, unchanging).end();
      return;
    }
    const coding = codingFor(req);
    const headers = { ...JSON_TYPE, ...unchanging, ...(coding && { 'Content-Encoding': coding }) };
    sendWhole(exchangeOf(req), 200, headers, forms[coding ?? 'identity']);
  };
}

async function prepare(text: string): Promise<Prepared> {
  const [br, gzip] = await Promise.all([packed('br', text), packed('gzip', text)]);
  return { tag: `"${hash('sha256', text)}"`, forms: { br, gzip, identity: Buffer.from(text) } };
}
