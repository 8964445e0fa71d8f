import { fileURLToPath } from 'node:url'
import { supervise } from './supervise.ts'
import { answering, until } from './test-run.ts'

/**
 * Supervises two fake child processes. Usage: `node test-supervisor.ts DATA_FOLDER PORT PORT [MANNER]`
 *
 * - `never-ends`: the second process ignores signals.
 * - `never-up`: the processes are never reported as up.
 * - `own-server`: the embedded PostgreSQL is not started.
 *
 * The printed "waits" means that the first process has not answered before the supervisor let it start.
 */
const [dataDir = '', ...rest] = process.argv.slice(2)
const [first = '', second = '', manner = ''] = rest
const script = fileURLToPath(new URL('test-part.ts', import.meta.url))
let looks = 0
process.exitCode = await supervise({
  dataDir,
  embedded: manner !== 'own-server',
  ports: [
    { setting: 'PORT', host: '127.0.0.1', port: Number(first) },
    { setting: 'EMULATOR_PORT', host: '127.0.0.1', port: Number(second) },
  ],
  async prepare({ logMessage }) {
    await until('the second part answers', () => answering(Number(second)))
    logMessage(`The first part ${(await answering(Number(first))) === false ? 'waits' : 'did not wait'}.`)
  },
  parts: [
    { name: 'first', script: [script, first], waits: true },
    { name: 'second', script: [script, second, manner] },
  ],
  isUp: async () => ++looks > 2 && manner !== 'never-up',
  ready: () => [`Looked ${looks} times.`, 'Ready.'],
})
process.exit()
