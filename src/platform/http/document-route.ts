import { hash } from 'node:crypto';
import type { RequestHandler } from 'express';
import { exchangeOf } from './exchange.js';
import { namesWeakly } from './representation.js';
import { JSON_TYPE, sendText } from './send.js';

/** Shows what the gateway tells of itself. It is put together when somebody first asks, and a browser asks whether it is the same. */
export function documentRoute(describe: () => object): RequestHandler {
  let text: string | undefined;
  let tag = '';
  return (req, res) => {
    if (text === undefined) {
      text = JSON.stringify(describe());
      tag = `"${hash('sha256', text)}"`;
    }
    const unchanging = { 'Cache-Control': 'no-cache', ETag: tag };
    if (namesWeakly(req.headers['if-none-match'] ?? '', tag)) res.writeHead(304, unchanging).end();
    else void sendText(exchangeOf(req), 200, { ...JSON_TYPE, ...unchanging }, text);
  };
}
