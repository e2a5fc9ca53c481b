import { Field, ObjectType } from 'type-graphql';
import { Address, PersonName, Phone } from '../person/person.entity.js';
import { LocalDate } from '../platform/scalars/scalars.js';

@ObjectType({
  description: 'What is known of an owner or a beneficiary of an account, with nothing masked.',
  simpleResolvers: true,
})
export class RevealedPersonalData {
  @Field(() => PersonName, { description: 'The first, middle and last name of the person.' })
  name!: PersonName;

  @Field(() => LocalDate, {
    nullable: true,
    description: 'The date of birth, such as `1970-02-03`; null if it is not known.',
  })
  dateOfBirth!: string | null;

  @Field(() => String, { nullable: true, description: 'The whole tax id, such as `900126789`; null if there is none.' })
  taxId!: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'The whole number of a passport, identity card or similar document, such as `P87654321`; null if there is none, and for beneficiaries.',
  })
  governmentId!: string | null;

  @Field(() => [Address], { description: 'The postal addresses; may be empty.' })
  addresses!: readonly Address[];

  @Field(() => [String], { description: 'The e-mail addresses, such as `maren@example.com`; may be empty.' })
  emails!: readonly string[];

  @Field(() => [Phone], { description: 'The telephone numbers; may be empty.' })
  phones!: readonly Phone[];
}
