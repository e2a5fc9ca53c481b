import { Option, type Command } from 'commander';
import { UsageError } from '../shared/usage-error.js';
import type { CommandProcess } from './command-process.js';
import { WRONG_USAGE, explain } from './explain.js';
import { jsonOption, programOption, settings } from './options.js';
import { startCommand, withContainer } from './with-container.js';

interface Options {
  readonly program: string;
  readonly jti?: string;
  readonly client?: string;
  readonly subject?: string;
  readonly before?: string;
  readonly json?: boolean;
}

/** The options that say which tokens, and what they are to a revocation. */
const KINDS = { jti: 'TOKEN', client: 'CLIENT', subject: 'SUBJECT' } as const;
const NAMED = Object.keys(KINDS) as (keyof typeof KINDS)[];

export function tokensRevoke(command: Command, process: CommandProcess): void {
  explain(command, {
    about: [
      'Every process refuses the tokens within 2 seconds: requests get 401, and open subscriptions end. The sessions of a subject at the console end as well. A client that its issuer still lets in can get new tokens: block it there first.',
    ],
    settings: settings('DATABASE_URL', 'DATA_DIR', 'FIELD_KEYS'),
    result: {
      kind: 'CLIENT',
      value: 'mobile-app',
      revocationId: '5a0d8a52-1f6e-4c38-9d0f-7f0f1a6c2b9e',
      latestIssuedAt: '2026-03-31T18:05:00.000Z',
      revokedAt: '2026-03-31T18:05:00.000Z',
    },
    examples: {
      'tillgate tokens revoke --program demo --client mobile-app': 'Revokes all tokens of a client until now.',
      'tillgate tokens revoke --program demo --jti 0f4f2a52-6a52-4d0e-9f5f-3b1d3a0c7e11': 'Revokes a single token.',
    },
    status: { 0: 'the tokens are revoked', 1: 'the database failed', 2: WRONG_USAGE },
  });
  command
    .description('Refuse access tokens before they expire.')
    .addOption(programOption('the tenant of the tokens').makeOptionMandatory())
    .addOption(new Option('--jti <id>', 'the token with this jti').conflicts(['client', 'subject', 'before']))
    .addOption(new Option('--client <id>', 'the tokens of this client').conflicts('subject'))
    .addOption(new Option('--subject <id>', 'the tokens of this subject, and its sessions at the console'))
    .addOption(
      new Option('--before <instant>', 'only tokens that were issued until then, such as 2026-03-31T18:05:00Z'),
    )
    .addOption(jsonOption())
    .action(async (options: Options) => {
      const named = NAMED.find(name => options[name] !== undefined);
      const value = named && options[named];
      if (named === undefined || !value) throw new UsageError('Name the tokens: set --jti, --client or --subject.');
      const before = options.before === undefined ? null : instantOf(options.before);
      const { config, report } = startCommand(process, options);
      const { gatewayCaller } = await import('../platform/command/recording.js');
      const { REVOKE_TOKENS } = await import('../bank/token/token.operations.js');
      await withContainer(process, config, async ({ tokens }) => {
        const caller = gatewayCaller(options.program, 'tokens', REVOKE_TOKENS);
        const revocation = await tokens.revoke(caller, { kind: KINDS[named], value, before });
        const until = revocation.latestIssuedAt === null ? '' : `, issued until ${revocation.latestIssuedAt}`;
        report.line(`revoked: ${named} ${value} of ${options.program}${until}`);
        report.result({ ...revocation });
        return 0;
      });
    });
}

function instantOf(text: string): string {
  const ms = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(ms)) throw new UsageError('--before must be an instant, such as 2026-03-31T18:05:00Z.');
  return new Date(ms).toISOString();
}
