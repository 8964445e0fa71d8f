export interface Module {
  readonly name: string
  readonly at: string
  /** Names of modules, or `*` for all. Test files may import any module. */
  readonly imports: readonly string[]
}

const names = (list: string): string[] => list.split(/\s+/)

/** Domain modules in import order: each may import the ones before it. */
export const DOMAIN =
  names(`people/organisation people/user people/second-factor people/identity-provider people/api-key lab/template lab/training
  money/meter money/ledger money/accounting money/supplier money/invoice/gst lab/operation lab/machine lab/network lab/schedule lab/ready lab/class-session lab/calendar lab/order lab/roster people/directory lab/port lab/remote lab/classroom
  lab/registration lab/change-request notification
  lab/image sandbox money/payment money/settlement money/invoice money/credit money/budget money/price money/quote money/tax-status money/books money/gst-return money/reminder money/cost
  money/waste lab/import attendance lab/lms webhook home search audit privacy`)

/** Provider adapters, each with the adapters it is built on: Azure sandboxes use the same API as Azure machines. */
const ADAPTERS: Readonly<Record<string, readonly string[]>> = {
  azure: [],
  'azure-sandbox': ['azure', 'graph'],
  'azure-labs': ['azure'],
  graph: [],
  aws: [],
  razorpay: [],
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
  imports: [
    ...names(
      'config contract core core/command.ts core/errors.ts db jobs ports gateway/protocol reconcile secrets telemetry worker',
    ),
    ...DOMAIN.slice(0, index).map((earlier) => `domain/${earlier}`),
  ],
}))
const everyDomain = domain.map(({ name }) => name)

/** The server's files `module.ts`, which only `apps` imports. A circle of imports would show one that imports too much. */
const MANIFESTS: Module = { name: 'manifests', at: '', imports: ['*'] }

