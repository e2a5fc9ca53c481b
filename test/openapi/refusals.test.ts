import 'reflect-metadata';
import { expect, test } from '@jest/globals';
import { Field } from 'type-graphql';
import { Input } from '../../src/platform/input/input.js';
import { Text } from '../../src/platform/input/rules.js';
import { responsesOf } from '../../src/platform/openapi/responses.js';
import { operation } from '../../src/shared/operation.js';

@Input('A line.')
class InnermostLine {
  @Text(1, 9)
  @Field(() => String)
  text!: string;
}

@Input('Lines, which may contain lines.')
class NestedLines {
  @Field(() => Boolean)
  isLast!: boolean;

  @Field(() => [NestedLines], { nullable: true })
  inner?: NestedLines[] | null;

  @Field(() => InnermostLine)
  line!: InnermostLine;
}

@Input('A flag, which has no rules.')
class PlainFlag {
  @Field(() => Boolean)
  isSet!: boolean;
}

const SET = operation('flag.set', { scope: 'operations' });
const refusals = (input: new () => object, example: object): readonly string[] => {
  const body = { description: 'It.', input, content: { 'application/json': { example } } };
  const responses = responsesOf({ of: SET, method: 'post', path: '/flags', parameters: [], answers: {}, body });
  return ['400', '422'].map(status => responses[status]?.description ?? '');
};

test('an operation documents that it refuses a malformed body, and a broken rule where its input has one', () => {
  expect(refusals(PlainFlag, { isSet: true })).toEqual([
    'Bad Request: `malformed_request`, `invalid_input`.',
    'Unprocessable Entity: `idempotency_key_reused`.',
  ]);
  const [malformed, broken] = refusals(NestedLines, { isLast: true, line: { text: 'a' } });
  expect(malformed).toContain('`invalid_input`');
  expect(broken).toBe('Unprocessable Entity: `idempotency_key_reused`, `rule_broken`.');
});
