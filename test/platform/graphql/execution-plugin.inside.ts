import type { ApolloServerPlugin } from '@apollo/server';
import type { Gateway, StartOptions } from '../../../src/app/gateway.js';
import type { Context } from '../../../src/platform/graphql/context.js';

const fields: string[] = [];
const errors: string[] = [];
/** A plugin that listens to the execution, as those that measure do. */
const apm: ApolloServerPlugin<Context> = {
  requestDidStart: async () => ({
    executionDidStart: async () => ({
      willResolveField: ({ info }) => void fields.push(`${info.parentType.name}.${info.fieldName}`),
    }),
    didEncounterErrors: async context => void errors.push(...context.errors.map(({ message }) => message)),
  }),
};

export function options(): StartOptions {
  return { plugins: [apm] };
}

/** The fields and errors that the plugin has heard of since this was asked. */
export function heard(_gateway: Gateway): { readonly fields: string[]; readonly errors: string[] } {
  return { fields: fields.splice(0), errors: errors.splice(0) };
}
