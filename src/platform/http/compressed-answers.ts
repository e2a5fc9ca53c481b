import type { Express, Response } from 'express';
import { compress, isWorthCompressing } from './compression.js';

/** Sends large JSON of the routes compressed, to whoever takes it so. Documents go by another way, as they are: they are ranges and tags of bytes. */
export function compressLargeAnswers(app: Express): void {
  const { response } = app as unknown as { response: { send: (this: Response, body: unknown) => Response } };
  const { send } = response;
  response.send = function (body) {
    if (typeof body !== 'string' || !isWorthCompressing(body)) return send.call(this, body);
    this.vary('Accept-Encoding');
    void compress(this.req, body)
      .catch(() => null)
      .then(packed => {
        if (packed) this.setHeader('Content-Encoding', packed.coding);
        send.call(this, packed?.bytes ?? body);
      });
    return this;
  };
}
