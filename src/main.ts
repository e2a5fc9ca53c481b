#!/usr/bin/env node
import { tooOldNode } from './cli/required-node.js';

// An older Node.js fails on what the commands import, so nothing of them is imported before this has been asked.
const problem = tooOldNode(process.versions.node);
if (problem === null) {
  const { runCommandLine } = await import('./cli/command-line.js');
  await runCommandLine();
} else {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 2;
}
