// Who may import whom. CONTRIBUTING.md gives the reasons in prose; a violation names its rule and repeats the reason.

// The foreign key points the way: a noun may import the nouns in its list, and no others. `import` is nobody's
// foreign key: it uses the nouns, and no noun knows of it.
const MAY_IMPORT = {
  person: [],
  event: [],
  program: ['person', 'account'],
  owner: ['person'],
  account: ['person', 'owner', 'event'],
  beneficiary: ['person', 'owner', 'account'],
  'personal-data': ['person', 'owner', 'account', 'beneficiary'],
  card: ['person', 'owner', 'account'],
  transaction: ['person', 'owner', 'account'],
  limit: ['account'],
  hold: ['person', 'program', 'owner', 'account', 'card', 'transaction', 'limit'],
  transfer: ['person', 'owner', 'account', 'transaction', 'limit'],
  statement: ['person', 'program', 'owner', 'account', 'beneficiary', 'card', 'transaction'],
  note: ['account', 'owner', 'transaction'],
  approval: ['account', 'program'],
  session: [],
  token: ['session'],
  viewer: ['program'],
  search: ['owner', 'account', 'card'],
  import: ['person', 'owner', 'account', 'beneficiary', 'card', 'transaction', 'statement'],
};
const NOUNS = Object.keys(MAY_IMPORT);
// The layers of src/platform, the lowest first: a folder may import those of lower layers, and no other.
const PLATFORM_LAYERS = [
  ['manifest', 'logging', 'report', 'settings'],
  ['workers'],
  ['scalars'],
  ['database', 'input', 'overload'],
  ['rate'],
  ['crypto'],
  ['migrations', 'jobs', 'repository'],
  ['auth'],
  ['http'],
  ['tracing'],
  ['graphql'],
  ['command'],
  ['openapi', 'metrics', 'import'],
  ['feed', 'rest'],
  ['noun'],
];
// What puts things together: the gateway, and the commands of the command line.
const ROOT = '^src/((app|cli)/.+|main|index)\\.ts$';
// What nouns are made of that come from packages, by the name `tillgate/noun`.
const PUBLIC = '^src/noun\\.ts$';
// What a process or a thread starts with, or loads by its address.
const ENTRY = '^(src/(main|index|noun|cli/dev|.+-thread|.+\\.layout)|packages/console/src/main)\\.tsx?$';

// What runs in browsers.
const PAGE = 'packages/console';

// Nouns of the bank live in src/bank.
const foldersIn = names => `^src/(?:bank/)?(?:${names.join('|')})/`;
const npm = names => `(^|/)node_modules/(@types/)?(${names.join('|')})(/|$)`;

const platformIn = folders => `^src/platform/(${folders.join('|')})(/|\\.ts$)`;

const platformImportsOneWay = PLATFORM_LAYERS.flatMap((layer, height) =>
  layer.map(folder => ({
    name: `platform-${folder}-looks-only-down`,
    comment: `platform/${folder} may import the layers below it in PLATFORM_LAYERS: hand it what it needs of others.`,
    severity: 'error',
    from: { path: platformIn([folder]) },
    to: { path: '^src/platform/', pathNot: platformIn([folder, ...PLATFORM_LAYERS.slice(0, height).flat()]) },
  })),
);

