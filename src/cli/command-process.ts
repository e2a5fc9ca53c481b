/** The part of a process that the command line uses: `process`, or what an embedding program gives instead. */
export type CommandProcess = Pick<
  NodeJS.Process,
  'argv' | 'env' | 'stdin' | 'stdout' | 'stderr' | 'exitCode' | 'exit' | 'channel' | 'on'
>;
