import { Argument, type Command } from 'commander';
import { bashCompletion, zshCompletion } from '../platform/cli/completion-bash.js';
import { fishCompletion } from '../platform/cli/completion-fish.js';
import { placesOf, type Place } from '../platform/cli/completion.js';
import { WRONG_USAGE, explain } from '../platform/cli/explain.js';

const SCRIPTS: Readonly<Record<string, (places: readonly Place[]) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};

export function completion(command: Command): void {
  explain(command, {
    about: ['The command tillgate must be on the PATH. npm link or npm install -g puts it there.'],
    examples: {
      'source <(tillgate completion bash)':
        'For this shell. Put it in ~/.bashrc for every shell, or use zsh in ~/.zshrc.',
      'tillgate completion fish | source': 'The same for fish, in ~/.config/fish/config.fish.',
    },
    status: { 0: 'printed', 2: WRONG_USAGE },
  });
  command
    .description('Print a script that lets Tab complete commands, options and files.')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(SCRIPTS)))
    .action((shell: string) => {
      const places = placesOf(command.parent as Command);
      process.stdout.write(SCRIPTS[shell]?.(places) ?? '');
    });
}
