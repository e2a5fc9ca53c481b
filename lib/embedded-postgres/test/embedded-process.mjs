/**
 * Another process on the same data folder, as a second one of the same program would be: `node embedded-process.mjs
 * FOLDER`. It starts or joins the server, says so to its parent, and leaves when the parent says anything.
 */
import { once } from 'node:events';
import { startEmbeddedPostgres } from '../embedded-postgres.ts';

try {
  const server = await startEmbeddedPostgres(process.argv[2], { program: 'Sample', parameters: { fsync: 'off' } });
  process.send({ url: server.url('postgres') });
  await once(process, 'message');
  await server.stop();
  process.exit(0);
} catch (error) {
  process.send({ error: error.message }, () => process.exit(1));
}
