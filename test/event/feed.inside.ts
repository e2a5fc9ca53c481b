import type { Gateway } from '../../src/app/gateway.js';

/** How many requests and subscriptions wait for events. */
export function followers({ container }: Gateway): number {
  return container.feed.feed.followers;
}

/** The schema of events, and an example of each type. */
export function documented({ container: { nouns } }: Gateway) {
  const { eventTypes } = nouns;
  return { schema: eventTypes.schema(), examples: eventTypes.all.map(type => eventTypes.exampleOf(type)) };
}
