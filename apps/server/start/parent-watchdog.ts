import { enableCompileCache } from 'node:module'

/**
 * Runs in every child process. When the supervisor ends, the child sends itself SIGTERM, and exits after some seconds
 * in any case.
 */
enableCompileCache()

const PATIENCE = 4_000

process.on('disconnect', () => {
  process.kill(process.pid, 'SIGTERM')
  setTimeout(() => process.exit(1), PATIENCE).unref()
})
