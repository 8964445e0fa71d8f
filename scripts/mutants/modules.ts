/** The folders of the server that mutants are drawn from; each folder below them is a module, but worker is one. */
const ROOTS = ['server/src/domain/', 'server/src/worker/', 'server/src/providers/'] as const

/** Measures that tests alone take up: Azure's own definitions and recordings. Nothing that runs a portal imports them. */
const OF_TESTS: ReadonlySet<string> = new Set(['azure-official', 'azure-recorded'])

/** Returns the module that a source file belongs to; null: no mutants are drawn from it. */
export function moduleOf(path: string): string | null {
  if (!path.endsWith('.ts') || /(^|\/)test-|\.test\.ts$/.test(path)) return null
  const root = ROOTS.find((each) => path.startsWith(each))
  if (root === undefined) return null
  if (root === 'server/src/worker/') return 'worker'
  const [folder, ...rest] = path.slice(root.length).split('/')
  // A port holds types alone.
  if (folder === undefined || rest.length === 0 || OF_TESTS.has(folder)) return null
  return `${root === 'server/src/domain/' ? 'domain' : 'providers'}/${folder}`
}

/** Returns the folder of a module, with its closing slash. */
export const folderOf = (module: string): string => `server/src/${module}/`
