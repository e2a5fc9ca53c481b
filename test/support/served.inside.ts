import { isEnumType, isObjectType, printSchema } from 'graphql';
import { getMetadataStorage } from 'type-graphql';
import type { Gateway } from '../../src/app/gateway.js';
import { NOUNS } from '../../src/app/nouns.js';
import { buildGraphqlSchema } from '../../src/app/schema.js';
import { operationOf } from '../../src/platform/graphql/performs.js';
import type { Scope } from '../../src/shared/caller.js';
import { restRoutes } from './rest-routes.js';

const texts = new Map<boolean, string>();

/** The schema in SDL, with the sandbox if it is asked for. */
export function schemaText(_gateway: Gateway, hasSandbox: boolean): string {
  const text = texts.get(hasSandbox) ?? printSchema(buildGraphqlSchema(undefined, hasSandbox));
  texts.set(hasSandbox, text);
  return text;
}

export function routes(): string[] {
  return restRoutes();
}

/** The problems of the nouns and of the gateway, with those of the sandbox, by their codes. */
export function problems(): ReturnType<typeof NOUNS.problems> {
  return NOUNS.problems(true);
}

/** The fields that a resolver of ours loads, as `[type, field]`. */
export function loadedFields(): [type: string, field: string][] {
  const { fieldResolvers, objectTypes } = getMetadataStorage();
  const names = fieldResolvers
    .filter(({ kind }) => kind === 'external')
    .map(({ getObjectType, schemaName }) => {
      const type = objectTypes.find(({ target }) => target === getObjectType?.());
      return `${type?.name}.${schemaName}`;
    });
  return [...new Set(names)].map(name => name.split('.') as [string, string]);
}

/** The values of enums, and what each stands for. */
export function enumValues(): { readonly name: string; readonly value: unknown }[] {
  return Object.values(buildGraphqlSchema(undefined, true).getTypeMap())
    .filter(isEnumType)
    .flatMap(type => type.getValues().map(({ name, value }) => ({ name, value: value as unknown })));
}

/** The fields that perform an operation, as `Type.field`. */
export function performing(): string[] {
  return Object.values(buildGraphqlSchema(undefined, true).getTypeMap())
    .filter(isObjectType)
    .flatMap(type =>
      Object.values(type.getFields())
        .filter(field => operationOf(field) !== null)
        .map(field => `${type.name}.${field.name}`),
    );
}

/** The types of events, and the commands that have them. */
export function events(): { readonly type: string; readonly action: string }[] {
  return NOUNS.eventTypes.all.map(({ type, action }) => ({ type, action }));
}

/** The scopes that the operation of each field needs, by `Type.field`. */
export function scopes(): Record<string, readonly Scope[]> {
  const types = Object.values(buildGraphqlSchema(undefined, true).getTypeMap()).filter(isObjectType);
  return Object.fromEntries(
    types.flatMap(type =>
      Object.values(type.getFields()).map(field => [`${type.name}.${field.name}`, operationOf(field)?.scopes ?? []]),
    ),
  );
}
