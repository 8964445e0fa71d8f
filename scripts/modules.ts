export interface Module {
  readonly name: string
  readonly at: string
  /** Names of modules, or `*` for all. Test files may import any module. */
  readonly knows: readonly string[]
}

/** Domain modules in import order: each may import the ones before it. */
export const DOMAIN =
  `people/organisation people/user people/second-factor people/identity-provider people/api-key lab/network lab/template lab/training
  money/meter money/ledger money/supplier money/invoice/gst money/credit money/budget money/price lab/operation lab/machine lab/schedule lab/ready lab/class-session lab/calendar lab/order lab/roster people/directory lab/port lab/remote lab/classroom
  lab/registration lab/change-request notification
  lab/image sandbox money/payment money/settlement money/invoice money/quote money/tax-status money/books money/gst-return money/reminder money/cost
  money/waste lab/import attendance lab/lms webhook home search audit privacy`.split(/\s+/)

/** Provider adapters, each with the adapters it is built on: Azure sandboxes use the same API as Azure machines. */
const ADAPTERS: Readonly<Record<string, readonly string[]>> = {
  azure: [],
  'azure-sandbox': ['azure'],
  'azure-labs': ['azure'],
  graph: [],
  aws: [],
  razorpay: [],
  irp: [],
  smtp: [],
  ssh: [],
  openid: [],
  lti: ['openid'],
  dns: [],
  webhook: [],
}
const adapters = Object.keys(ADAPTERS).map((name) => `providers/${name}`)

const domain = DOMAIN.map((name, index) => ({
  name: `domain/${name}`,
  at: `server/src/domain/${name}/`,
  knows: [
    'contract',
    'core',
    'core/errors.ts',
    'db',
    'jobs',
    'ports',
    'gateway/protocol',
    'reconcile',
    'secrets',
    ...DOMAIN.slice(0, index).map((earlier) => `domain/${earlier}`),
  ],
}))
const everyDomain = domain.map(({ name }) => name)

