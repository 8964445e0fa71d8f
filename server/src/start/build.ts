import { fileURLToPath } from 'node:url'
import { buildWebIfNeeded } from './web-build.ts'

/** `npm run build`. With --forgiving (after `npm ci`) a failure is only reported, because `npm start` builds again. */
const forgiving = process.argv.includes('--forgiving')
const root = fileURLToPath(new URL('../../../', import.meta.url))
try {
  await buildWebIfNeeded(root)
} catch (error) {
  process.stderr.write(`The web app could not be built:\n${error instanceof Error ? error.message : String(error)}\n`)
  if (!forgiving) process.exitCode = 1
}
