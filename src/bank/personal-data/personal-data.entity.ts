import { Field, ObjectType } from 'type-graphql';
import { Address, PersonName, Phone } from '../person/person.entity.js';
import { LocalDate } from '../../platform/scalars/scalars.js';

@ObjectType({
  description: 'The personal data of one person, with nothing masked.',
  simpleResolvers: true,
})
export class RevealedPersonalData {
  @Field(() => PersonName, { description: 'The first, middle and last name of the person.' })
  name!: PersonName;

  @Field(() => LocalDate, {
    nullable: true,
    description: 'The date of birth; null if it is not known.',
  })
  dateOfBirth!: string | null;

  @Field(() => String, { nullable: true, description: 'The whole tax id, such as `900126789`.' })
  taxId!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The whole number of a passport or the like, such as `P87654321`.',
  })
  governmentId!: string | null;

  @Field(() => [Address], { description: 'The postal addresses on record.' })
  addresses!: readonly Address[];

  @Field(() => [String], { description: 'The e-mail addresses, such as `maren@example.com`; may be empty.' })
  emails!: readonly string[];

  @Field(() => [Phone], { description: 'The telephone numbers; may be empty.' })
  phones!: readonly Phone[];
}
