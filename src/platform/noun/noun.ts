import type { TaskList } from 'graphile-worker';
import type { EntityClass, MigrationObject } from '@mikro-orm/core';
import type { ClassType } from 'type-graphql';
import type { TablePlacement } from '../database/citus/distribute.js';
import type { Database } from '../database/orm.js';
import { EventTypes, type EventType } from '../feed/event-types.js';
import type { GraphqlAccess } from '../graphql/graphql-access.js';
import type { NodeLink } from '../graphql/node-link.js';
import type { LoadNode } from '../graphql/node.resolver.js';
import type { HttpEndpoint } from '../http/endpoint.js';
import type { ImportKind } from '../import/batch.js';
import type { RequestWatch } from '../http/answered-request.js';
import type { JobHealth } from '../jobs/job-health.js';
import type { Logger } from '../logging/logger.js';
import type { Metrics } from '../metrics/metrics.js';
import type { RestPart } from '../rest/rest.js';
import type { SettingGroup } from '../settings/setting.js';
import { SCOPES, type NounScope, type Scope } from '../../shared/caller.js';
import type { Problems } from '../../shared/errors.js';
import { PROBLEMS } from '../../shared/problems.js';

/** The means by which a noun tells of what it does beside the requests. */
export interface NounReports {
  readonly log: Logger;
  readonly metrics: Metrics | null;
}

/** The means by which jobs in the background tell of themselves. */
export interface JobReports extends NounReports {
  readonly health: JobHealth;
  /** The tasks of the jobs of all nouns. */
  readonly tasks: TaskList;
}

/** Ends a job, and waits for what it has begun. */
export type EndJob = () => Promise<void>;

/** The settings that the OpenAPI document depends on, and what other nouns declare. */
export interface ApiSettings {
  readonly cardsPrefix: string;
  readonly eventTypes: EventTypes;
  readonly scopes: readonly Scope[];
}

/** A resolver class with what makes its instance. */
export interface ResolverOf<Services> {
  readonly of: ClassType;
  readonly make: (services: Services) => object;
}

/**
 * Everything that a noun brings to the gateway. `Needs` are the services and settings that it is made of, `Gives` those
 * that its `services` make.
 */
export interface Noun<Needs, Gives extends object> {
  /** Settings of its own, which `settings.read(…)` of its needs reads. One that is wrong refuses the start. */
  readonly settings?: SettingGroup;
  /** Entity classes. */
  readonly entities?: readonly EntityClass[];
  /**
   * The migrations that make its tables, in the order in which they are applied, behind those of the gateway. A name
   * has a slash, such as `nicknames/1-table`, and never changes. The tables of a noun in `src` are in `migrations`.
   */
  readonly migrations?: readonly MigrationObject[];
  /** Where Citus has these tables, if not on the coordinator alone. */
  readonly placement?: TablePlacement;
  /** Throws `UnfitDatabase` for a database that a gateway must not serve with this noun. */
  readonly fits?: (database: Database, settings: { readonly sandbox: boolean }) => Promise<void>;
  /** Scopes that its operations take and the bank does not have. */
  readonly scopes?: readonly NounScope[];
  /** The meanings of the codes of its own refusals: see `refusalsOf`. */
  readonly problems?: Problems;
  /** The types of its events. */
  readonly events?: readonly EventType[];
  /** Makes the services that resolvers, REST, other nouns and the command line call. */
  readonly services?: (needs: Needs) => Gives;
  readonly resolvers?: readonly ResolverOf<NoInfer<Needs & Gives>>[];
  /** Middlewares of Type-GraphQL that its resolvers name. */
  readonly middlewares?: readonly ResolverOf<NoInfer<Needs & Gives>>[];
  /**
   * The module of each type of documents that it lays out, by `layout(content)`. It runs in threads of its own, so it
   * imports nothing of the gateway but types.
   */
  readonly layouts?: Readonly<Record<string, URL>>;
  /** Types of objects that belong to an account, and get a field with it. */
  readonly belongToAccount?: readonly ClassType[];
  /** Types of objects that are about records of any type. */
  readonly nodeLinks?: readonly NodeLink[];
  /** Its operations of REST, from which routes and the OpenAPI document are made. */
  readonly rest?: (settings: ApiSettings) => readonly RestPart<NoInfer<Needs & Gives>>[];
  /** True where the OpenAPI document has them before those of other nouns. */
  readonly isDescribedFirst?: true;
  /**
   * When its routes are tried: `first` for those that are called most, and `last` for paths that any word fits. Other
   * routes keep the order of the nouns.
   */
  readonly routesTried?: 'first' | 'last';
  /** Addresses of its own, besides those of REST, which may execute documents of its own. Throws `UsageError`. */
  readonly endpoints?: (services: NoInfer<Needs & Gives>, graphql: GraphqlAccess) => Promise<readonly HttpEndpoint[]>;
  /** The readers of records by the parts of their ids, by their types. */
  readonly nodes?: (services: NoInfer<Needs & Gives>) => Readonly<Record<string, LoadNode>>;
  /** Kinds of records that can be imported, by their names. Each loads its rules when it is asked for. */
  readonly imports?: Readonly<
    Record<string, (services: NoInfer<Needs & Gives>, overTheApi: boolean) => Promise<ImportKind>>
  >;
  /**
   * The tasks of its jobs in the queue, by their names. The worker of documents runs them, one job at a time in a
   * gateway, so one that takes minutes ends when it is aborted, and is tried again.
   */
  readonly tasks?: (services: NoInfer<Needs & Gives>) => TaskList;
  /**
   * Makes what gets the facts of each request in this process once it is over, of GraphQL and REST; null where it needs
   * none. It is called on the way of the next requests, so it must be quick, and must not throw.
   */
  readonly watchRequests?: (services: NoInfer<Needs & Gives>, reports: NounReports) => RequestWatch | null;
  /** Begins what it does in the background while the gateway serves. */
  readonly jobs?: (services: NoInfer<Needs & Gives>, reports: JobReports) => Promise<readonly EndJob[]>;
  /** Ends what its services have open. */
  readonly close?: (services: NoInfer<Needs & Gives>) => Promise<void>;
  /** True if it is only served where the sandbox is on. */
  readonly isOfSandbox?: true;
}

