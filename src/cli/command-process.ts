/** What the command line uses of the process that it runs in: `process`, or what an embedding program gives instead. */
export type CommandProcess = Pick<
  NodeJS.Process,
  'argv' | 'env' | 'stdin' | 'stdout' | 'stderr' | 'exitCode' | 'exit' | 'channel' | 'on'
>;
