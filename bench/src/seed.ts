import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { seed } from './seed/fill.ts'
import { ENTRIES, FULL, MACHINES, RUNS, TENTH } from './seed/size.ts'

/** `npm run seed -w bench -- FOLDER [--tenth]`: a portal's data folder with as much in it as it must stay quick with. */
const { positionals, values } = parseArgs({ allowPositionals: true, options: { tenth: { type: 'boolean' } } })
const [folder] = positionals
if (folder === undefined) {
  console.error('Name the folder to fill: npm run seed -w bench -- /tmp/large [--tenth]')
  process.exit(1)
}
const size = values.tenth === true ? TENTH : FULL
const machines = size.busy * MACHINES
const count = (n: number) => n.toLocaleString('en')
const whole = `${size.organisations} organisations, ${count(machines)} machines, ${count(machines * RUNS)} runs`
console.log(`${whole}, ${count(size.busy * ENTRIES)} ledger entries:`)
const dataDir = resolve(process.env['INIT_CWD'] ?? '.', folder)
mkdirSync(dataDir, { recursive: true })
await seed(dataDir, size, console.log)
console.log(`They are in ${dataDir}. Start the API on them without a worker: TRAINYARD_DATA=${dataDir} npm run api`)
