#!/usr/bin/env node
import { runCommandLine } from './commands/command-line.js';

await runCommandLine();
