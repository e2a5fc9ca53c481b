import type { Caller, Scope } from '../../shared/caller.js';
import { InvalidInput, type FieldProblem } from '../../shared/errors.js';
import type { Json } from '../../shared/json.js';
import type { JsonSchema } from '../input/json-schema.js';
import { record, text, value } from '../openapi/schema.js';
import type { FeedEvent } from './feed-rows.js';

/** The form of an event's id. Those of tests are not numbers. */
export const EVENT_ID = '^evt_[0-9a-z_-]+$';
const EXAMPLE_ACCOUNT = 'demo-1001';

/** An event as it was recorded, wherever it is read. */
export type RecordedEvent = Omit<FeedEvent, 'position' | 'program'>;

/** The facts of an event, by their names. */
export type FactsByName = Readonly<Record<string, Json>>;

/** The description of the events of one command for the outside. */
export interface EventType {
  /** In the past tense with a dot, such as `beneficiary.added`. It never changes. */
  readonly type: string;
  /** The command whose events these are, such as `beneficiary.add`. */
  readonly action: string;
  /** A sentence about what happened. */
  readonly description: string;
  /**
   * The scope that the token of a caller needs which follows one account; callers that follow the program see all
   * types.
   */
  readonly scope: Scope;
  /** True where the command is about its program, and `data` has no account. */
  readonly isOfProgram?: true;
  /** The field of `data` with the id of the object, such as `beneficiaryId`; absent where the account is the object. */
  readonly id?: string;
  /** The facts in `data` besides the ids. Neither they nor the ids may hold personal data. */
  readonly facts: Readonly<Record<string, JsonSchema>>;
  /** Facts that not every event has. */
  readonly optional?: readonly string[];
  /** An object's id and facts, as the documentation shows them. */
  readonly example: FactsByName;
  /** Makes the facts where they are not what the event says; null where nothing changed that a reader would follow. */
  readonly read?: (event: RecordedEvent) => FactsByName | null;
}

/** An event as the feed, webhooks and subscriptions show it. */
export interface EventRecord {
  /** Names the event wherever it is shown, such as `evt_1042`. */
  readonly id: string;
  readonly type: string;
  /** When the command began, such as `2026-03-31T18:05:00.000Z`. */
  readonly timestamp: string;
  /** Ids and facts, without personal data. */
  readonly data: FactsByName;
}

/** The types of events that the outside is told about. */
export class EventTypes {
  private readonly byAction: ReadonlyMap<string, EventType>;
  private readonly byType: ReadonlyMap<string, EventType>;

  constructor(private readonly types: readonly EventType[]) {
    this.byAction = new Map(types.map(type => [type.action, type]));
    this.byType = new Map(types.map(type => [type.type, type]));
    if (this.byAction.size < types.length || this.byType.size < types.length) {
      throw new Error('two types of events have the same name or the same command');
    }
  }

  get all(): readonly EventType[] {
    return this.types;
  }

  /** The type of a command's events, or null where the outside is not told. */
  typeOf(action: string): string | null {
    return this.byAction.get(action)?.type ?? null;
  }

  /** The commands of these types, or of all types. Throws `InvalidInput` for unknown types. */
  actionsOf(types: readonly string[] | null | undefined, pointer: string): string[] {
    if (!types) return [...this.byAction.keys()];
    const problems = this.unknownIn(types, pointer);
    if (problems.length > 0) throw new InvalidInput('rule_broken', problems);
    return types.flatMap(type => this.byType.get(type)?.action ?? []);
  }

  /** A problem for each unknown type of a list. */
  unknownIn(types: readonly string[] | null | undefined, pointer = '/types'): FieldProblem[] {
    return (types ?? []).flatMap((type, index) => (this.byType.has(type) ? [] : unknownType(`${pointer}/${index}`)));
  }

