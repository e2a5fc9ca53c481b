import type { ApolloServerPlugin } from '@apollo/server';
import { GraphQLError } from 'graphql';
import { Refusal } from '../../shared/errors.js';
import type { Admission } from './admission.js';
import type { Context } from './context.js';
import type { KnownDocuments } from './known-documents.js';
import { shownName } from './known-operation.js';
import { BeyondLimit } from './limits.errors.js';

/** Lets in what comes by Apollo, once it is parsed and valid. What a compiled operation ran already was let in before. */
export function admissionPlugin(documents: KnownDocuments, admission: Admission): ApolloServerPlugin<Context> {
  return {
    requestDidStart: async () => ({
      didResolveOperation: async ({ operation, document, source, request, contextValue: context }) => {
        if (!operation || context.ran) return;
        context.exchange.operation = shownName(operation);
        try {
          const known = documents.learn(source, request.operationName, document, operation);
          admission.check(known, request.variables ?? {}, context);
          await admission.charge(context);
          context.known = known;
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          const nodes = error instanceof BeyondLimit ? [operation] : operation.variableDefinitions;
          throw new GraphQLError(error.message, { nodes, originalError: error });
        }
      },
    }),
  };
}
