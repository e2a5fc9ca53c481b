import type { Place, Values } from './completion.js';

/**
 * A completion script for bash, 3.2 and later, without the package bash-completion; zsh runs it, too. It finds out which command the words
 * before the cursor name, which option waits for its value, and how many arguments there are.
 */
export function bashCompletion(places: readonly Place[]): string {
  const inner = places.slice(1).map(({ path }) => path);
  const options = places.flatMap(({ path, options: all }) =>
    all.flatMap(({ flags, takes }) =>
      takes === undefined ? [] : flags.map(flag => ({ at: `${path} ${flag}`, takes })),
    ),
  );
  const flags = places.map(
    place => `${quoted(place.path)}) offered='${place.options.flatMap(of => of.flags).join(' ')}' ;;`,
  );
  const words = places.flatMap(({ path, commands, values }) => [
    ...(commands.length > 0 ? [offer(`${path} 0`, commands)] : []),
    ...values.map((value, index) => offer(`${path} ${index}`, value)),
  ]);
  return `# Completion of tillgate for bash. In ~/.bashrc: source <(tillgate completion bash)
_tillgate() {
  local cur=\${COMP_WORDS[COMP_CWORD]} place=tillgate option='' count=0 offered='' files='' index word
  for ((index = 1; index < COMP_CWORD; index++)); do
    word=\${COMP_WORDS[index]}
    # bash takes --month=2026-06 for three words.
    if [[ $word == '=' ]]; then continue; fi
    if [[ -n $option ]]; then
      option=''
      continue
    fi
    case "$place $word" in
      ${inner.map(quoted).join(' | ')}) place="$place $word" ;;
      ${options.map(({ at }) => quoted(at)).join(' | ')}) option=$word ;;
      *' -'?*) ;;
      *) count=$((count + 1)) ;;
    esac
  done
  if [[ $cur == '=' ]]; then cur=''; fi
  if [[ -n $option ]]; then
    case "$place $option" in
      ${options.map(({ at, takes }) => offer(at, takes)).join('\n      ')}
    esac
  elif [[ $cur == -* ]]; then
    case "$place" in
      ${flags.join('\n      ')}
    esac
  else
    case "$place $count" in
      ${words.join('\n      ')}
    esac
  fi
  if [[ -n $files ]]; then
    compopt -o filenames 2>/dev/null
    local IFS=$'\\n'
    COMPREPLY=($(compgen -f -- "$cur"))
  else
    COMPREPLY=($(compgen -W "$offered" -- "$cur"))
  fi
}
complete -F _tillgate tillgate
`;
}

/** zsh has a bridge to the completions of bash. */
export function zshCompletion(places: readonly Place[]): string {
  return `# Completion of tillgate for zsh. In ~/.zshrc: source <(tillgate completion zsh)
autoload -U +X compinit && compinit
autoload -U +X bashcompinit && bashcompinit
${bashCompletion(places)}`;
}

function offer(at: string, values: Values): string {
  if (values === 'file') return `${quoted(at)}) files=1 ;;`;
  return `${quoted(at)}) offered='${values?.join(' ') ?? ''}' ;;`;
}

function quoted(text: string): string {
  return `'${text}'`;
}
