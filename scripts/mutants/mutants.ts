import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { moduleOf, testsOf } from './modules.ts'
import { lineOf, mutated, type Mutation, mutationsIn } from './mutations.ts'
import { sampleOf } from './sample.ts'
import { makeWorkplace, read, trackedFiles, type Workplace } from './workplace.ts'

/**
 * `npm run mutants -- --seed 1 --count 200 --jobs 2 [--module domain/port]`: plants one bug at a time, drawn by the
 * seed from each module by its size, and says which ones the module's tests let pass.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '200' },
    jobs: { type: 'string', default: '2' },
    module: { type: 'string' },
  },
})
const root = fileURLToPath(new URL('../../', import.meta.url))

interface Mutant extends Mutation {
  readonly module: string
  readonly file: string
}
interface Survivor {
  readonly module: string
  readonly place: string
  readonly kind: string
  readonly line: string
}

const strata = Map.groupBy(allMutants(), ({ module }) => module)
if (values.module !== undefined) for (const name of strata.keys()) if (name !== values.module) strata.delete(name)
const sample = sampleOf(strata, Number(values.count), Number(values.seed))
const total = [...strata.values()].reduce((sum, { length }) => sum + length, 0)
say(`Seed ${values.seed}: ${sample.length} of ${total} mutants in ${strata.size} modules.`)

const modules = [...Map.groupBy(sample, ({ module }) => module)]
const survivors: Survivor[] = []
let judged = 0
await Promise.all(Array.from({ length: Number(values.jobs) }, work))

const caught = sample.length - survivors.length
say(`Caught ${caught} of ${sample.length}: ${((100 * caught) / sample.length).toFixed(1)} %.`)
mkdirSync(join(root, 'test-results'), { recursive: true })
writeFileSync(
  join(root, `test-results/mutants-${values.seed}.json`),
  JSON.stringify({ seed: Number(values.seed), sample: sample.length, caught, survivors }, null, 2),
)
process.exit(0)

function allMutants(): Mutant[] {
  return trackedFiles(root).flatMap((file) => {
    const module = moduleOf(file)
    return module === null ? [] : mutationsIn(file, read(root, file)).map((mutation) => ({ ...mutation, module, file }))
  })
}

/** Takes one module after the other, until none is left. */
async function work(): Promise<void> {
  const place = makeWorkplace(root)
  try {
    for (let next = modules.shift(); next !== undefined; next = modules.shift()) await judgeModule(place, ...next)
  } finally {
    place.remove()
  }
}

/** The tests must pass without a mutant; the time they take then bounds the time with one. */
async function judgeModule(place: Workplace, module: string, mutants: readonly Mutant[]): Promise<void> {
  const began = Date.now()
  if ((await place.judge(testsOf(module), 600_000)) === 'caught')
    throw new Error(`The tests of ${module} fail as it is.`)
  const limit = 3 * (Date.now() - began) + 30_000
  for (const mutant of mutants) {
    const source = read(root, mutant.file)
    writeFileSync(join(place.folder, mutant.file), mutated(source, mutant))
    const outcome = await place.judge(testsOf(module), limit)
    writeFileSync(join(place.folder, mutant.file), source)
    judged += 1
    if (outcome === 'caught') continue
    const line = lineOf(source, mutant)
    const found = { module, place: `${mutant.file}:${line}`, kind: mutant.kind }
    survivors.push({ ...found, line: source.split('\n')[line - 1]?.trim() ?? '' })
    say(`${judged}/${sample.length} survived: ${found.place} ${found.kind}`)
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
