import { Field } from 'type-graphql';
import { Input } from '../../platform/input/input.js';
import { Text } from '../../platform/input/rules.js';

/** As an e-mail address (RFC 5321). */
const MAX_CHARACTERS = 254;

/** The description of the text of a search. */
export const SEARCHED = `The text to search for, of 1 to ${MAX_CHARACTERS} characters, such as \`Ashdown\`: an id, four last digits, a name, the beginning of a last name, an e-mail address, a telephone or the bank's customer number.`;

@Input('The text to look for.')
export class SearchQuery {
  @Text(1, MAX_CHARACTERS, { symbols: true })
  @Field(() => String, { description: SEARCHED })
  text!: string;
}
