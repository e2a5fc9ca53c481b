import type { SettingGroup } from '../settings/setting.js';
import type { Settings } from '../settings/settings.js';

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

export const POSSESSION_SETTINGS = {
  heading: 'Access tokens',
  settings: {
    AUTH_SENDER_CONSTRAINED: {
      choice: 'off',
      of: ['off', 'accept', 'require'],
      about:
        'The treatment of [tokens that are bound to a key](tokens.md#tokens-that-are-bound-to-a-key) by DPoP or to a certificate: `off` refuses them, `accept` wants the proof of their key, and `require` accepts no others. In production `accept` and `require` need `PUBLIC_URL`.',
    },
    AUTH_DPOP_NONCE: { flag: false, about: 'Requires a nonce of the gateway in DPoP proofs.' },
    AUTH_CLIENT_CERTIFICATE: {
      choice: 'none',
      of: ['none', 'tls', 'proxy'],
      about:
        'The source of [certificates of clients](tokens.md#certificates): `tls` is the connection, and needs `TLS_CERT`; `proxy` is the header `Client-Cert` of `TRUSTED_PROXIES`, which must remove it from what clients send.',
    },
  },
} as const satisfies SettingGroup;

/** Reads the settings, beside which others have to be set. */
export function readPossessionSettings(settings: Settings): PossessionSettings {
  const read = settings.read(POSSESSION_SETTINGS);
  const { AUTH_SENDER_CONSTRAINED: mode, AUTH_CLIENT_CERTIFICATE: certificates } = read;
  for (const name of ['AUTH_DPOP_NONCE', 'AUTH_CLIENT_CERTIFICATE']) {
    if (mode === 'off' && settings.isSet(name)) {
      settings.refuse(
        name,
        'is set, but AUTH_SENDER_CONSTRAINED is off. Set that to accept or require, or unset this.',
      );
    }
  }
  if (mode !== 'off' && settings.production && !settings.isSet('PUBLIC_URL')) {
    settings.refuse(
      'PUBLIC_URL',
      'is not set, but AUTH_SENDER_CONSTRAINED is. Set the address at which clients find the gateway: proofs are compared with it.',
    );
  }
  if (certificates === 'tls' && !settings.isSet('TLS_CERT')) {
    settings.refuse(
      'AUTH_CLIENT_CERTIFICATE',
      'is tls, but TLS_CERT is not set. Set TLS_CERT and TLS_KEY, or another way.',
    );
  }
  if (certificates === 'proxy' && !settings.isSet('TRUSTED_PROXIES')) {
    settings.refuse(
      'AUTH_CLIENT_CERTIFICATE',
      'is proxy, but TRUSTED_PROXIES is not set. Set the addresses of the proxies whose header Client-Cert is believed.',
    );
  }
  return { mode, requiresNonce: read.AUTH_DPOP_NONCE, certificates };
}
