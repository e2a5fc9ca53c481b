import type { Router } from 'express';
import { isObjectType, printSchema } from 'graphql';
import { getMetadataStorage } from 'type-graphql';
import type { Gateway } from '../../src/app/gateway.js';
import { buildGraphqlSchema } from '../../src/app/schema.js';
import { operationOf } from '../../src/platform/graphql/performs.js';
import type { Scope } from '../../src/shared/caller.js';

const texts = new Map<boolean, string>();

/** The schema in SDL, with the sandbox if it is asked for. */
export function schemaText(_gateway: Gateway, hasSandbox: boolean): string {
  const text = texts.get(hasSandbox) ?? printSchema(buildGraphqlSchema(undefined, hasSandbox));
  texts.set(hasSandbox, text);
  return text;
}

/** The routes of the nouns, `GET /accounts/:accountId/statements`: those that run behind the access token. */
export function routes({ container }: Gateway): string[] {
  const routers = container.nouns.all.flatMap(noun => noun.routes?.(container as never) ?? []);
  const served = routers.flatMap(router =>
    (router as Router).stack.flatMap(({ route }) =>
      // What is for all methods refuses those that the path lacks.
      (route?.stack ?? []).flatMap((each: { method?: string }) =>
        each.method ? `${each.method.toUpperCase()} ${route?.path}` : [],
      ),
    ),
  );
  return [...new Set(served)].sort();
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

/** The scopes that the operation of each field needs, by `Type.field`. */
export function scopes(): Record<string, readonly Scope[]> {
  const types = Object.values(buildGraphqlSchema(undefined, true).getTypeMap()).filter(isObjectType);
  return Object.fromEntries(
    types.flatMap(type =>
      Object.values(type.getFields()).map(field => [`${type.name}.${field.name}`, operationOf(field)?.scopes ?? []]),
    ),
  );
}
