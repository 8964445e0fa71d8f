import { enableCompileCache } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { bundleOf } from './start/bundle.ts'

// The cache is enabled before any other code is loaded, so that all code is cached.
enableCompileCache()

/** Entry of every process. Runs the bundle of `npm run build`, or the source if it has changed since. */
const bundle = bundleOf(fileURLToPath(new URL('../../', import.meta.url)), 'server')
await (bundle === null ? import('./run.ts') : import(pathToFileURL(bundle).href))
