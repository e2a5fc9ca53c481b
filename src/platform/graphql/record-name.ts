import { Field, ID, InputType } from 'type-graphql';
import { InvalidInput, type FieldProblem } from '../../shared/errors.js';
import { UUID_TEXT } from '../../shared/ids.js';
import { UUID } from '../scalars/scalars.js';
import { nodeKeyOf } from './node-id.js';

/** A part of the key of a record: an id of the bank's choice, or one that the gateway assigned. */
interface KeyPart {
  readonly description: string;
  readonly isUuid?: true;
}

/** An input of a mutation that changes a record, which it names. */
export interface NamesRecord<Part extends string> {
  /** The parts of the key. Throws `InvalidInput` unless the input names one record. */
  readonly key: Readonly<Record<Part, string>>;
}

/**
 * Makes the base class of the inputs of mutations that change a record of a type. Clients name the record by its `id`,
 * as they read it, or by the parts of its key. `Fields` is an input whose fields it has besides, such as a body of REST.
 */
export function namesRecord<Part extends string, Of extends object = object>(
  type: string,
  parts: Readonly<Record<Part, KeyPart>>,
  Fields: new () => Of = Object as unknown as new () => Of,
): new () => NamesRecord<Part> & Of {
  const all = Object.entries(parts) as [Part, KeyPart][];
  const names = all.map(([name]) => `\`${name}\``).join(' and ');

  @InputType()
  class RecordName extends (Fields as new () => object) implements NamesRecord<Part> {
    @Field(() => ID, { nullable: true, description: `The \`id\` of the record, in place of ${names}.` })
    id?: string | null;

    get key(): Readonly<Record<Part, string>> {
      const given = this as unknown as Readonly<Record<Part, string | null | undefined>>;
      if (this.id == null) {
        const absent = all.find(([name]) => given[name] == null);
        if (absent) throw wrong(absent[0], 'alternatives', `Send \`id\`, or ${names}.`);
        return given as Readonly<Record<Part, string>>;
      }
      const found = nodeKeyOf(this.id);
      const isKey =
        found?.type === type &&
        found.key.length === all.length &&
        all.every(([, { isUuid }], index) => !isUuid || UUID_TEXT.test(found.key[index] ?? ''));
      if (!isKey) throw wrong('id', 'format', `Must be the \`id\` of type ${type}, as an answer has shown it.`);
      const key = Object.fromEntries(all.map(([name], index) => [name, found.key[index]])) as Record<Part, string>;
      const other = all.find(([name]) => given[name] != null && given[name] !== key[name]);
      if (other) throw wrong(other[0], 'alternatives', 'Names another record than `id`. Send one of them.');
      return key;
    }
  }
  for (const [name, { description, isUuid }] of all) {
    Field(() => (isUuid ? UUID : ID), { nullable: true, description })(RecordName.prototype, name);
  }
  return RecordName as unknown as new () => NamesRecord<Part> & Of;
}

function wrong(field: string, code: FieldProblem['code'], detail: string): InvalidInput {
  return new InvalidInput(code === 'format' ? 'malformed' : 'rule_broken', [
    { pointer: `/input/${field}`, code, detail },
  ]);
}
