/** Whether tokens are bound to keys of their holders, and how the holders prove that they have them. */
export interface PossessionSettings {
  /**
   * `off`: bound tokens are refused, since nothing checks that their holders have the keys. `accept`: bound tokens need
   * a proof, others do not. `require`: only bound tokens are accepted.
   */
  readonly mode: 'off' | 'accept' | 'require';
  /** Whether DPoP proofs need a nonce of the gateway. */
  readonly requiresNonce: boolean;
  /** Who tells the certificate of a client: nobody, the TLS of the gateway, or a trusted proxy by RFC 9440. */
  readonly certificates: CertificateSource;
}

export type CertificateSource = 'none' | 'tls' | 'proxy';

export const NO_POSSESSION: PossessionSettings = { mode: 'off', requiresNonce: false, certificates: 'none' };

export const POSSESSION_SETTINGS = ['AUTH_SENDER_CONSTRAINED', 'AUTH_DPOP_NONCE', 'AUTH_CLIENT_CERTIFICATE'] as const;

interface Reader {
  text(name: string): string | null;
  choice<T extends string>(name: string, choices: readonly T[], fallback: T): T;
  refuse(name: string, problem: string): void;
}

/** Reads the settings, beside which others have to be set. */
export function readPossessionSettings(settings: Reader): PossessionSettings {
  const mode = settings.choice('AUTH_SENDER_CONSTRAINED', ['off', 'accept', 'require'], 'off');
  const certificates = settings.choice('AUTH_CLIENT_CERTIFICATE', ['none', 'tls', 'proxy'], 'none');
  const requiresNonce = settings.choice('AUTH_DPOP_NONCE', ['true', 'false'], 'false') === 'true';
  for (const name of POSSESSION_SETTINGS.slice(1)) {
    if (mode === 'off' && settings.text(name) !== null) {
      settings.refuse(
        name,
        'is set, but AUTH_SENDER_CONSTRAINED is off. Set that to accept or require, or unset this.',
      );
    }
  }
  if (mode !== 'off' && settings.text('NODE_ENV') === 'production' && settings.text('PUBLIC_URL') === null) {
    settings.refuse(
      'PUBLIC_URL',
      'is not set, but AUTH_SENDER_CONSTRAINED is. Set the address at which clients find the gateway: proofs are compared with it.',
    );
  }
  if (certificates === 'tls' && settings.text('TLS_CERT') === null) {
    settings.refuse(
      'AUTH_CLIENT_CERTIFICATE',
      'is tls, but TLS_CERT is not set. Set TLS_CERT and TLS_KEY, or another way.',
    );
  }
  if (certificates === 'proxy' && settings.text('TRUSTED_PROXIES') === null) {
    settings.refuse(
      'AUTH_CLIENT_CERTIFICATE',
      'is proxy, but TRUSTED_PROXIES is not set. Set the addresses of the proxies whose header Client-Cert is believed.',
    );
  }
  return { mode, requiresNonce, certificates };
}
