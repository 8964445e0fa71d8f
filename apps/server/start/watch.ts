import { watch } from 'chokidar'
import type { SupervisedPart } from './part.ts'

const QUIET = 120

/**
 * Restarts on changes. Files that are replaced (a checkout, an editor's atomic save) are still watched. Resolves when
 * the folders are watched.
 */
export async function restartOnChange(parts: readonly SupervisedPart[]): Promise<void> {
  await Promise.all(parts.map(watchPart))
}

async function watchPart(part: SupervisedPart): Promise<void> {
  const folders = part.part.watch ?? []
  if (folders.length === 0) return
  let timer: NodeJS.Timeout | undefined
  const watcher = watch([...folders], { ignoreInitial: true, persistent: false })
  watcher.on('all', (_event, file) => {
    if (!file.endsWith('.ts') || file.endsWith('.test.ts')) return
    clearTimeout(timer)
    timer = setTimeout(() => part.restart(), QUIET)
  })
  await new Promise<void>((resolve) => watcher.once('ready', resolve))
}
