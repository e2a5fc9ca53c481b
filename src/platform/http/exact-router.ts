import { Router, type RequestHandler } from 'express';
import { MethodNotAllowed, allowHeader } from './problem.js';

/** A router whose paths are exact: in this case of letters, and without a further slash at the end. */
export function exactRouter(): Router {
  return Router({ caseSensitive: true, strict: true });
}

/** To be called when a router has all its routes: a method that a path of it lacks is refused from then on, and OPTIONS names those it has. */
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
  for (const [path, methods] of methodsByPath) router.all(path, answerOthers([...methods]));
  return router;
}

function answerOthers(methods: readonly string[]): RequestHandler {
  return ({ method }, response, next) => {
    // The route was for others, such as browsers.
    if (methods.includes(method)) return next();
    if (method !== 'OPTIONS') throw new MethodNotAllowed(methods);
    response.writeHead(204, { Allow: allowHeader(methods) }).end();
  };
}
