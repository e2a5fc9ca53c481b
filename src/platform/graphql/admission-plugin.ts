import type { ApolloServerPlugin } from '@apollo/server';
import { Refusal } from '../../shared/errors.js';
import type { Admission } from './admission.js';
import type { Context } from './context.js';
import { asRequestError } from './format-error.js';
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
          if (error instanceof BeyondLimit) throw asRequestError(error, [operation]);
          throw error instanceof Refusal ? asRequestError(error, operation.variableDefinitions) : error;
        }
      },
    }),
  };
}
