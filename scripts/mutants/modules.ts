/** The folders of the server that mutants are drawn from; each folder below them is a module, but worker is one. */
const ROOTS = ['server/src/domain/', 'server/src/worker/', 'server/src/providers/'] as const

/** Returns the module that a source file belongs to; null: no mutants are drawn from it. */
export function moduleOf(path: string): string | null {
  if (!path.endsWith('.ts') || /(^|\/)test-|\.test\.ts$/.test(path)) return null
  const root = ROOTS.find((each) => path.startsWith(each))
  if (root === undefined) return null
  if (root === 'server/src/worker/') return 'worker'
  const [folder, ...rest] = path.slice(root.length).split('/')
  // A port holds types alone.
  return rest.length === 0 ? null : `${root === 'server/src/domain/' ? 'domain' : 'providers'}/${folder}`
}

const WORKER = 'server/src/worker'

/** Tests that judge a module beside those of its own folder: they live its rows through worker and calls. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  'domain/machine': [
    `${WORKER}/story.test.ts`,
    `${WORKER}/calls.test.ts`,
    `${WORKER}/watch.test.ts`,
    'server/src/access/access.test.ts',
    'server/src/domain/schedule/schedules.test.ts',
  ],
  'domain/order': [
    `${WORKER}/story.test.ts`,
    `${WORKER}/preflight.test.ts`,
    'server/src/http/idempotency.test.ts',
    'server/src/access/access.test.ts',
  ],
  'domain/meter': [`${WORKER}/audit.test.ts`, `${WORKER}/story.test.ts`, 'server/src/access/access.test.ts'],
  'domain/organisation': ['server/src/access/access.test.ts', 'server/src/access/wire.test.ts'],
  'domain/template': [
    'server/src/access/access.test.ts',
    'server/src/access/wire.test.ts',
    'server/src/domain/image/capture.test.ts',
    `${WORKER}/preflight.test.ts`,
  ],
  'domain/training': ['server/src/access/access.test.ts'],
  'domain/user': ['server/src/access/access.test.ts', 'server/src/access/wire.test.ts'],
  'domain/schedule': ['server/src/access/access.test.ts', `${WORKER}/story.test.ts`],
  'domain/port': [`${WORKER}/story.test.ts`],
  'domain/remote': ['server/src/remote/gateway.test.ts', 'server/src/access/access.test.ts'],
  'domain/sandbox': [`${WORKER}/azure-labs.test.ts`, 'server/src/access/access.test.ts'],
  'domain/payment': [`${WORKER}/payment-storm.test.ts`],
  'providers/azure-sandbox': [`${WORKER}/azure-labs.test.ts`],
  'providers/graph': [`${WORKER}/azure-labs.test.ts`],
  'providers/aws': ['server/src/domain/sandbox/aws'],
  'providers/ssh': ['server/src/remote/gateway.test.ts'],
  'providers/emulated-record': [`${WORKER}/audit.test.ts`],
  worker: [
    'server/src/domain/sandbox/aws/labs.test.ts',
    'server/src/domain/machine',
    'server/src/domain/payment',
    'server/src/domain/port',
    'server/src/domain/image',
  ],
}

/** Returns the tests that judge a module, as vitest takes them: files and folders. */
export function testsOf(module: string): readonly string[] {
  const own = module === 'worker' ? WORKER : `server/src/${module}`
  return [`${own}/`, ...(ALSO[module] ?? [])]
}
