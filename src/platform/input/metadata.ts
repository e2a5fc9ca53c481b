import { Field } from 'type-graphql';
import {
  MAX_METADATA_CHARACTERS,
  MAX_METADATA_KEYS,
  METADATA_KEY,
  metadataAfter,
  type Metadata,
  type MetadataChange,
} from '../../shared/metadata.js';
import { InvalidInput, type FieldProblem } from '../../shared/errors.js';
import { OPTIONAL_TEXT, charactersIn } from '../../shared/written.js';
import { MetadataScalar } from '../scalars/scalars.js';
import { rule } from './rules.js';

const READABLE = new RegExp(OPTIONAL_TEXT, 'u');
const PROBLEM = {
  code: 'metadata',
  detail: `Must have at most ${MAX_METADATA_KEYS} keys of 1 to 40 letters, digits, _, . and -, the first one a letter, each with a text of up to ${MAX_METADATA_CHARACTERS} printable characters.`,
} as const satisfies Omit<FieldProblem, 'pointer'>;

function isMetadata(change: MetadataChange): boolean {
  const entries = Object.entries(change);
  const isFit = (text: string): boolean =>
    charactersIn(text, MAX_METADATA_CHARACTERS) <= MAX_METADATA_CHARACTERS && READABLE.test(text);
  return (
    entries.length <= MAX_METADATA_KEYS &&
    entries.every(([key, value]) => METADATA_KEY.test(key) && (value === null || isFit(value)))
  );
}

function field(description: string): PropertyDecorator {
  return (prototype, name) => {
    rule({ ...PROBLEM, holds: value => value === null || isMetadata(value as MetadataChange) })(prototype, name);
    Field(() => MetadataScalar, { nullable: true, description })(prototype, String(name));
  };
}

/** Declares the field `metadata` of a new record. */
export const NewMetadata = (): PropertyDecorator =>
  field('Short texts of your own by their keys, at most 50; never personal data.');

/** Declares the field `metadata` of a patch. */
export const ChangedMetadata = (): PropertyDecorator =>
  field('The keys that change; null removes a key, and null for all removes every key. Never personal data.');

/** Declares the field `metadata` of a filter. */
export const ListedMetadata = (): PropertyDecorator =>
  field('The keys and texts that a listed record has, all of them, such as `{"ledger":"77-A"}`.');

/** The metadata of a record after a patch. Throws `InvalidInput` where it would have too many keys. */
export function patchedMetadata(onFile: Metadata, change: MetadataChange | null | undefined): Metadata {
  const after = metadataAfter(onFile, change);
  if (isMetadata(after)) return after;
  throw new InvalidInput('rule_broken', [{ pointer: '/metadata', ...PROBLEM }]);
}
