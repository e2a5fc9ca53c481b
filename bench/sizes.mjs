// Bytes a row of every table in a database, to reckon with rows as they are.
//   DATABASE_URL=postgres://... npm run sizes
import { connectTo } from './lib/data.mjs';
import { Failure, run } from './lib/run.mjs';
import { sizesMarkdown, tablesOf } from './lib/sizes.mjs';

await run(async () => {
  const url = process.env.DATABASE_URL;
  if (!url) throw new Failure('Set DATABASE_URL to the address of a database.');
  console.log(sizesMarkdown(await tablesOf(await connectTo(url))));
});
