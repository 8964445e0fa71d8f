/** Folders of the server from which mutants are drawn. Each subfolder is a module; `worker` is a single module. */
const ROOTS = ['server/src/domain/', 'server/src/worker/', 'server/src/providers/'] as const

export function moduleOf(path: string): string | null {
  if (!path.endsWith('.ts') || /(^|\/)test-|\.test\.ts$/.test(path)) return null
  const root = ROOTS.find((each) => path.startsWith(each))
  if (root === undefined) return null
  if (root === 'server/src/worker/') return 'worker'
  const [folder, ...rest] = path.slice(root.length).split('/')
  // A port (a file directly in the folder) contains only types.
  if (folder === undefined || rest.length === 0) return null
  return `${root === 'server/src/domain/' ? 'domain' : 'providers'}/${folder}`
}

export const folderOf = (module: string): string => `server/src/${module}/`
