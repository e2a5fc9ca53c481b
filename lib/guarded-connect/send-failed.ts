/**
 * Why there is no answer. `ADDRESS_REFUSED`: the host is, or resolves to, an address that the guard does not allow.
 * `CONNECT_TIMED_OUT`: no connection, with TLS, in time. `TIMED_OUT`: no answer in time. `ANSWER_INVALID`: it is not
 * HTTP, or has too many headers.
 */
export type SendFailure =
  | 'ADDRESS_REFUSED'
  | 'NAME_NOT_FOUND'
  | 'CONNECT_TIMED_OUT'
  | 'CONNECTION_FAILED'
  | 'PROXY_FAILED'
  | 'TLS_FAILED'
  | 'TIMED_OUT'
  | 'ANSWER_INVALID'
  | 'STOPPED';

export class SendFailed extends Error {
  override readonly name = 'SendFailed';
  constructor(
    readonly code: SendFailure,
    options?: ErrorOptions,
  ) {
    super(`The request has no answer: ${code}.`, options);
  }
}

/** Names the meaning of an error of a socket, of TLS or of the HTTP parser. */
export function sendFailedOf(error: unknown): SendFailed {
  if (error instanceof SendFailed) return error;
  const { code } = error as NodeJS.ErrnoException;
  if (typeof code === 'string') {
    if (code.startsWith('HPE_')) return new SendFailed('ANSWER_INVALID', { cause: error });
    if (/^ERR_(TLS|SSL)_|CERT|^(DEPTH|UNABLE|HOSTNAME|SELF)_|^EPROTO$/.test(code)) {
      return new SendFailed('TLS_FAILED', { cause: error });
    }
  }
  return new SendFailed('CONNECTION_FAILED', { cause: error });
}