const theForeignKeyPointsTheWay = Object.entries(MAY_IMPORT).map(([noun, allowed]) => ({
  name: `${noun}-looks-only-left`,
  comment: `${noun} may import ${allowed.join(', ') || 'no other noun'}: the folder whose table holds the key knows the other one.`,
  severity: 'error',
  from: { path: foldersIn([noun]) },
  to: { path: foldersIn(NOUNS.filter(other => other !== noun && !allowed.includes(other))) },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'shared-imports-nothing',
      comment: 'src/shared is pure: no npm package, no Node module, nothing of ours outside of it.',
      severity: 'error',
      from: { path: '^src/shared/' },
      to: { pathNot: '^src/shared/' },
    },
    {
      name: 'platform-knows-no-noun',
      comment: 'src/platform adapts to the outside; what it needs from a noun is handed to it.',
      severity: 'error',
      from: { path: '^src/platform/' },
      to: { path: foldersIn(NOUNS) },
    },
    {
      name: 'lib-knows-nothing-of-src',
      comment: 'lib would serve any other program as well: what it needs is handed to it.',
      severity: 'error',
      from: { path: '^lib/' },
      to: { path: '^(src|migrations|test|bench)/' },
    },
    ...theForeignKeyPointsTheWay,
    ...platformImportsOneWay,
    {
      name: 'a-noun-has-public-files',
      comment:
        "Another folder's *.entity, *.service, *.errors, *.operations, *.rest and *.rest-record files are public (and the words of person); the rest is private.",
      severity: 'error',
      from: { path: '^src/((?:bank/)?[^/]+)/', pathNot: ROOT },
      to: {
        path: foldersIn(NOUNS),
        pathNot: [
          '^src/$1/',
          '\\.(entity|service|errors|rest|rest-record|operations)\\.ts$',
          '^src/bank/person/person\\.(inputs|name|masks)\\.ts$',
        ],
      },
    },
    {
      name: 'folders-are-known',
      comment: 'A new folder needs a place: add it to MAY_IMPORT or PLATFORM_LAYERS in .dependency-cruiser.mjs.',
      severity: 'error',
      from: {},
      to: {
        path: '^src/',
        pathNot: [ROOT, PUBLIC, '^src/shared/', platformIn(PLATFORM_LAYERS.flat()), foldersIn(NOUNS)],
      },
    },
    {
      name: 'packages-import-the-public-module',
      comment: 'A noun of a package imports src by the name tillgate/noun alone: export there what it needs.',
      severity: 'error',
      from: { path: '^packages/' },
      to: { path: '^src/', pathNot: PUBLIC },
    },
    {
      name: 'only-packages-import-the-public-module',
      comment: 'src/noun.ts is for packages: import the file that has what you need.',
      severity: 'error',
      from: { path: '^(src|lib|migrations)/' },
      to: { path: PUBLIC },
    },
    {
      name: 'only-the-root-knows-packages',
      comment:
        'Nouns of the bank and platform know no package: src/app lists the packages, and src/cli has their commands.',
      severity: 'error',
      from: { path: '^(src|lib|migrations)/', pathNot: ROOT },
      to: { path: '^packages/' },
    },
    {
      name: 'only-the-root-composes',
      comment:
        'app, config, entities and schema belong to the composition root: what a folder needs of them is handed to it.',
      severity: 'error',
      from: { path: '^src/', pathNot: ROOT },
      to: { path: ROOT },
    },
    {
      name: 'nothing-imports-an-entry-point',
      comment: 'main.ts and cli/dev.ts run when they are imported.',
      severity: 'error',
      from: {},
      to: { path: '^src/(main|cli/dev)\\.ts$' },
    },
    {
      name: 'a-service-speaks-no-protocol',
      comment: 'A service serves GraphQL and REST alike, so it knows neither HTTP nor GraphQL.',
      severity: 'error',
      from: { path: '\\.service\\.ts$' },
      to: {
        path: [
          npm(['express', 'graphql', 'graphql-http', 'type-graphql', '@apollo/[^/]+', '@as-integrations/[^/]+']),
          '^(node:)?https?2?$',
          '^src/platform/(http|graphql)/',
          '\\.(rest|resolver)\\.ts$',
        ],
      },
    },
    {
      name: 'routes-and-resolvers-have-no-database',
      comment: 'A route or a resolver reads, calls the service and shows: SQL is one hop further.',
      severity: 'error',
      from: { path: '\\.(rest|resolver)\\.ts$' },
      to: { path: [npm(['@mikro-orm/[^/]+', 'pg']), '^src/platform/database/'] },
    },
    {
      name: 'rest-and-graphql-do-not-meet',
      comment: 'REST and GraphQL share services and views, never each other.',
      severity: 'error',
      from: { path: '\\.rest\\.ts$' },
      to: { path: '\\.resolver\\.ts$' },
    },
    {
      name: 'a-resolver-is-private',
      comment: 'Resolvers share services and views, never each other, and none knows of REST.',
      severity: 'error',
      from: { path: '\\.resolver\\.ts$' },
      to: { path: '\\.(rest|resolver)\\.ts$' },
    },
    {
      name: 'the-page-stands-alone',
      comment:
        'The page of the console runs in browsers: it speaks to the gateway by GraphQL, and shares no code with it but that of lib/csv.',
      severity: 'error',
      from: { path: `^${PAGE}/` },
      to: { path: '^(src|lib|migrations)/', pathNot: '^lib/csv/' },
    },
    {
      name: 'nothing-imports-the-page',
      comment: 'The page of the console is built for browsers, and the gateway serves it as files.',
      severity: 'error',
      from: { pathNot: `^${PAGE}/` },
      to: { path: `^${PAGE}/` },
    },
    {
      name: 'the-client-stands-alone',
      comment: 'The client runs in programs of others, without the gateway and without dependencies.',
      severity: 'error',
      from: { path: '^packages/client/' },
      to: { pathNot: '^packages/client/' },
    },
    {
      name: 'no-cycles',
      comment: 'A cycle, even one of types, means that two files are one or that a third is missing.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-orphans',
      comment: 'Nothing runs this file: delete it, or use it.',
      severity: 'error',
      from: { path: ENTRY },
      to: { path: '^src/', pathNot: [ENTRY, '\\.d\\.ts$'], reachable: false },
    },
    {
      name: 'a-migration-stands-alone',
      comment: 'A migration says today what it said when it was written, so it must not follow changes of src.',
      severity: 'error',
      from: { path: '^migrations/' },
      to: { path: '^(src|lib|test|bench)/' },
    },
    {
      name: 'src-stands-alone',
      comment: 'What runs in production imports no test, no benchmark and no development dependency.',
      severity: 'error',
      from: { path: '^(src|lib|migrations|packages/[^/]+/src)/' },
      to: { path: '^(test|bench|examples|packages/[^/]+/test)/' },
    },
    {
      name: 'no-dev-dependencies',
      comment: 'It is not installed in production: move it to dependencies.',
      severity: 'error',
      from: { path: '^(src|lib|migrations|packages/[^/]+/src)/', pathNot: `^(${PAGE}|packages/client)/` },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-undeclared-dependencies',
      comment: 'It is not in package.json, or it cannot be found.',
      severity: 'error',
      from: {},
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'unknown', 'undetermined'] },
    },
    {
      name: 'everything-resolves',
      comment: 'The imported file or package does not exist.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    // The TypeScript compiler has no JavaScript interface in version 7; swc reads the same sources, type imports
    // included.
    parser: 'swc',
    // Packages use what the root installs: what is published is one package with them in it.
    combinedDependencies: true,
    webpackConfig: { fileName: '.ci/import-names.mjs' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: `^(packages/[^/]+/(?:dist|test)|lib/[^/]+/test|dist|coverage|\\.data|${PAGE}/src/generated)/` },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
