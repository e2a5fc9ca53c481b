import type { ApolloServerPlugin } from '@apollo/server';
import type { Gateway, StartOptions } from '../../../src/app/gateway.js';
import type { Context } from '../../../src/platform/graphql/context.js';

const seen: string[] = [];
/** A plugin as an embedder writes it: notes what it sees, and adds an extension to each response. */
const watcher: ApolloServerPlugin<Context> = {
  requestDidStart: async () => ({
    didResolveSource: async () => void seen.push('source'),
    parsingDidStart: async () => void seen.push('parsing'),
    validationDidStart: async () => void seen.push('validation'),
    didResolveOperation: async () => void seen.push('operation'),
    willSendResponse: async ({ response: { body } }) => {
      seen.push('response');
      if (body.kind === 'single') body.singleResult.extensions = { ...body.singleResult.extensions, watched: true };
    },
  }),
};

export function options(): StartOptions {
  return { plugins: [watcher] };
}

/** What the plugin has seen since this was asked. */
export function taken(_gateway: Gateway): string[] {
  return seen.splice(0);
}
