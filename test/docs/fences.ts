import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** What a page shows to be tried: commands or a GraphQL operation, and the answer that it promises. */
export interface Sample {
  /** Where it is, for people: `docs/rest.md:17`. */
  readonly place: string;
  readonly language: 'sh' | 'graphql';
  readonly text: string;
  /** The block right after it, unless that is another sample. */
  readonly answer: { readonly language: string; readonly text: string } | null;
  readonly marks: Marks;
}

/** What the HTML comment right before a sample says about it; test/docs/README.md lists the words. */
export interface Marks {
  /** Why it cannot run where the tests run. */
  readonly notRun?: string;
  /** Its last command goes on until the page is over, and has printed an address before the next sample runs. */
  readonly serves?: boolean;
  /** Its page is about what has no gateway yet, so none is started for it. */
  readonly alone?: boolean;
  /** Its page changes what other pages show, so it gets a gateway and data of its own. */
  readonly own?: boolean;
  /** The exit status that it ends with; 0 where nothing is said. */
  readonly exit?: number;
  /** Programs that it needs besides those of npm: without them this sample and all after it are skipped. */
  readonly needs?: readonly string[];
}

interface Fence {
  readonly language: string;
  readonly text: string;
  readonly first: number;
  readonly last: number;
}

const SAMPLES = ['sh', 'graphql'];

/** All pages that speak to those who use Tillgate, from the folder above. */
export async function pages(): Promise<string[]> {
  const examples = await readdir(join(ROOT, 'examples'), { withFileTypes: true });
  return [
    'README.md',
    ...(await readdir(join(ROOT, 'docs'))).filter(name => name.endsWith('.md')).map(name => `docs/${name}`),
    'deploy/README.md',
    'examples/README.md',
    ...examples.filter(entry => entry.isDirectory()).map(({ name }) => `examples/${name}/README.md`),
  ];
}

export async function samplesOf(page: string): Promise<Sample[]> {
  const lines = (await readFile(join(ROOT, page), 'utf8')).split('\n');
  const fences = fencesOf(lines, page);
  return fences.flatMap((fence, index) => {
    const { language, text, first } = fence;
    if (language !== 'sh' && language !== 'graphql') return [];
    const next = fences[index + 1];
    const follows = next && !SAMPLES.includes(next.language) && isBlank(lines.slice(fence.last + 1, next.first));
    const place = `${page}:${first + 1}`;
    return { place, language, text, answer: follows ? next : null, marks: marksBefore(lines, first, place) };
  });
}

/** The text of the first block in a language on a page. */
export async function blockOf(page: string, language: string): Promise<string> {
  const fences = fencesOf((await readFile(join(ROOT, page), 'utf8')).split('\n'), page);
  const block = fences.find(fence => fence.language === language);
  if (!block) throw new Error(`${page} has no block of ${language}.`);
  return block.text;
}

function fencesOf(lines: readonly string[], page: string): Fence[] {
  const fences: Fence[] = [];
  let open: { language: string; first: number } | null = null;
  for (const [index, line] of lines.entries()) {
    if (!line.trimStart().startsWith('```')) continue;
    if (open) {
      fences.push({ ...open, last: index, text: lines.slice(open.first + 1, index).join('\n') });
      open = null;
    } else {
      open = { language: line.trim().slice(3), first: index };
    }
  }
  if (open) throw new Error(`${page}:${open.first + 1} is a block without an end.`);
  return fences;
}

function marksBefore(lines: readonly string[], fence: number, place: string): Marks {
  let index = fence - 1;
  while (index > 0 && lines[index] === '') index--;
  const [, comment] = /^\s*<!-- (.+) -->$/.exec(lines[index] ?? '') ?? [];
  if (comment === undefined) return {};
  return Object.assign({}, ...comment.split('; ').map(mark => meaningOf(mark, place))) as Marks;
}

function meaningOf(mark: string, place: string): Marks {
  const [word, value = ''] = mark.split(/: (.+)/s);
  if (word === 'not run' && value) return { notRun: value };
  if (word === 'needs' && value) return { needs: value.split(', ') };
  if (word === 'exit' && /^\d+$/.test(value)) return { exit: Number(value) };
  if (mark === 'serves') return { serves: true };
  if (mark === 'alone') return { alone: true };
  if (mark === 'own') return { own: true };
  throw new Error(`${place}: the comment before it is none of those that test/docs/README.md lists.`);
}

function isBlank(lines: readonly string[]): boolean {
  return lines.every(line => line.trim() === '');
}

/** The rows of the first table under a heading, cell by cell. */
export async function tableUnder(page: string, heading: string): Promise<string[][]> {
  const [, after = ''] = (await readFile(join(ROOT, page), 'utf8')).split(`${heading}\n`);
  const [table = ''] = /^\|.*\n\|[ :|-]+\n(?:\|.*\n)+/m.exec(after) ?? [];
  const rows = table.trimEnd().split('\n').slice(2);
  return rows.map(row =>
    row
      .slice(1, -1)
      .split('|')
      .map(cell => cell.trim()),
  );
}