export const MODULES: readonly Module[] = [
  {
    name: 'apps',
    at: 'apps/',
    imports: names(
      'config contract core core/command.ts core/module.ts manifests gateway domain/audit domain/people/second-factor',
    ),
  },
  { name: 'contract', at: 'contract/', imports: [] },
  { name: 'emulator', at: 'emulator/', imports: [] },
  { name: 'apps/emulator', at: 'apps/modules/emulator.ts', imports: ['emulator'] },
  { name: 'emulator/main', at: 'emulator/src/main.ts', imports: ['apps/emulator', 'emulator'] },
  { name: 'web', at: 'web/', imports: ['apps/web', 'contract'] },
  { name: 'apps/web', at: 'apps/modules/web.ts', imports: ['web'] },
  { name: 'cli', at: 'cli/', imports: ['contract'] },
  { name: 'e2e', at: 'e2e/', imports: ['*'] },
  { name: 'bench', at: 'bench/', imports: ['*'] },
  { name: 'scripts', at: 'scripts/', imports: ['apps', 'db'] },
  { name: 'files', at: 'server/src/files/', imports: [] },
  { name: 'core/errors.ts', at: 'server/src/core/errors.ts', imports: ['contract'] },
  { name: 'secrets', at: 'server/src/secrets/', imports: ['db', 'files'] },
  { name: 'telemetry', at: 'server/src/telemetry/', imports: ['core/errors.ts', 'db', 'ports'] },
  { name: 'config', at: 'server/src/config', imports: ['contract', 'core/errors.ts', 'db', 'secrets'] },
  { name: 'db', at: 'server/src/db/', imports: ['contract', 'core', 'core/errors.ts', 'files'] },
  { name: 'jobs', at: 'server/src/jobs/', imports: ['db'] },
  { name: 'core', at: 'server/src/core/', imports: ['contract', 'core/errors.ts', 'db', 'jobs', 'reconcile'] },
  { name: 'core/command.ts', at: 'server/src/core/command.ts', imports: ['config', 'db'] },
  {
    name: 'core/module.ts',
    at: 'server/src/core/module.ts',
    imports: names('config contract core db doctor http jobs ports reconcile secrets telemetry worker'),
  },
  {
    name: 'http',
    at: 'server/src/http/',
    imports: ['contract', 'core', 'core/errors.ts', 'db', 'secrets', 'telemetry'],
  },
  { name: 'ports', at: 'server/src/providers/', imports: ['contract'] },
  ...Object.entries(ADAPTERS).map(([name, others]) => ({
    name: `providers/${name}`,
    at: `server/src/providers/${name}/`,
    imports: ['config', 'ports', ...others.map((other) => `providers/${other}`)],
  })),
  { name: 'gateway/protocol', at: 'server/src/gateway/protocol/', imports: ['contract', 'secrets'] },
  {
    name: 'gateway',
    at: 'server/src/gateway/',
    imports: ['config', 'contract', 'core/errors.ts', 'files', 'gateway/protocol', 'ports', 'providers/ssh', 'secrets'],
  },
  { name: 'reconcile', at: 'server/src/reconcile/', imports: ['db', 'ports'] },
  ...domain,
  { name: 'pacing', at: 'server/src/pacing/', imports: ['db', 'ports'] },
  { name: 'invariants', at: 'server/src/invariants/', imports: ['core', 'db'] },
  {
    name: 'remote',
    at: 'server/src/remote/',
    imports: [...names('contract core core/errors.ts db gateway/protocol http ports secrets'), ...everyDomain],
  },
  {
    name: 'scim',
    at: 'server/src/scim/',
    imports: ['contract', 'core', 'core/errors.ts', 'db', 'http', 'jobs', ...everyDomain],
  },
  {
    name: 'worker',
    at: 'server/src/worker/',
    imports: ['core', 'db', 'jobs', 'ports', 'reconcile', 'secrets', 'telemetry'],
  },
  {
    name: 'demo',
    at: 'server/src/demo/',
    imports: ['config', 'contract', 'core', 'db', 'jobs', 'secrets', ...everyDomain],
  },
  {
    name: 'start',
    at: 'server/src/start/',
    imports: ['apps', 'config', 'core', 'core/errors.ts', 'db', 'demo', 'files', 'invariants', 'jobs', 'secrets'],
  },
  {
    name: 'doctor',
    at: 'server/src/doctor/',
    imports: ['config', 'contract', 'db', 'gateway/protocol', 'invariants', 'ports', 'secrets', ...everyDomain],
  },
  { name: 'live', at: 'server/src/live/', imports: ['contract', 'core/errors.ts', 'ports', ...everyDomain] },
  {
    name: 'app',
    at: 'server/src/app/',
    imports: [
      ...names(
        'apps config core core/errors.ts core/module.ts db doctor http live pacing ports reconcile remote secrets telemetry worker',
      ),
      ...adapters,
      ...everyDomain,
    ],
  },
  {
    name: 'commands.ts',
    at: 'server/src/app/commands.ts',
    imports: [
      ...names('app apps gateway config core core/command.ts core/errors.ts db doctor invariants live start telemetry'),
      ...everyDomain,
    ],
  },
  { name: 'run.ts', at: 'server/src/app/run.ts', imports: ['commands.ts'] },
  { name: 'main.ts', at: 'server/src/main.ts', imports: ['run.ts', 'start'] },
]

export const isTestFile = (path: string): boolean =>
  /\.test\.tsx?$|(^|\/)test-[^/]*$|^(e2e|bench)\/|^scripts\/golden\.ts$|^vitest\.config\.ts$/.test(path) ||
  /^(server|emulator)\/test\//.test(path)

export const moduleOf = (path: string): Module | undefined =>
  /^server\/.*[/-]module\.ts$/.test(path) && path !== 'server/src/core/module.ts'
    ? MANIFESTS
    : MODULES.filter(({ at }) => path.startsWith(at)).toSorted((a, b) => b.at.length - a.at.length)[0]

export function refusalOf(from: string, to: string): string | null {
  if (isTestFile(from)) return null
  if (isTestFile(to)) return `${from} serves no test, and imports ${to}, which does.`
  const [fromModule, toModule] = [moduleOf(from), moduleOf(to)]
  if (fromModule === undefined) return `${from} belongs to no module: name it in scripts/modules.ts.`
  if (
    toModule === undefined ||
    fromModule === toModule ||
    fromModule.imports.includes('*') ||
    fromModule.imports.includes(toModule.name)
  )
    return null
  return `${from} imports ${to}: ${fromModule.name} does not know ${toModule.name}.`
}
