/** Stands for what differs from run to run: in a text for any characters, alone in a line for any lines. */
const ANY = '...';

/** Says where an answer is not what a page promises; null where it is. */
export function difference(promised: { language: string; text: string }, answer: string): string | null {
  if (promised.language !== 'json') return differenceOfTexts(promised.text, answer);
  let parsed: unknown;
  try {
    parsed = JSON.parse(answer);
  } catch {
    return `The answer is no JSON: ${answer}`;
  }
  const where = differenceOfValues(JSON.parse(promised.text), parsed, '');
  return where && `${where}\nThe whole answer: ${JSON.stringify(parsed, null, 2)}`;
}

function differenceOfTexts(promised: string, answer: string): string | null {
  const pattern = promised
    .split('\n')
    .map(line => (line.trim() === ANY ? '(?:[^\\n]*\\n)*' : `${linePattern(line)}[ \\t\\r]*\\n`))
    .join('');
  const fits = new RegExp(`^${pattern}\\s*$`).test(`${answer.trimEnd()}\n`);
  return fits ? null : `Promised:\n${promised}\nAnswered:\n${answer}`;
}

function linePattern(line: string): string {
  return line.trimEnd().split(ANY).map(literally).join('.*');
}

function literally(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}

function differenceOfValues(promised: unknown, value: unknown, at: string): string | null {
  if (promised === ANY && value !== undefined) return null;
  if (typeof promised === 'string' && typeof value === 'string') {
    return new RegExp(`^${linePattern(promised)}$`, 's').test(value) ? null : differ(promised, value, at);
  }
  if (Array.isArray(promised) && Array.isArray(value)) {
    const open = promised.at(-1) === ANY;
    const elements = open ? promised.slice(0, -1) : promised;
    if (open ? value.length < elements.length : value.length !== elements.length) {
      return `${at || '/'} has ${value.length} elements, and ${elements.length} are promised.`;
    }
    return firstOf(elements.map((element, index) => differenceOfValues(element, value[index], `${at}/${index}`)));
  }
  if (isObject(promised) && isObject(value)) {
    const names = Object.keys(promised).filter(name => name !== ANY);
    const more = ANY in promised ? [] : Object.keys(value).filter(name => !(name in promised));
    if (more.length > 0) return `${at || '/'} has ${more.join(', ')}, of which nothing is said.`;
    return firstOf(names.map(name => differenceOfValues(promised[name], value[name], `${at}/${name}`)));
  }
  return Object.is(promised, value) ? null : differ(promised, value, at);
}

function differ(promised: unknown, value: unknown, at: string): string {
  return `${at || '/'} is ${JSON.stringify(value)}, and ${JSON.stringify(promised)} is promised.`;
}

function firstOf(differences: readonly (string | null)[]): string | null {
  return differences.find(found => found !== null) ?? null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