  /** The types that a caller may read of an account. */
  readableBy(caller: Caller): string[] {
    return this.types.flatMap(({ type, scope }) => (caller.may(scope) ? type : []));
  }

  /** An event as it is shown, or null for one that the outside is not told about. */
  recordOf(event: RecordedEvent): EventRecord | null {
    const type = this.byAction.get(event.action);
    const facts = type && (type.read ? type.read(event) : (event.data as FactsByName));
    if (!type || !facts) return null;
    const ids = idsOf(type, event.accountId, event.object);
    const data = { ...ids, sequence: event.chainSeq, ...pickFacts(type, facts) };
    return { id: eventIdOf(event.id), type: type.type, timestamp: event.occurredAt, data };
  }

  /** An event of a type with made up ids and facts. */
  exampleOf({ type, isOfProgram, id, example }: EventType): EventRecord {
    const account: FactsByName = isOfProgram ? {} : { accountId: EXAMPLE_ACCOUNT };
    const ids = id === undefined ? {} : { [id]: example[id] as Json };
    const data = { ...account, ...ids, sequence: 1, ...example };
    return { id: 'evt_1042', type, timestamp: '2026-03-31T18:05:00.000Z', data };
  }

  /** An example of a type by its name. Throws `InvalidInput` for an unknown type. */
  exampleNamed(type: string, pointer: string): EventRecord {
    const declared = this.byType.get(type);
    if (declared) return this.exampleOf(declared);
    throw new InvalidInput('rule_broken', [unknownType(pointer)]);
  }

  /** The JSON Schema (2020-12) of an event of any type. */
  schema(): JsonSchema {
    const definitions = Object.fromEntries(this.types.map(type => [type.type, this.schemaOf(type)]));
    return {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'Event',
      description:
        'The event, with ids and facts and without personal data. The feed at /events gives each event with its `id`; a webhook has the id in the header `webhook-id`. Later releases may add types, and fields to `data`: ignore what you do not know.',
      oneOf: this.types.map(({ type }) => ({ $ref: `#/$defs/${type}` })),
      $defs: definitions,
    };
  }

  /** The JSON Schema of the data of a type's events. */
  dataSchema(type: EventType): JsonSchema {
    const data = {
      ...(!type.isOfProgram && { accountId: value('ID', "The bank's own id of the account.") }),
      ...(type.id !== undefined && { [type.id]: text('The id of the object.') }),
      sequence: value('Int', 'The number of the event in its account, or in its program, from 1 without gaps.'),
      ...type.facts,
    };
    return record('Ids and facts.', data, type.optional);
  }

  private schemaOf(type: EventType): JsonSchema {
    const properties = {
      id: text('The id of the event. The same event always has the same id.', { pattern: EVENT_ID }),
      type: { const: type.type },
      timestamp: value('DateTimeISO', 'The time at which the command began.'),
      data: this.dataSchema(type),
    };
    return { ...record(type.description, properties, ['id']), examples: [this.exampleOf(type)] };
  }
}

/** The id of an event with a number. */
export function eventIdOf(number: string): string {
  return `evt_${number}`;
}

/** The number of the event with an id; null for another text. */
export function eventNumberOf(eventId: string): string | null {
  return /^evt_([1-9]\d{0,17})$/.exec(eventId)?.[1] ?? null;
}

function unknownType(pointer: string): FieldProblem {
  return { pointer, code: 'unknown_event_type', detail: 'There is no such type. /events.schema.json lists all types.' };
}

function idsOf(type: EventType, accountId: string | null, object: string | null): FactsByName {
  const id = type.id === undefined ? {} : { [type.id]: object?.slice(object.indexOf('/') + 1) ?? null };
  return { ...(accountId !== null && { accountId }), ...id };
}

function pickFacts({ facts }: EventType, from: FactsByName): FactsByName {
  return Object.fromEntries(Object.keys(facts).flatMap(name => (name in from ? [[name, from[name] as Json]] : [])));
}
