import { Router, type RequestHandler } from 'express';
import { MethodNotAllowed, allowHeader } from './problem.js';

/** A router whose paths are exact: case counts, and so does a slash at the end. */
export function exactRouter(): Router {
  return Router({ caseSensitive: true, strict: true });
}

/** Call this once a router has all its routes: refuses other methods on their paths, and answers OPTIONS. */
export function refuseOtherMethods(router: Router): Router {
  const methodsByPath = new Map<string, Set<string>>();
  for (const { route } of router.stack) {
    if (!route) continue;
    const methods = methodsByPath.get(route.path) ?? new Set();
    for (const { method } of route.stack as readonly { readonly method?: string }[]) {
      if (method) methods.add(method.toUpperCase());
      if (method === 'get') methods.add('HEAD');
    }
    methodsByPath.set(route.path, methods);
  }
  for (const path of methodsByPath.keys()) {
    // `/transfers/batch` is answered as `/transfers/:transferId` is, too.
    const methods = [...methodsByPath].filter(([pattern]) => fits(path, pattern)).flatMap(([, own]) => [...own]);
    router.all(path, answerOthers([...new Set(methods)]));
  }
  return router;
}

/** True if a path is of a pattern, in which a parameter stands for one step. */
function fits(path: string, pattern: string): boolean {
  const steps = path.split('/');
  const wanted = pattern.split('/');
  return (
    steps.length === wanted.length &&
    wanted.every((step, index) => step === steps[index] || (step.startsWith(':') && !steps[index]?.startsWith(':')))
  );
}

function answerOthers(methods: readonly string[]): RequestHandler {
  return ({ method }, response, next) => {
    // A route with this method passed the request on, as some do for clients that are not browsers.
    if (methods.includes(method)) return next();
    if (method !== 'OPTIONS') throw new MethodNotAllowed(methods);
    response.writeHead(204, { Allow: allowHeader(methods) }).end();
  };
}
