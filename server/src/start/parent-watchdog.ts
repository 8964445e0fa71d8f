import { enableCompileCache } from 'node:module'

/** Imported into every child process. When the supervisor ends, the child receives SIGTERM, then exits by force. */
enableCompileCache()

const PATIENCE = 4_000

process.on('disconnect', () => {
  process.kill(process.pid, 'SIGTERM')
  setTimeout(() => process.exit(1), PATIENCE).unref()
})
