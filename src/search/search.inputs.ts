import { Field } from 'type-graphql';
import { Input } from '../platform/input/input.js';
import { Text } from '../platform/input/rules.js';

const MAX_CHARACTERS = 100;

/** How the schema describes the text of a search. */
export const SEARCHED = `1 to ${MAX_CHARACTERS} characters, such as \`Ashdown\`: an id, four last digits of a card or a tax id, or a name.`;

@Input('What to look for.')
export class SearchQuery {
  @Text(1, MAX_CHARACTERS, { symbols: true })
  @Field(() => String, { description: SEARCHED })
  text!: string;
}
