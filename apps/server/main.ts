import { enableCompileCache } from 'node:module'

// The cache is enabled before any other code is loaded, so that all code is cached.
enableCompileCache()
const { runCommand } = await import('./commands.ts')
await runCommand(process.argv.slice(2))
