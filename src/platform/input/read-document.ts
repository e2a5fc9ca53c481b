import { open } from 'node:fs/promises';
import { getNullableType, isInputObjectType, isListType, type GraphQLInputType } from 'graphql';
import { LineCounter, isMap, isScalar, isSeq, parseDocument } from 'yaml';
import { InvalidInput, type FieldProblem } from '../../shared/errors.js';
import { UsageError } from '../../shared/usage-error.js';
import { inputTypeOf, type InputClass } from './input.js';
import { valueOfJson } from './read-input.js';
import { isText } from './shape.js';

const MAX_BYTES = 64 * 1024 * 1024;
const BRACE = 0x7b;

/** The form of a document: an object of a class, or objects of it by their ids. */
export type DocumentForm = { readonly of: InputClass } | { readonly eachOf: InputClass };

/**
 * The value of a file in YAML 1.2 or JSON. What begins with a brace is JSON. In YAML, ids and values of fields that are
 * texts are as they are written, such as `007`, `02134` and `1e3`. Throws `UsageError`, which repeats nothing of the
 * file but the path.
 */
export async function readDocument(path: string, form: DocumentForm): Promise<unknown> {
  const file = await open(path).catch(() => null);
  if (!file) throw new UsageError(`${path} cannot be opened. Check the path and the permissions.`);
  try {
    const { size } = await file.stat();
    if (size > MAX_BYTES) throw new UsageError(`${path} is larger than ${MAX_BYTES} bytes. Use several files.`);
    return documentIn(path, await file.readFile(), form);
  } finally {
    await file.close();
  }
}

/** The value of YAML 1.2 or JSON, as `readDocument` gives it. The name stands for it in messages. */
export function documentIn(name: string, bytes: Buffer, form: DocumentForm): unknown {
  return bytes[0] === BRACE ? ofJson(name, bytes) : ofYaml(name, bytes.toString(), form);
}

function ofJson(path: string, bytes: Buffer): unknown {
  try {
    return valueOfJson(bytes);
  } catch (error) {
    const isRepeated = error instanceof InvalidInput && error.errors.length > 0;
    throw new UsageError(
      isRepeated ? `${path} has a name twice in one object. Remove one of them.` : `${path} must be JSON in UTF-8.`,
    );
  }
}

function ofYaml(path: string, text: string, form: DocumentForm): unknown {
  const lines = new LineCounter();
  // Pretty messages quote the text.
  const document = parseDocument(text, {
    prettyErrors: false,
    stringKeys: true,
    lineCounter: lines,
    logLevel: 'error',
  });
  const [error] = document.errors;
  if (error) {
    throw new UsageError(`${path} is no YAML on line ${lines.linePos(error.pos[0]).line} (${error.code}). Correct it.`);
  }
  if ('of' in form) keepTexts(document.contents, inputTypeOf(form.of));
  else if (isMap(document.contents)) {
    for (const { value } of document.contents.items) keepTexts(value, inputTypeOf(form.eachOf));
  }
  try {
    return document.toJS();
  } catch {
    throw new UsageError(`${path} has an alias without its anchor, or too many aliases. Write the values out.`);
  }
}

/**
 * A fault of a file with its place: ` payer.taxId: Must be …`. The name of an unknown field may be anything, so it is
 * not told.
 */
export function faultOf({ pointer, code, detail }: FieldProblem): string {
  if (code !== 'unknown_field') return `${pathOf(pointer)} ${detail}`;
  return `${pathOf(pointer.slice(0, pointer.lastIndexOf('/')))} ${detail.replace('This field', 'A field')}`;
}

/** A value of a field that is a text is what is written, also where YAML has a number or a boolean for it. */
function keepTexts(node: unknown, type: GraphQLInputType): void {
  const of = getNullableType(type);
  if (isSeq(node) && isListType(of)) for (const item of node.items) keepTexts(item, of.ofType);
  else if (isMap(node) && isInputObjectType(of)) {
    const fields = of.getFields();
    for (const { key, value } of node.items) {
      const field = fields[String(key)];
      if (field) keepTexts(value, field.type);
    }
  } else if (isScalar(node) && isText(of) && ['number', 'boolean', 'bigint'].includes(typeof node.value)) {
    node.value = node.source;
  }
}

/** ` payer.taxId:` of `/payer/taxId`. */
export function pathOf(pointer: string): string {
  return pointer === '' ? '' : ` ${pointer.slice(1).replaceAll('/', '.')}:`;
}
