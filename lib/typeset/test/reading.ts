import { getDocumentProxy } from 'unpdf';

/** A piece of text on a page, in points from the lower left corner. */
export interface Item {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly size: number;
}

/** A PDF as a reader of it has it. */
export interface Read {
  /** The texts of each page in the order in which they were written. */
  readonly pages: readonly (readonly Item[])[];
  /** The text of each page, without line ends. */
  readonly texts: readonly string[];
  readonly text: string;
  readonly info: Record<string, unknown>;
}

export async function read(pdf: Buffer): Promise<Read> {
  const document = await getDocumentProxy(new Uint8Array(pdf));
  const pages: Item[][] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const { items } = await (await document.getPage(number)).getTextContent();
    pages.push(
      items.flatMap(item => {
        if (!('str' in item) || item.str === '') return [];
        const [, , , size, x, y] = item.transform as number[];
        return [{ text: item.str, x: x!, y: y!, width: item.width, size: size! }];
      }),
    );
  }
  const { info } = await document.getMetadata();
  await document.loadingTask.destroy();
  // Pieces on one line belong together where they touch; the spaces between columns are not in the file.
  const texts = pages.map(items => items.map(joined).join('').trim());
  return { pages, texts, text: texts.join('\n'), info: info as Record<string, unknown> };
}

function joined({ text, x, y }: Item, index: number, items: readonly Item[]): string {
  const before = items[index - 1];
  if (!before) return text;
  if (Math.abs(before.y - y) > 0.5) return `\n${text}`;
  return Math.abs(before.x + before.width - x) < 0.5 ? text : ` ${text}`;
}
