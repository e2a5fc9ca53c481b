import type { EventType, EventTypes } from '../platform/feed/event-types.js';
import type { JsonSchema } from '../platform/input/json-schema.js';

/** The line before the generated part of docs/events.md. */
const MARK = '<!-- What follows is generated from the code: npm run generate -->';

/** The page with its generated part replaced. Throws where the page has no place for it. */
export function withEventTypes(page: string, types: EventTypes): string {
  const end = page.indexOf(MARK);
  if (end < 0) throw new Error(`docs/events.md lacks the line: ${MARK}`);
  return `${page.slice(0, end)}${MARK}\n\n${types.all.map(type => describe(types, type)).join('\n\n')}\n`;
}

function describe(types: EventTypes, type: EventType): string {
  const { data } = types.exampleOf(type);
  const { properties } = types.dataSchema(type);
  const fields = Object.entries(properties as Record<string, JsonSchema>).map(([name, schema]) => {
    const presence = type.optional?.includes(name) ? ' Not in every event.' : '';
    return `- \`${name}\` (${formOf(schema)}): ${String(schema['description'])}${presence}`;
  });
  const example = JSON.stringify(data, null, 2);
  return [`### ${type.type}`, type.description, fields.join('\n'), `\`\`\`json\n${example}\n\`\`\``].join('\n\n');
}

function formOf({ type, enum: words, items }: JsonSchema): string {
  if (Array.isArray(words)) return (words as string[]).map(word => `\`${word}\``).join(', ');
  return type === 'array' ? `list of ${formOf(items as JsonSchema)}s` : String(type);
}
