import type { EntityMetadata } from '@mikro-orm/core';
import { isObjectType, type GraphQLSchema } from 'graphql';
import type { EventTypes } from '../platform/feed/event-types.js';
import type { OpenApiDocument } from '../platform/openapi/document.js';
import { DATA_CLASSES, inventoryOf, type DataInventory } from '../platform/repository/data-classes.js';
import type { JsonSchema } from '../platform/input/json-schema.js';
import { declarationsOf } from '../platform/repository/declarations.js';
import { isColumn } from '../platform/repository/table.js';
import { classesOfColumns, problemsOf } from './data-check.js';
import type { Comments } from './entity-comments.js';

/** The line before the generated part of docs/data.md. */
const MARK = '<!-- What follows is generated from the code: npm run generate -->';

/** Columns lack a class, or are stored otherwise than declared. The message has a line for each. */
export class UnclassifiedData extends Error {
  override readonly name = 'UnclassifiedData';
}

/** From where the page is written. */
export interface DataSources {
  readonly entities: readonly EntityMetadata[];
  readonly schema: GraphQLSchema;
  readonly openApi: OpenApiDocument;
  readonly events: EventTypes;
  /** The comments of the properties of entities. */
  readonly comments: Comments;
}

/** Words for columns that most tables have. */
const USUAL: Readonly<Record<string, string>> = {
  program: 'The program that it belongs to.',
  account_id: 'The account that it belongs to.',
  customer_id: 'The customer.',
  version: 'Counts the changes of the row.',
};

/** The page with its generated part replaced. Throws `UnclassifiedData`. */
export function withDataInventory(page: string, sources: DataSources): string {
  const end = page.indexOf(MARK);
  if (end < 0) throw new Error(`docs/data.md lacks the line: ${MARK}`);
  const problems = sources.entities.flatMap(problemsOf);
  if (problems.length > 0) throw new UnclassifiedData(problems.join('\n'));
  const classes = table(
    ['class', 'what'],
    Object.entries(DATA_CLASSES).map(([name, what]) => [`\`${name}\``, what]),
  );
  const tables = sources.entities
    .toSorted((one, other) => (one.tableName < other.tableName ? -1 : 1))
    .map(meta => describe(meta, inventoryOf(meta.prototype as object) as DataInventory, sources));
  const parts = ['## Classes', classes, '## Tables', ...tables];
  return `${page.slice(0, end)}${MARK}\n\n${parts.join('\n\n')}\n`;
}

function describe(meta: EntityMetadata, inventory: DataInventory, sources: DataSources): string {
  const classes = classesOfColumns(inventory);
  const rows = meta.props.filter(isColumn).map(({ name, embedded, fieldNames }) => {
    const path: readonly string[] = embedded ?? [name];
    const [property = ''] = path;
    const [dataClass, storage] = classes.get(property)?.[0] ?? [];
    const column = fieldNames[0] as string;
    return [
      `\`${column}\``,
      wordsOf(meta, path, column, sources),
      String(dataClass),
      storage ?? '',
      shownBy(meta, inventory, path, sources),
    ];
  });
  const columns = table(['column', 'what', 'class', 'stored', 'shown by'], rows);
  return [`### ${meta.tableName}`, `Kept ${inventory.kept}.`, columns].join('\n\n');
}

function wordsOf(meta: EntityMetadata, path: readonly string[], column: string, sources: DataSources): string {
  const { schema, comments } = sources;
  const [property = '', inner] = path;
  const types = [meta.className, ...(inventoryOf(meta.prototype as object)?.shownAs ?? [])];
  const [field] = types.flatMap(
    type => fieldsOf(schema, type)[property] ?? fieldsOf(schema, type)[amountOf(property)] ?? [],
  );
  const described = inner === undefined ? field : fieldsOf(schema, String(field?.type).replace('!', ''))[inner];
  return described?.description ?? comments.of(meta.className, property) ?? USUAL[column] ?? '';
}

function fieldsOf(schema: GraphQLSchema, type: string) {
  const named = schema.getType(type);
  return isObjectType(named) ? named.getFields() : {};
}

/** The fields of GraphQL and REST and the events that have the value of a column. */
function shownBy(meta: EntityMetadata, { shownAs = [] }: DataInventory, path: readonly string[], sources: DataSources) {
  const { schema, openApi, events } = sources;
  const [property = '', ...inner] = path;
  const records = (openApi.components.schemas ?? {}) as Readonly<Record<string, JsonSchema>>;
  const overGraphql = new Set<string>();
  const overRest = new Set<string>();
  const names = namesOf(meta, property);
  for (const type of [meta.className, ...shownAs]) {
    const fields = fieldsOf(schema, type);
    const shown = records[type]?.['properties'] as object | undefined;
    const nameOf = (name: string) => `\`${[type, name, ...inner].join('.')}\``;
    for (const name of names) {
      const renamed = fields[name]?.extensions['renamed'];
      if (name in fields) overGraphql.add(nameOf(typeof renamed === 'string' ? renamed : name));
      if (name in (shown ?? {})) overRest.add(nameOf(name));
    }
  }
  const types = events.all.filter(type => type.type.startsWith(`${meta.tableName}.`));
  const inEvents = types.filter(type => property in (events.dataSchema(type)['properties'] as object));
  const both = [...overGraphql].filter(name => overRest.has(name));
  const parts = [
    ['GraphQL and REST', both],
    ['GraphQL', [...overGraphql].filter(name => !overRest.has(name))],
    ['REST', [...overRest].filter(name => !overGraphql.has(name))],
    ['events', inEvents.length > 0 ? [`\`${meta.tableName}.*\``] : []],
  ] as const;
  return parts.flatMap(([way, fields]) => (fields.length > 0 ? [`${way}: ${fields.join(', ')}`] : [])).join('; ');
}

/** The name of an amount that is stored in minor units. */
function amountOf(property: string): string {
  return property.replace(/Minor$/, '');
}

/** The names under which rows show an amount or what was sealed, and else the name of the property. */
function namesOf(meta: EntityMetadata, property: string): string[] {
  const { sealed, derived, texts } = declarationsOf(meta.prototype as object);
  const amount = amountOf(property);
  if (amount === property) return [property, ...(sealed.get(property)?.shows ?? [])];
  const read = [property, texts.get(property)];
  const computed = [...derived].filter(([, compute]) => propertiesReadBy(compute).some(name => read.includes(name)));
  return [...new Set([amount, ...computed.map(([name]) => name)])];
}

/** The properties of a row that a function reads before it computes anything. */
function propertiesReadBy(compute: (row: never) => unknown): string[] {
  const read: string[] = [];
  const row = new Proxy({}, { get: (_row, name) => void read.push(String(name)) });
  try {
    compute(row as never);
  } catch {
    // It has no values to compute with, and has read what it needs.
  }
  return read;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map(cell => cell.replaceAll('|', String.raw`\|`).replaceAll(/\s+/g, ' ')).join(' | ')} |`;
  return [line(head), line(head.map(() => '-')), ...rows.map(line)].join('\n');
}
