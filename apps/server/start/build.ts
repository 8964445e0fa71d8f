import { fileURLToPath } from 'node:url'
import { buildWebIfNeeded } from './web-build.ts'

/**
 * Builds the web app (`npm run build`). With --forgiving (after `npm ci`) a failure is only reported, because `npm
 * start` builds the web app again.
 */
const forgiving = process.argv.includes('--forgiving')
const root = fileURLToPath(new URL('../../../', import.meta.url))
try {
  await buildWebIfNeeded(root)
} catch (error) {
  process.stderr.write(`The portal could not be built:\n${error instanceof Error ? error.message : String(error)}\n`)
  if (!forgiving) process.exitCode = 1
}
