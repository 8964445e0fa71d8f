/** One folder, or file, of the house and the ones that it may import besides itself. */
export interface Module {
  readonly name: string
  /** The prefix of its files' paths. */
  readonly at: string
  /** Names of modules, or `*` for all. Tests may import what they like. */
  readonly knows: readonly string[]
}

/** The domain's modules in their order: each may import those that stand before it. */
export const DOMAIN =
  `organisation user second-factor identity-provider template training meter budget operation machine schedule ready order port remote classroom image sandbox ledger
  payment supplier invoice books reminder cost waste home search audit`.split(/\s+/)

/** Adapters, each with those that it stands on: Azure's sandboxes are made by the same API as its machines. */
const ADAPTERS: Readonly<Record<string, readonly string[]>> = {
  azure: [],
  'azure-sandbox': ['azure'],
  graph: [],
  aws: [],
  'emulated-record': [],
  razorpay: [],
  smtp: [],
  ssh: [],
  openid: [],
  dns: [],
}
const adapters = Object.keys(ADAPTERS).map((name) => `providers/${name}`)

const domain = DOMAIN.map((name, place) => ({
  name: `domain/${name}`,
  at: `server/src/domain/${name}/`,
  knows: [
    'contract',
    'core',
    'db',
    'jobs.ts',
    'ports',
    'reconcile',
    'secrets',
    ...DOMAIN.slice(0, place).map((earlier) => `domain/${earlier}`),
  ],
}))
const everyDomain = domain.map(({ name }) => name)

/** Every module, once. A file belongs to the one with the longest path that it begins with. */
export const MODULES: readonly Module[] = [
  { name: 'contract', at: 'contract/', knows: [] },
  { name: 'emulator', at: 'emulator/', knows: [] },
  { name: 'web', at: 'web/', knows: ['contract'] },
  { name: 'e2e', at: 'e2e/', knows: ['*'] },
  { name: 'bench', at: 'bench/', knows: ['*'] },
  { name: 'scripts', at: 'scripts/', knows: [] },
  { name: 'closed-folder.ts', at: 'server/src/closed-folder.ts', knows: [] },
  { name: 'closed-log.ts', at: 'server/src/closed-log.ts', knows: ['closed-folder.ts'] },
  { name: 'secrets', at: 'server/src/secrets/', knows: ['closed-folder.ts'] },
  { name: 'telemetry', at: 'server/src/telemetry/', knows: ['config', 'ports'] },
  { name: 'config', at: 'server/src/config', knows: ['contract', 'db', 'secrets'] },
  { name: 'jobs.ts', at: 'server/src/jobs.ts', knows: ['contract', 'db'] },
  { name: 'db', at: 'server/src/db/', knows: ['closed-folder.ts', 'closed-log.ts', 'contract', 'config', 'jobs.ts'] },
  { name: 'core', at: 'server/src/core/', knows: ['contract', 'db'] },
  { name: 'http', at: 'server/src/http/', knows: ['contract', 'core', 'db', 'secrets', 'telemetry'] },
  { name: 'ports', at: 'server/src/providers/', knows: ['contract'] },
  ...Object.entries(ADAPTERS).map(([name, others]) => ({
    name: `providers/${name}`,
    at: `server/src/providers/${name}/`,
    knows: ['ports', ...others.map((other) => `providers/${other}`)],
  })),
  { name: 'reconcile', at: 'server/src/reconcile/', knows: ['db', 'ports', 'telemetry'] },
  ...domain,
  { name: 'pacing', at: 'server/src/pacing/', knows: ['db', 'ports'] },
  { name: 'invariants', at: 'server/src/invariants/', knows: ['db'] },
  {
    name: 'remote',
    at: 'server/src/remote/',
    knows: ['contract', 'core', 'db', 'http', 'ports', 'secrets', ...everyDomain],
  },
  {
    name: 'worker',
    at: 'server/src/worker/',
    knows: ['contract', 'core', 'db', 'http', 'jobs.ts', 'ports', 'reconcile', 'secrets', 'telemetry', ...everyDomain],
  },
  { name: 'tasks.ts', at: 'server/src/tasks.ts', knows: ['reconcile', 'worker', ...everyDomain] },
  { name: 'worker.ts', at: 'server/src/worker.ts', knows: ['db', 'reconcile', 'tasks.ts', 'worker'] },
  { name: 'demo', at: 'server/src/demo/', knows: ['config', 'contract', 'db', 'jobs.ts', 'secrets', ...everyDomain] },
  {
    name: 'start',
    at: 'server/src/start/',
    knows: ['closed-folder.ts', 'closed-log.ts', 'config', 'db', 'demo', 'invariants'],
  },
  { name: 'doctor', at: 'server/src/doctor/', knows: ['config', 'contract', 'db', 'ports', 'secrets', ...everyDomain] },
  { name: 'live', at: 'server/src/live/', knows: ['config', 'contract', 'ports', ...everyDomain] },
  {
    name: 'calls.ts',
    at: 'server/src/calls.ts',
    knows: ['core', 'http', 'jobs.ts', 'ports', 'reconcile', 'secrets', ...everyDomain],
  },
  { name: 'api.ts', at: 'server/src/api.ts', knows: ['db', 'http'] },
  {
    name: 'app.ts',
    at: 'server/src/app',
    knows: [
      'calls.ts',
      'config',
      'db',
      'doctor',
      'http',
      'live',
      'pacing',
      'ports',
      'remote',
      'secrets',
      'telemetry',
      'worker',
      ...adapters,
      ...everyDomain,
    ],
  },
  {
    name: 'main.ts',
    at: 'server/src/main.ts',
    knows: ['api.ts', 'app.ts', 'config', 'db', 'doctor', 'live', 'start', 'telemetry', 'worker.ts', ...everyDomain],
  },
]

/** Files that serve tests alone: they may import what they like, and nothing else may import them. */
export const isTestFile = (path: string): boolean =>
  /\.test\.tsx?$|(^|\/)test-[^/]*$|^(e2e|bench|scripts\/mutants)\/|^vitest\.config\.ts$/.test(path) ||
  /^server\/(test|src\/access|src\/providers\/azure-(official|recorded))\/|^emulator\/src\/(testing|official|azure\/recorded)\//.test(
    path,
  )

/** Returns the module of a file; undefined for what belongs to none. */
export const moduleOf = (path: string): Module | undefined =>
  MODULES.filter(({ at }) => path.startsWith(at)).toSorted((a, b) => b.at.length - a.at.length)[0]

/** Returns the sentence that forbids the import, or null. */
export function refusalOf(from: string, to: string): string | null {
  if (isTestFile(from)) return null
  if (isTestFile(to)) return `${from} serves no test, and imports ${to}, which does.`
  const [here, there] = [moduleOf(from), moduleOf(to)]
  if (here === undefined) return `${from} belongs to no module: name it in scripts/modules.ts.`
  if (there === undefined || here === there || here.knows.includes('*') || here.knows.includes(there.name)) return null
  return `${from} imports ${to}: ${here.name} does not know ${there.name}.`
}
