import { glob, readFile } from 'node:fs/promises';

/** The comments that stand above the properties of entities in the sources. */
export class Comments {
  private constructor(
    private readonly texts: ReadonlyMap<string, string>,
    private readonly parents: ReadonlyMap<string, string>,
  ) {}

  /** The comment of a property, also of one that the class inherits. */
  of(entity: string, property: string): string | undefined {
    const parent = this.parents.get(entity);
    return this.texts.get(`${entity}.${property}`) ?? (parent && this.of(parent, property));
  }

  /** Reads the sources in the current folder: comments are not in what is compiled. */
  static async read(): Promise<Comments> {
    const texts = new Map<string, string>();
    const parents = new Map<string, string>();
    for await (const file of glob('{src,packages/*/src}/**/*.entity.ts')) {
      collect(await readFile(file, 'utf8'), texts, parents);
    }
    return new Comments(texts, parents);
  }
}

// A property or a class, perhaps behind decorators; a comment; or an empty line, which ends what a comment is about.
const CLASS = /^(?:export )?(?:abstract )?class (\w+)(?: extends (\w+))?/;
const PROPERTY = /^ {2}(?:@.*\) )?(\w+)[!?]?: /;

function collect(source: string, texts: Map<string, string>, parents: Map<string, string>): void {
  let entity = '';
  let comment: string[] | null = null;
  let isOpen = false;
  for (const line of source.split('\n')) {
    const [, name, parent] = CLASS.exec(line) ?? [];
    const [, property] = PROPERTY.exec(line) ?? [];
    if (name) {
      entity = name;
      if (parent) parents.set(name, parent);
    }
    if (/^ {2}\/\*\*/.test(line)) [comment, isOpen] = [[], true];
    if (isOpen) comment?.push(line.replaceAll(/^ *\/?\*+\/? ?|\*\/$/g, '').trim());
    if (line.endsWith('*/')) isOpen = false;
    else if (property && comment) texts.set(`${entity}.${property}`, comment.join(' ').trim());
    if (property || line === '') comment = null;
  }
}
