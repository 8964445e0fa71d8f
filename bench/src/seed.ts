import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { seed } from './seed/fill.ts'
import { ENTRIES, MACHINES, RUNS, sizeNamed, tenthOf } from './seed/size.ts'

/** Fills a data folder for a portal: `npm run seed -w bench -- FOLDER [--size NAME] [--tenth]`. */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { size: { type: 'string', default: 'full' }, tenth: { type: 'boolean', default: false } },
})
const [folder] = positionals
if (folder === undefined) {
  console.error('Specify the folder to fill: npm run seed -w bench -- /tmp/large [--size million] [--tenth]')
  process.exit(1)
}
const fullSize = sizeNamed(values.size)
const size = values.tenth ? tenthOf(fullSize) : fullSize
const machines = size.busy * MACHINES
const count = (n: number) => n.toLocaleString('en')
const summary = `${size.organisations} organisations, ${count(machines)} machines, ${count(machines * RUNS)} runs`
console.log(`${summary}, ${count(size.busy * ENTRIES)} ledger entries:`)
const dataDir = resolve(process.env['INIT_CWD'] ?? '.', folder)
mkdirSync(dataDir, { recursive: true })
await seed(dataDir, size, console.log)
console.log(`The data is in ${dataDir}. Start an API on it without a worker: TRAINYARD_DATA=${dataDir} npm run api`)
