/** Leaves out what oidc-provider says to developers about its use in production: it is imported before the package. */
for (const method of ['info', 'warn'] as const) {
  const say = console[method];
  console[method] = (...words: unknown[]) => {
    if (!String(words[0]).startsWith('oidc-provider ')) say.apply(console, words);
  };
}
