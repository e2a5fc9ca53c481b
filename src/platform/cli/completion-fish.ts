import type { Place, Values } from './completion.js';

/** A completion script for fish, 3.0 and later, which shows what each word means. */
export function fishCompletion(places: readonly Place[]): string {
  const lines = places.flatMap(place => [
    ...commandsOf(place, places),
    ...optionsOf(place, places),
    ...valuesAt(place),
  ]);
  return `# Completion of tillgate for fish. In ~/.config/fish/config.fish: tillgate completion fish | source
complete -c tillgate -f
${lines.join('\n')}
`;
}

function commandsOf(place: Place, places: readonly Place[]): string[] {
  return place.commands.map(name => {
    const description =
      places.find(({ path }) => path === `${place.path} ${name}`)?.description ?? 'Explain a command.';
    return line(`${within(place)}; and ${noneOf(place.commands)}`, `-a ${quoted(name)} -d ${quoted(description)}`);
  });
}

function optionsOf(place: Place, places: readonly Place[]): string[] {
  // Options of a command do not go before the name of one under it.
  const here =
    place.commands.length > 0 && places.length > 1 ? `${within(place)}; and ${noneOf(place.commands)}` : within(place);
  return place.options.map(({ flags, takes, description }) => {
    const names = flags.map(flag => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
    return line(here, [...names, ...valueOf(takes), `-d ${quoted(description)}`].join(' '));
  });
}

/** fish cannot count arguments, so an argument is offered once a choice of the one before it is there. */
function valuesAt(place: Place): string[] {
  return place.values.flatMap((values, index) => {
    const before = place.values[index - 1];
    const after = Array.isArray(before) ? `; and ${anyOf(before as string[])}` : '';
    if (values === 'file') return [line(`${within(place)}${after}`, '-F')];
    if (values === null) return [];
    return [line(`${within(place)}; and ${noneOf(values)}`, `-a ${quoted(values.join(' '))}`)];
  });
}

function valueOf(takes: Values | undefined): string[] {
  if (takes === undefined) return [];
  if (takes === 'file') return ['-r -F'];
  return takes === null ? ['-x'] : [`-x -a ${quoted(takes.join(' '))}`];
}

function within({ path }: Place): string {
  const [, ...names] = path.split(' ');
  return names.length === 0 ? 'true' : names.map(name => anyOf([name])).join('; and ');
}

function anyOf(names: readonly string[]): string {
  return `__fish_seen_subcommand_from ${names.join(' ')}`;
}

function noneOf(names: readonly string[]): string {
  return `not ${anyOf(names)}`;
}

function line(condition: string, what: string): string {
  return `complete -c tillgate -n ${quoted(condition)} ${what}`;
}

function quoted(text: string): string {
  return `'${text.replace(/['\\]/g, String.raw`\$&`)}'`;
}
