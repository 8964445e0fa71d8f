import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startEmbedded } from '../../server/src/db/embedded/start-embedded.ts'
import { makeTemplate } from '../../server/test/database.ts'
import { memoryFolder } from '../../server/test/memory.ts'
import { folderOf, moduleOf } from './modules.ts'
import { lineOf, mutated, type Mutation, mutationsIn, textOf } from './mutations.ts'
import { namesOf } from './probes.ts'
import { inDrawnOrder, sampleOf } from './sample.ts'
import { type Known, scout } from './scout.ts'
import { makeWorkplace, read, trackedFiles, type Workplace } from './workplace.ts'

/** `npm run mutants`: plants one bug at a time and says which ones no test notices. See docs/mutants.md. */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '200' },
    jobs: { type: 'string', default: '2' },
    'only-modules': { type: 'string' },
    place: { type: 'string', multiple: true },
    list: { type: 'boolean', default: false },
    patience: { type: 'string', default: '120' },
    survivors: { type: 'boolean', default: false },
    rest: { type: 'boolean', default: false },
    stale: { type: 'boolean', default: false },
  },
})
/** The tests of a mutant take no longer than this together when nothing is planted. */
const LONGEST_MS = Number(values.patience) * 1000

const root = fileURLToPath(new URL('../../', import.meta.url))
const results = join(root, 'test-results')
const resultFile = join(results, `mutants-${values.seed}.json`)

interface Mutant extends Mutation {
  readonly module: string
  readonly file: string
  /** As a probe tells it: the same as long as its own line is. */
  readonly name: string
}
interface Judged {
  readonly name: string
  readonly module: string
  /** `file:line` */
  readonly place: string
  readonly kind: string
  readonly line: string
  /** `unreached`: no test ran anything that it would have changed. `unclear`: only a time limit broke, in a test that also
   * breaks it with nothing planted. Only `caught` and `late` count as caught. */
  readonly outcome: 'caught' | 'late' | 'survived' | 'unreached' | 'unclear'
  /** The test file that caught it. */
  readonly by: string | null
}

const strata = Map.groupBy(allMutants(), ({ module }) => module)
const total = [...strata.values()].reduce((sum, { length }) => sum + length, 0)
const sample = sampleOf(strata, Number(values.count), values.seed, ({ name }) => name)
const before = earlier()
const wanted = values.place === undefined ? sample.filter(isWanted) : [...strata.values()].flat().filter(isPlace)
say(
  `Seed ${values.seed}: ${wanted.length} to judge, of ${sample.length} drawn from ${total} in ${strata.size} modules.`,
)
if (values.list) {
  for (const each of wanted) say(`${placeOf(each)} ${each.kind}\n    ${textOf(read(root, each.file), each)}`)
  process.exit(0)
}

const memory = memoryFolder()
if (memory !== null) process.env['TMPDIR'] ??= memory
const data = mkdtempSync(join(memory ?? results, 'trainyard-mutants-cluster-'))
const cluster = await startEmbedded(data, { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' })
await makeTemplate(cluster.superuserUrl)
const places = Array.from({ length: Number(values.jobs) }, () => makeWorkplace(root, cluster.superuserUrl))
const judged: Judged[] = []
let cleared: Promise<void> | null = null
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void clearAway().then(() => process.exit(1)))
try {
  const store = join(results, 'mutants-tests.json')
  const known = await scout(root, places, { store, stale: values.stale, say })
  // Mixed, so that what a run that is ended early has judged is a fair sample too.
  const queue = inDrawnOrder(wanted, values.seed, ({ name }) => name)
  await Promise.all(
    places.map(async (place) => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        judged.push(await judge(place, next, known))
        keep()
      }
    }),
  )
} finally {
  await clearAway()
}
summary()
process.exit(0)

/** Once, whichever asks first: the end, or a signal, upon which the runs under way fail and end it too. */
function clearAway(): Promise<void> {
  return (cleared ??= removeAll())
}

async function removeAll(): Promise<void> {
  for (const place of places) place.remove()
  await cluster.stop()
  rmSync(data, { recursive: true, force: true })
}

