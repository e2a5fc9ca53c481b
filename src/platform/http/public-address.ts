import type { Exchange } from './exchange.js';

/** Where clients find the gateway, which a proxy may hide from it. */
export class PublicAddress {
  constructor(
    /** The origin that the settings name, such as `https://gateway.bank.example`; null for none. */
    readonly known: string | null,
    private readonly scheme: 'http' | 'https',
  ) {}

  /**
   * The origin of a request. Without a setting it is what the client says in `Host`: good enough for development, as
   * the settings see to it.
   */
  originOf(exchange: Exchange): string {
    const host = absoluteTarget(exchange)?.host ?? exchange.request.headers.host ?? '';
    return this.known ?? `${this.scheme}://${host}`;
  }

  /** The address of a request as its client wrote it. */
  of(exchange: Exchange): string {
    const target = absoluteTarget(exchange);
    return `${this.originOf(exchange)}${target ? target.pathname + target.search : exchange.url}`;
  }
}

/** A target that is a whole address, as clients send it through proxies: its host counts (RFC 9112, 3.2.2). */
function absoluteTarget({ url }: Exchange): URL | null {
  return url.startsWith('/') ? null : URL.parse(url);
}
