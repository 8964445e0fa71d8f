import { fileURLToPath } from 'node:url'
import { supervise } from './supervise.ts'

/** Runs the supervisor with stand-in parts: `node test-supervisor.ts DATA_FOLDER PORT PORT [never-ends]`. */
const [dataDir = '', ...rest] = process.argv.slice(2)
const [first = '', second = '', manner = ''] = rest
const script = fileURLToPath(new URL('test-part.ts', import.meta.url))
process.exitCode = await supervise({
  dataDir,
  embedded: true,
  ports: [
    { setting: 'PORT', host: '127.0.0.1', port: Number(first) },
    { setting: 'EMULATOR_PORT', host: '127.0.0.1', port: Number(second) },
  ],
  prepare: async () => undefined,
  parts: [
    { name: 'first', script: [script, first] },
    { name: 'second', script: [script, second, manner] },
  ],
  ready: () => ['Ready.'],
})
process.exit()
