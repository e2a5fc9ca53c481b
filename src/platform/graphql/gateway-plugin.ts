import type { ApolloServerPlugin, GraphQLRequestListener } from '@apollo/server';
import type { Logger } from '../logging/logger.js';
import type { Admission } from './admission.js';
import type { CompiledOperations } from './compiled-operations.js';
import type { Context } from './context.js';
import { endBeforeParsing } from './early-refusal.js';
import { tellErrors } from './errors.js';
import { findLiterals } from './format-error.js';
import { openSubscription, refuseMisplaced } from './subscriptions/operations.js';

/**
 * Acts for the gateway at each step of Apollo Server's pipeline. It comes behind the plugins of embedders, so that each
 * of them may answer before an operation is executed, and sees a response before the errors are completed.
 */
export function gatewayPlugin(
  admission: Admission,
  compiled: CompiledOperations,
  log: Logger,
): ApolloServerPlugin<Context> {
  // The state of a request is in its context, so one listener serves all of them: Apollo Server waits for each hook
  // of each plugin, and five plugins with a listener for each request took 5 % of the CPU of a small query.
  const listener: GraphQLRequestListener<Context> = {
    async didResolveOperation(requestContext) {
      refuseMisplaced(requestContext);
      await admission.admitOperation(requestContext);
    },
    async responseForOperation(requestContext) {
      return (await compiled.respond(requestContext)) ?? openSubscription(requestContext);
    },
    async didEncounterErrors({ errors, document, schema }) {
      if (document) findLiterals(schema, document, errors);
    },
    async willSendResponse(requestContext) {
      compiled.answered(requestContext);
      tellErrors(requestContext, log);
    },
  };
  return {
    async requestDidStart(requestContext) {
      const { request, contextValue } = requestContext;
      const text = request.query ?? '';
      if (admission.isKnown(text)) return listener;
      try {
        await admission.admitDocument(text, contextValue);
      } catch (error) {
        endBeforeParsing(requestContext, error);
      }
      return listener;
    },
  };
}
