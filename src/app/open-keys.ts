import { KeyCommandFailed, unwrapKeys, type KeyCommand } from '../platform/crypto/key-command.js';
import { KeyRing, type KeyRings } from '../platform/crypto/key-ring.js';
import { loadOrCreateKeys } from '../platform/crypto/secret-file.js';
import { withoutSettings, type SettingGroup } from '../platform/settings/setting.js';
import { BadSettings } from '../platform/settings/settings.js';
import type { BankConfig } from './config.js';

/**
 * The keys of the settings, unwrapped where they are wrapped. Cards are sealed with the newest of `CARD_KEYS`, and what
 * was sealed before these were set is opened with `FIELD_KEYS`. `added`: the settings of added nouns, which the command
 * that unwraps keys does not get either. Throws `BadSettings`.
 */
export async function openKeys(config: BankConfig, added: readonly SettingGroup[]): Promise<KeyRings> {
  const { fieldKeys, cardKeys, keyCommand: command, dataDir } = config;
  const env = withoutSettings(config.environment, added);
  const opened = (name: string, text: string) => (command === null ? text : unwrapped({ command, env }, name, text));
  const fieldText = fieldKeys === null ? await loadOrCreateKeys(dataDir) : await opened('FIELD_KEYS', fieldKeys);
  const fields = KeyRing.parse(fieldText);
  if (cardKeys === null) return { fields, cards: fields };
  const cardText = await opened('CARD_KEYS', cardKeys);
  try {
    return { fields, cards: KeyRing.parse(`${cardText},${fieldText}`) };
  } catch (error) {
    throw new BadSettings([`CARD_KEYS and FIELD_KEYS are not valid together. ${(error as Error).message}`]);
  }
}

async function unwrapped(command: KeyCommand, name: string, wrapped: string): Promise<string> {
  try {
    const text = await unwrapKeys(command, wrapped);
    KeyRing.parse(text);
    return text;
  } catch (error) {
    if (error instanceof KeyCommandFailed) {
      throw new BadSettings([
        `KEY_COMMAND ${error.message}. Run it by hand with the value of ${name} as its input: it must print the keys and end with 0.`,
      ]);
    }
    throw new BadSettings([`KEY_COMMAND printed no valid key ring for ${name}. ${(error as Error).message}`]);
  }
}
