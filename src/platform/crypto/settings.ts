import type { OtherSettings, SettingGroup } from '../settings/setting.js';
import type { Settings } from '../settings/settings.js';
import { KeyRing } from './key-ring.js';

export const KEY_SETTINGS = {
  heading: 'Personal data',
  settings: {
    FIELD_KEYS: {
      text: null,
      problemOf: keyProblem,
      about:
        'The keys that encrypt personal data: `id:base64` of 32 random bytes (`openssl rand -base64 32`), newest first, separated by commas. If these keys are lost, the data is lost.',
      unset: 'generated into `DATA_DIR` in development',
      example: 'k1:<base64 of 32 random bytes>',
    },
    CARD_KEYS: {
      text: null,
      problemOf: keyProblem,
      about: 'The [keys](keys.md#keys-of-their-own-for-cards) that encrypt card numbers and PINs, in the same form.',
      unset: 'those of `FIELD_KEYS`',
      example: 'c1:<base64 of 32 random bytes>',
    },
    KEY_COMMAND: {
      text: null,
      about:
        'A command that [unwraps](keys.md#wrap-the-keys) `FIELD_KEYS` and `CARD_KEYS`, where a key of a KMS or an HSM wraps them. `/bin/sh` runs it when a process starts. It gets the value of each as its input, and prints the keys within 30 s.',
      example: 'age --decrypt --identity /run/secrets/identity.txt',
    },
  },
} as const satisfies SettingGroup;

/** The keys as the settings have them. */
export interface KeySettings {
  /** Text for `KeyRing.parse`, or for `keyCommand`; null: development keys are kept in `dataDir`. */
  readonly fieldKeys: string | null;
  /** The keys of cards, as `fieldKeys`; null: these seal cards too. */
  readonly cardKeys: string | null;
  /** A command of the shell that unwraps the keys; null: they are not wrapped. */
  readonly keyCommand: string | null;
}

export function readKeySettings(settings: Settings): KeySettings {
  const { FIELD_KEYS: fieldKeys, CARD_KEYS: cardKeys, KEY_COMMAND: keyCommand } = settings.read(KEY_SETTINGS);
  if (!settings.isSet('FIELD_KEYS')) {
    for (const name of ['CARD_KEYS', 'KEY_COMMAND'].filter(each => settings.isSet(each))) {
      settings.refuse(name, 'is set, and FIELD_KEYS is not. Set both, or unset it.');
    }
    if (settings.production) {
      settings.refuse(
        'FIELD_KEYS',
        'is not set, and generated keys are refused in production. Set a key ring, such as k1:<base64 of 32 random bytes>.',
      );
    }
  }
  return { fieldKeys, cardKeys, keyCommand };
}

/** Keys that are wrapped have no form until `KEY_COMMAND` has unwrapped them. */
function keyProblem(text: string, others: OtherSettings): string | null {
  if (others.isSet('KEY_COMMAND')) return null;
  try {
    KeyRing.parse(text);
    return null;
  } catch (error) {
    return `is not a valid key ring. ${error instanceof Error ? error.message : ''}`;
  }
}
