import { Argument, type Command } from 'commander';
import { WRONG_USAGE, explain } from './explain.js';
import { jsonOption, programOption, settings } from './options.js';
import { startCommand, withContainer } from './with-container.js';
import type { CommandProcess } from './command-process.js';

interface Options {
  readonly program?: string;
  readonly json?: boolean;
}

export function consoleSessions(command: Command, process: CommandProcess): void {
  explain(command, {
    about: [
      'Lists at most 1,000 sessions, the newest first. A session ends 30 minutes after it was last used and 12 hours after it began.',
    ],
    settings: settings('DATABASE_URL', 'DATA_DIR', 'FIELD_KEYS'),
    result: {
      sessions: [
        {
          sessionId: '9b6d2c1e-70a4-4f5b-8a3f-51f0c2d7e984',
          program: 'demo',
          subject: '248289761001',
          roles: ['operator'],
          signIn: 'oidc',
          createdAt: '2026-03-31T18:05:00.000Z',
          lastSeenAt: '2026-03-31T18:25:00.000Z',
          idleUntil: '2026-03-31T18:55:00.000Z',
          endsAt: '2026-04-01T06:05:00.000Z',
        },
      ],
    },
    examples: { 'tillgate console sessions --program demo': 'Lists who is signed in for one program.' },
    status: { 0: 'listed', 1: 'the database failed', 2: WRONG_USAGE },
  });
  command
    .description('List who is signed in at the console. Changes nothing.')
    .addOption(programOption('only the people of this tenant'))
    .addOption(jsonOption())
    .action(async (options: Options) => {
      const { config, report } = startCommand(process, options);
      const { SessionService } = await import('../bank/session/session.service.js');
      await withContainer(process, config, async ({ database, keys }) => {
        const sessions = await new SessionService(database, keys).list(options.program ?? null);
        for (const { sessionId, program, subject, roles, createdAt, lastSeenAt } of sessions) {
          report.line(
            `${sessionId}: ${subject} of ${program} (${roles.join(', ')}); since ${createdAt}; last used ${lastSeenAt}`,
          );
        }
        if (sessions.length === 0) report.line('Nobody is signed in.');
        report.result({ sessions: sessions.map(session => ({ ...session, roles: [...session.roles] })) });
        return 0;
      });
    });
}

export function consoleEnd(command: Command, process: CommandProcess): void {
  explain(command, {
    about: [
      'The next request of each of these sessions is refused, and its open streams end within 2 seconds. A person whom the identity provider still lets in can sign in again: block the person there first.',
    ],
    settings: settings('DATABASE_URL', 'DATA_DIR', 'FIELD_KEYS'),
    result: { ended: 2 },
    examples: { 'tillgate console end 248289761001': 'Ends all sessions of one person.' },
    status: { 0: 'the person is signed out', 1: 'the database failed', 2: WRONG_USAGE },
  });
  command
    .description('End all sessions of a person at the console.')
    .addArgument(new Argument('<subject>', 'the subject that tillgate console sessions shows'))
    .addOption(programOption('only sessions for this tenant'))
    .addOption(jsonOption())
    .action(async (subject: string, options: Options) => {
      const { config, report } = startCommand(process, options);
      const { SessionService } = await import('../bank/session/session.service.js');
      await withContainer(process, config, async ({ database, keys }) => {
        const ended = await new SessionService(database, keys).endOf(subject, options.program ?? null);
        report.line(`sessions ended: ${ended}`);
        report.result({ ended });
        return 0;
      });
    });
}
