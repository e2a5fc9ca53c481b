import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError, installationFolder } from 'tillgate/noun';

/** The most tools that a gateway has: a longer list would leave agents no room for anything else. */
const MAX_TOOLS = 100;

/** The text of one tool. */
export interface ToolDocument {
  readonly file: string;
  readonly text: string;
  /** True for one that comes with the gateway, and false for one of the bank. */
  readonly isShipped: boolean;
}

/**
 * Reads the documents that come with the gateway, with those about these packages, which are in folders of their names,
 * and those in the folders of the bank. Throws `UsageError`.
 */
export async function readDocuments(
  packages: readonly string[],
  folders: readonly string[],
): Promise<readonly ToolDocument[]> {
  const shipped = join(installationFolder(), 'packages/agents/mcp');
  const read = [
    ...['', ...packages].map(name => documentsIn(join(shipped, name), true)),
    ...folders.map(folder => documentsIn(folder, false)),
  ];
  const documents = (await Promise.all(read)).flat();
  if (documents.length > MAX_TOOLS) {
    throw new UsageError(
      `There are more than ${MAX_TOOLS} tools for agents. Remove files from the folders in MCP_OPERATIONS.`,
    );
  }
  return documents;
}

async function documentsIn(folder: string, isShipped: boolean): Promise<ToolDocument[]> {
  try {
    const names = (await readdir(folder)).filter(name => name.endsWith('.graphql')).toSorted();
    return await Promise.all(
      names.map(async name => {
        const file = join(folder, name);
        return { file, text: await readFile(file, 'utf8'), isShipped };
      }),
    );
  } catch (error) {
    const { code = 'no code' } = error as NodeJS.ErrnoException;
    throw new UsageError(
      `${isShipped ? 'MCP' : 'MCP_OPERATIONS'}: a folder or a file in it cannot be read (${code}): ${folder}. Check the path and the permissions.`,
    );
  }
}
