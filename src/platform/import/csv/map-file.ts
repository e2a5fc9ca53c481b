import { Field } from 'type-graphql';
import { ENCODINGS, type Encoding } from '../../../../lib/csv/decoded.js';
import { InvalidInput } from '../../../shared/errors.js';
import { UsageError } from '../../../shared/usage-error.js';
import { Input } from '../../input/input.js';
import { documentIn, pathOf, readDocument } from '../../input/read-document.js';
import { readInput } from '../../input/read-input.js';
import { Matches } from '../../input/rules.js';
import { ColumnMapInput } from './column-map.js';

@Input('A map in a file, which says how the bytes of the file are text, too.')
export class ColumnMapFile extends ColumnMapInput {
  @Matches(new RegExp(`^(${ENCODINGS.join('|')})$`), `one of ${ENCODINGS.join(', ')}`)
  @Field(() => String, { nullable: true })
  encoding?: Encoding | null;
}

/** The map in a file of YAML or JSON. Throws `UsageError` with all that is wrong in it. */
export async function readColumnMap(path: string): Promise<ColumnMapFile> {
  return mapIn(path, await readDocument(path, { of: ColumnMapFile }));
}

/** The map in a text of YAML or JSON. Throws `UsageError` with all that is wrong in it. */
export function columnMapOf(text: string): ColumnMapFile {
  return mapIn('The map', documentIn('The map', Buffer.from(text), { of: ColumnMapFile }));
}

function mapIn(path: string, document: unknown): ColumnMapFile {
  try {
    return readInput(ColumnMapFile, document);
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    throw new UsageError(error.errors.map(({ pointer, detail }) => `${path}:${pathOf(pointer)} ${detail}`).join('\n'));
  }
}
