import 'reflect-metadata';
import { expect, test } from '@jest/globals';
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { LocalDate } from '../../src/platform/scalars/scalars.js';
import { Input } from '../../src/platform/input/input.js';
import { Between, Size, Text } from '../../src/platform/input/rules.js';
import { fitted } from '../../src/platform/openapi/example.js';
import { recordSchemas } from '../../src/platform/openapi/record-schema.js';
import { BANK_ID } from '../../src/shared/ids.js';

@Input('A new oar.')
class OarInput {
  @Text(1, 20)
  @Field(() => String, { description: 'The wood.' })
  wood!: string;
}

@Input('A new boat.')
class BoatInput {
  @Text(0, 40)
  @Field(() => String, { nullable: true, description: 'The name.' })
  name?: string | null;

  @Between(1, 9)
  @Field(() => Int, { description: 'The number of seats.' })
  seats!: number;

  @Size(0, 4)
  @Field(() => [OarInput], { nullable: true, description: 'The oars.' })
  oars?: OarInput[] | null;
}

@ObjectType({ description: 'An oar.' })
class Oar {
  @Field(() => String, { description: 'The wood, such as `ash`.' }) wood!: string;
}

@ObjectType({ description: 'A boat.' })
class Boat {
  @Field(() => ID, { description: 'The id, such as `boat-1`.' }) boatId!: string;
  @Field(() => String, { nullable: true, description: 'The name, such as `Ada`; null if there is none.' })
  name!: string | null;
  @Field(() => Int, { description: 'The number of seats.' }) seats!: number;
  @Field(() => Int, { nullable: true, description: 'The length; null if it is not known.' }) length!: number | null;
  @Field(() => [Oar], { description: 'The oars.' }) oars!: Oar[];
  @Field(() => LocalDate, { description: 'When it was built, such as `2024-02-29`.' }) builtOn!: string;
  berth!: string;
}

const schemas = recordSchemas([
  { of: Boat, limits: BoatInput },
  {
    of: Boat,
    name: 'BoatListItem',
    description: 'A boat in a list.',
    limits: BoatInput,
    omit: ['length', 'oars', 'builtOn'],
    differs: { seats: { type: 'string' }, name: { maxLength: 5 }, links: { type: 'array', maxItems: 0 } },
  },
]);

test('a record has the fields of its class, with their descriptions and the limits of the input', () => {
  expect(schemas['Boat']).toEqual({
    type: 'object',
    description: 'A boat.',
    properties: {
      boatId: { type: 'string', description: 'The id, such as `boat-1`.', pattern: BANK_ID.source },
      // GraphQL has null where REST has an empty text.
      name: { type: 'string', description: 'The name, such as `Ada`; empty if there is none.', maxLength: 40 },
      seats: { type: 'integer', description: 'The number of seats.', minimum: 1, maximum: 9 },
      length: {
        description: 'The length; empty if it is not known.',
        anyOf: [{ type: 'integer' }, { type: 'string', maxLength: 0 }],
      },
      oars: { type: 'array', description: 'The oars.', items: { $ref: '#/components/schemas/Oar' }, maxItems: 4 },
      builtOn: { type: 'string', description: 'When it was built, such as `2024-02-29`.', format: 'date' },
    },
    required: ['boatId', 'name', 'seats', 'length', 'oars', 'builtOn'],
  });
});

test('the classes in a record have schemas of their own, with the limits of the inputs in its input', () => {
  expect(Object.keys(schemas)).toEqual(['Boat', 'Oar', 'BoatListItem']);
  expect(schemas['Oar']).toMatchObject({ description: 'An oar.', properties: { wood: { maxLength: 20 } } });
});

test('what REST shows otherwise is in the table alone', () => {
  expect(schemas['BoatListItem']).toMatchObject({
    description: 'A boat in a list.',
    properties: {
      name: { type: 'string', maxLength: 5 },
      seats: { type: 'string', description: 'The number of seats.' },
      links: { type: 'array', maxItems: 0 },
    },
    required: ['boatId', 'name', 'seats', 'links'],
  });
});

test('an example has all that is required, and nothing that the schema lacks', () => {
  const known = { schemas, examples: { Boat: { seats: 3 } } };
  const boat = { $ref: '#/components/schemas/Boat' };
  const shown = { boatId: 'boat-1', name: 'Ada', seats: 3, length: 0, oars: [{ wood: 'ash' }], builtOn: '2024-02-29' };
  expect(fitted(undefined, boat, known)).toEqual(shown);
  expect(fitted({ name: '', colour: 'red' }, boat, known)).toEqual({ ...shown, name: '', seats: 1 });
});
