import { enableCompileCache } from 'node:module'

/**
 * Loaded into every part before its own code: when the supervisor is gone, however it went, the part ends too, as if
 * asked to, and by force if it does not.
 */
enableCompileCache()

const PATIENCE = 4_000

process.on('disconnect', () => {
  process.kill(process.pid, 'SIGTERM')
  setTimeout(() => process.exit(1), PATIENCE).unref()
})
