import { Field } from 'type-graphql';
import { Input } from '../platform/input/input.js';
import { Text } from '../platform/input/rules.js';

const MAX_CHARACTERS = 100;

/** How the schema describes the text of a search. */
export const SEARCHED = `What to look for, 1 to ${MAX_CHARACTERS} characters: the id of an account or of a customer, the last four digits of a card or of a tax id, or the last name or the first and last name of a customer, such as \`Ashdown\`. Only exact matches are found; of names in any case.`;

@Input('What to look for.')
export class SearchQuery {
  @Text(1, MAX_CHARACTERS, { symbols: true })
  @Field(() => String, { description: SEARCHED })
  text!: string;
}