function allMutants(): Mutant[] {
  return trackedFiles(root).flatMap((file) => {
    const module = moduleOf(file)
    if (module === null) return []
    const source = read(root, file)
    const mutations = mutationsIn(file, source)
    const names = namesOf(file, source, mutations)
    return mutations.map((mutation, index) => ({ ...mutation, module, file, name: names[index]! }))
  })
}

function earlier(): Judged[] {
  return existsSync(resultFile) ? (JSON.parse(readFileSync(resultFile, 'utf8')) as { judged: Judged[] }).judged : []
}

function isWanted(mutant: Mutant): boolean {
  if (values['only-modules'] !== undefined && !values['only-modules'].split(',').includes(mutant.module)) return false
  const known = before.find(({ name }) => name === mutant.name)
  if (values.rest && known !== undefined) return false
  return !values.survivors || (known !== undefined && !isCaught(known))
}

/** A place is a line of a file, or a whole file. */
function isPlace(mutant: Mutant): boolean {
  return values.place?.some((each) => each === mutant.file || each === placeOf(mutant)) === true
}

function placeOf(mutant: Mutant): string {
  return `${mutant.file}:${lineOf(read(root, mutant.file), mutant)}`
}

function isCaught({ outcome }: Judged): boolean {
  return outcome === 'caught' || outcome === 'late'
}

/**
 * Returns the tests that could notice the mutant: the quick first, where those of its own file count as very quick, and
 * the others beside it and in its module as quicker than they are.
 */
function testsFor(mutant: Mutant, known: readonly Known[]): { tests: string[]; ms: number } {
  const near = [mutant.file.replace(/\.ts$/, '.test.ts'), `${dirname(mutant.file)}/`, folderOf(mutant.module), '']
  const costOf = ({ test, ms }: Known) => ms! * [0.05, 0.2, 0.4, 1][near.findIndex((each) => test.startsWith(each))]!
  const reaching = known.filter(({ ms, reached }) => ms !== null && reached.has(mutant.name))
  const tests: string[] = []
  let sum = 0
  for (const { test, ms } of reaching.toSorted((a, b) => costOf(a) - costOf(b))) {
    if (tests.length > 0 && sum + ms! > LONGEST_MS) continue
    tests.push(test)
    sum += ms!
  }
  return { tests, ms: sum }
}

async function judge(place: Workplace, mutant: Mutant, known: readonly Known[]): Promise<Judged> {
  const source = read(root, mutant.file)
  const { name, module, kind } = mutant
  const said = { name, module, place: placeOf(mutant), kind, line: textOf(source, mutant) }
  const { tests, ms } = testsFor(mutant, known)
  const tell = (outcome: Judged['outcome'], by: string | null): Judged => {
    say(`${judged.length + 1}/${wanted.length} ${outcome} ${said.place} ${said.kind}${by === null ? '' : ` | ${by}`}`)
    return { ...said, outcome, by }
  }
  if (tests.length === 0) return tell('unreached', null)
  place.write(mutant.file, mutated(source, mutant))
  const outcome = await place.judge(tests, 3 * ms + 60_000)
  place.write(mutant.file, source)
  if (outcome.end === 'passed') return tell('survived', null)
  if (outcome.end === 'late') return tell('late', null)
  if (!outcome.timedOut) return tell('caught', outcome.by)
  const control = await place.judge([outcome.by], 300_000)
  return tell(control.end === 'passed' ? 'caught' : 'unclear', outcome.by)
}

/** Writes all that is known of this seed's sample. */
function keep(): void {
  if (values.place !== undefined) return
  const latest = new Map([...before, ...judged].map((each) => [each.name, each]))
  const current = sample.flatMap(({ name }) => latest.get(name) ?? [])
  const commit = execFileSync('git', ['describe', '--always', '--dirty'], { cwd: root, encoding: 'utf8' }).trim()
  mkdirSync(results, { recursive: true })
  writeFileSync(resultFile, JSON.stringify({ seed: values.seed, commit, judged: current }, null, 2))
}

function summary(): void {
  for (const each of judged.filter((one) => !isCaught(one))) {
    say(`${each.outcome}: ${each.place} ${each.kind}\n    ${each.line}`)
  }
  const all = values.place === undefined ? earlier() : judged
  if (all.length === 0) return
  const caught = all.filter(isCaught).length
  say(`Caught ${caught} of ${all.length}: ${((100 * caught) / all.length).toFixed(1)} %.`)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
