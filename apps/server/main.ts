import { enableCompileCache } from 'node:module'
import { setFlagsFromString } from 'node:v8'

// A compilation in the background that waits for a collection blocks the exit of the process for ever, and often in one
// that ends soon after its start: https://github.com/nodejs/node/issues/54918
setFlagsFromString('--no-concurrent-sparkplug')
// The cache is enabled before any other code is loaded, so that all code is cached.
enableCompileCache()
const { runCommand } = await import('./commands.ts')
await runCommand(process.argv.slice(2))
