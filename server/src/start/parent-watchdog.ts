import { enableCompileCache } from 'node:module'

/**
 * Imported into every child process before its own code. When the supervisor ends for any reason, the child receives
 * SIGTERM and exits by force after a timeout.
 */
enableCompileCache()

const PATIENCE = 4_000

process.on('disconnect', () => {
  process.kill(process.pid, 'SIGTERM')
  setTimeout(() => process.exit(1), PATIENCE).unref()
})