/** A noun whose services are not told apart. */
export type AnyNoun = Noun<never, object>;

/**
 * Declares a noun. What it needs is said where its `services` take it, and what it gives follows from what these make.
 */
export function noun<Needs extends object, Gives extends object>(parts: Noun<Needs, Gives>): Noun<Needs, Gives> {
  return parts;
}

/** The services with these names, by the classes of which they are. */
type Named<Names, Services> = Names extends readonly [infer Name extends string, ...infer MoreNames]
  ? Services extends readonly [infer Service, ...infer More]
    ? Readonly<Record<Name, Service>> & Named<MoreNames, More>
    : never
  : unknown;

/** A resolver whose constructor takes the services with these names: `resolver(CardResolver, 'cards')`. */
export function resolver<
  Taken extends readonly unknown[],
  const Names extends { readonly [Index in keyof Taken]: string },
>(of: new (...services: Taken) => object, ...names: Names): ResolverOf<Named<Names, Taken>> {
  return { of, make: services => new of(...(names.map(name => services[name as never]) as never)) };
}

/** Nouns in the order in which their services are made. The compiler refuses one before what it needs. */
export class Nouns<Has extends object> {
  private types: EventTypes | undefined;

  private constructor(readonly all: readonly AnyNoun[]) {}

  static over<Base extends object>(): Nouns<Base> {
    return new Nouns<Base>([]);
  }

  and<Needs extends object, Gives extends object>(
    added: Has extends Needs ? Noun<Needs, Gives> : never,
  ): Nouns<Has & Gives> {
    return new Nouns<Has & Gives>([...this.all, added]);
  }

  /** These nouns, and those of an embedder behind them, whose services nobody here needs. */
  with(added: readonly AnyNoun[]): Nouns<Has> {
    return added.length === 0 ? this : new Nouns<Has>([...this.all, ...added]);
  }

  /** The nouns of which something is served, with or without those of the sandbox. */
  served(hasSandbox: boolean): readonly AnyNoun[] {
    return this.all.filter(({ isOfSandbox = false }) => hasSandbox || !isOfSandbox);
  }

  /** The operations of REST of the nouns that are served, in the order in which OpenAPI describes them. */
  rest(settings: ApiSettings, hasSandbox: boolean): readonly RestPart<never>[] {
    const { described = [], others = [] } = Object.groupBy(this.served(hasSandbox), ({ isDescribedFirst }) =>
      isDescribedFirst ? 'described' : 'others',
    );
    return [...described, ...others].flatMap(({ rest }) => rest?.(settings) ?? []);
  }

  /** The meanings of all codes of refusals, with or without those of the sandbox. */
  problems(hasSandbox: boolean): Problems {
    return Object.assign({}, PROBLEMS, ...this.served(hasSandbox).map(({ problems }) => problems)) as Problems;
  }

  /** Everything that is stored. */
  get entities(): readonly EntityClass[] {
    return this.all.flatMap(({ entities = [] }) => entities);
  }

  get settings(): readonly SettingGroup[] {
    return this.all.flatMap(({ settings }) => settings ?? []);
  }

  /** Every type of events that the outside is told about. */
  get eventTypes(): EventTypes {
    return (this.types ??= new EventTypes(this.all.flatMap(({ events = [] }) => events)));
  }

  /** Everything that an access token can allow. */
  get scopes(): readonly Scope[] {
    return [...SCOPES, ...this.all.flatMap(({ scopes = [] }) => scopes)];
  }

  /** The modules that lay out documents, by the types of these. */
  get layouts(): Readonly<Record<string, URL>> {
    return Object.assign({}, ...this.all.map(({ layouts }) => layouts)) as Readonly<Record<string, URL>>;
  }

  /** The tasks of the jobs of all nouns, over their services. */
  tasks(services: Has): TaskList {
    return Object.assign({}, ...this.all.map(({ tasks }) => tasks?.(services as never))) as TaskList;
  }

  /** Makes the services of all nouns, one after another. */
  open(base: Partial<Has>): Has {
    return this.all.reduce<object>((made, { services }) => {
      return { ...made, ...services?.(made as never) };
    }, base) as Has;
  }
}

/** The services of nouns. */
export type ServicesOf<Those> = Those extends Nouns<infer Has> ? Has : never;
