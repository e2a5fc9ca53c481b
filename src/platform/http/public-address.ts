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
  originOf({ request }: Exchange): string {
    return this.known ?? `${this.scheme}://${request.headers.host ?? ''}`;
  }

  /** The address of a request as its client wrote it. */
  of(exchange: Exchange): string {
    return `${this.originOf(exchange)}${exchange.url}`;
  }
}