export const MODULES: readonly Module[] = [
  { name: 'contract', at: 'contract/', knows: [] },
  { name: 'emulator', at: 'emulator/', knows: [] },
  { name: 'web', at: 'web/', knows: ['contract'] },
  { name: 'cli', at: 'cli/', knows: ['contract'] },
  { name: 'e2e', at: 'e2e/', knows: ['*'] },
  { name: 'bench', at: 'bench/', knows: ['*'] },
  { name: 'scripts', at: 'scripts/', knows: [] },
  { name: 'files', at: 'server/src/files/', knows: [] },
  { name: 'core/errors.ts', at: 'server/src/core/errors.ts', knows: ['contract'] },
  { name: 'secrets', at: 'server/src/secrets/', knows: ['db', 'files'] },
  { name: 'telemetry', at: 'server/src/telemetry/', knows: ['config', 'core/errors.ts', 'ports'] },
  { name: 'config', at: 'server/src/config', knows: ['contract', 'core/errors.ts', 'db', 'secrets'] },
  { name: 'db', at: 'server/src/db/', knows: ['contract', 'core/errors.ts', 'files'] },
  { name: 'jobs', at: 'server/src/jobs/', knows: ['contract', 'db'] },
  { name: 'core', at: 'server/src/core/', knows: ['contract', 'core/errors.ts', 'db'] },
  { name: 'http', at: 'server/src/http/', knows: ['contract', 'core', 'core/errors.ts', 'db', 'secrets', 'telemetry'] },
  { name: 'ports', at: 'server/src/providers/', knows: ['contract'] },
  ...Object.entries(ADAPTERS).map(([name, others]) => ({
    name: `providers/${name}`,
    at: `server/src/providers/${name}/`,
    knows: ['ports', ...others.map((other) => `providers/${other}`)],
  })),
  { name: 'gateway/protocol', at: 'server/src/gateway/protocol/', knows: ['contract', 'secrets'] },
  {
    name: 'gateway',
    at: 'server/src/gateway/',
    knows: ['contract', 'core/errors.ts', 'files', 'gateway/protocol', 'ports', 'providers/ssh', 'secrets'],
  },
  { name: 'reconcile', at: 'server/src/reconcile/', knows: ['db', 'ports', 'telemetry'] },
  ...domain,
  { name: 'pacing', at: 'server/src/pacing/', knows: ['db', 'ports'] },
  { name: 'invariants', at: 'server/src/invariants/', knows: ['db'] },
  {
    name: 'remote',
    at: 'server/src/remote/',
    knows: ['contract', 'core', 'core/errors.ts', 'db', 'gateway/protocol', 'http', 'ports', 'secrets', ...everyDomain],
  },
  {
    name: 'scim',
    at: 'server/src/scim/',
    knows: ['contract', 'core', 'core/errors.ts', 'db', 'http', 'jobs', ...everyDomain],
  },
  {
    name: 'worker',
    at: 'server/src/worker/',
    knows: [
      'contract',
      'core',
      'core/errors.ts',
      'db',
      'http',
      'jobs',
      'ports',
      'reconcile',
      'secrets',
      'telemetry',
      ...everyDomain,
    ],
  },
  { name: 'demo', at: 'server/src/demo/', knows: ['config', 'contract', 'db', 'jobs', 'secrets', ...everyDomain] },
  {
    name: 'start',
    at: 'server/src/start/',
    knows: ['config', 'core/errors.ts', 'db', 'demo', 'files', 'invariants', 'jobs', 'secrets'],
  },
  {
    name: 'doctor',
    at: 'server/src/doctor/',
    knows: ['config', 'contract', 'db', 'gateway/protocol', 'invariants', 'ports', 'secrets', ...everyDomain],
  },
  { name: 'live', at: 'server/src/live/', knows: ['config', 'contract', 'core/errors.ts', 'ports', ...everyDomain] },
  {
    name: 'app',
    at: 'server/src/app/',
    knows: [
      'config',
      'core',
      'core/errors.ts',
      'db',
      'doctor',
      'http',
      'jobs',
      'live',
      'pacing',
      'ports',
      'reconcile',
      'remote',
      'scim',
      'secrets',
      'telemetry',
      'worker',
      ...adapters,
      ...everyDomain,
    ],
  },
  {
    name: 'commands.ts',
    at: 'server/src/app/commands.ts',
    knows: [
      'app',
      'gateway',
      'config',
      'core/errors.ts',
      'db',
      'doctor',
      'invariants',
      'live',
      'start',
      'telemetry',
      ...everyDomain,
    ],
  },
  { name: 'run.ts', at: 'server/src/app/run.ts', knows: ['commands.ts'] },
  { name: 'main.ts', at: 'server/src/main.ts', knows: ['run.ts', 'start'] },
]

export const isTestFile = (path: string): boolean =>
  /\.test\.tsx?$|(^|\/)test-[^/]*$|^(e2e|bench|tools)\/|^vitest\.config\.ts$/.test(path) ||
  /^(server|emulator)\/test\//.test(path)

export const moduleOf = (path: string): Module | undefined =>
  MODULES.filter(({ at }) => path.startsWith(at)).toSorted((a, b) => b.at.length - a.at.length)[0]

export function refusalOf(from: string, to: string): string | null {
  if (isTestFile(from)) return null
  if (isTestFile(to)) return `${from} serves no test, and imports ${to}, which does.`
  const [fromModule, toModule] = [moduleOf(from), moduleOf(to)]
  if (fromModule === undefined) return `${from} belongs to no module: name it in scripts/modules.ts.`
  if (
    toModule === undefined ||
    fromModule === toModule ||
    fromModule.knows.includes('*') ||
    fromModule.knows.includes(toModule.name)
  )
    return null
  return `${from} imports ${to}: ${fromModule.name} does not know ${toModule.name}.`
}
