import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startEmbedded } from '../../server/src/db/embedded/start-embedded.ts'
import { makeTemplate } from '../../server/test/database.ts'
import { memoryFolder } from '../../server/test/memory.ts'
import { type Baseline, measureBaselines } from './baseline.ts'
import { folderOf, moduleOf } from './modules.ts'
import { lineOf, mutated, type Mutation, mutationsIn, textOf } from './mutations.ts'
import { namesOf } from './probes.ts'
import { inDrawnOrder, sampleOf } from './sample.ts'
import { makeWorkspace, read, trackedFiles, type Workspace } from './workspace.ts'

/** Runs `npm run mutants`: inserts one bug at a time and reports those that no test detects. See docs/mutants.md. */
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
/** Limit of the summed duration of the tests that run for one mutant, measured without a mutant. */
const TEST_BUDGET_MS = Number(values.patience) * 1000

const root = fileURLToPath(new URL('../../', import.meta.url))
const results = join(root, 'test-results')
const resultFile = join(results, `mutants-${values.seed}.json`)

interface Mutant extends Mutation {
  readonly module: string
  readonly file: string
  /** Name of the mutation in records of probes. It stays the same while the text of the mutated line does. */
  readonly name: string
}
interface Verdict {
  readonly name: string
  readonly module: string
  readonly place: string
  readonly kind: string
  readonly line: string
  /**
   * - `unreached`: no test ran code whose result the mutation would have changed.
   * - `inconclusive`: a test exceeded its time limit, as it does without the mutant.
   */
  readonly outcome: 'caught' | 'timeout' | 'survived' | 'unreached' | 'inconclusive'
  readonly by: string | null
}

const strata = Map.groupBy(allMutants(), ({ module }) => module)
const total = [...strata.values()].reduce((sum, { length }) => sum + length, 0)
const sample = sampleOf(strata, Number(values.count), values.seed, ({ name }) => name)
const previous = readResults()
const selected = values.place === undefined ? sample.filter(isSelected) : [...strata.values()].flat().filter(isAtPlace)
log(
  `Seed ${values.seed}: ${selected.length} mutants to test, from a sample of ${sample.length} out of ${total} in ${strata.size} modules.`,
)
if (values.list) {
  for (const each of selected) log(`${placeOf(each)} ${each.kind}\n    ${textOf(read(root, each.file), each)}`)
  process.exit(0)
}

const memory = memoryFolder()
if (memory !== null) process.env['TMPDIR'] ??= memory
const data = mkdtempSync(join(memory ?? results, 'trainyard-mutants-cluster-'))
const cluster = await startEmbedded(data, { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' })
await makeTemplate(cluster.superuserUrl)
const workspaces = Array.from({ length: Number(values.jobs) }, () => makeWorkspace(root, cluster.superuserUrl))
const verdicts: Verdict[] = []
let cleanedUp: Promise<void> | null = null
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void cleanUp().then(() => process.exit(1)))
try {
  const store = join(results, 'mutants-tests.json')
  const baselines = await measureBaselines(root, workspaces, { store, stale: values.stale, log })
  // The order is random, so that an interrupted run has tested a representative part of the sample.
  const queue = inDrawnOrder(selected, values.seed, ({ name }) => name)
  await Promise.all(
    workspaces.map(async (workspace) => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        verdicts.push(await testMutant(workspace, next, baselines))
        saveResults()
      }
    }),
  )
} finally {
  await cleanUp()
}
printSummary()
process.exit(0)

/** Cleans up once. After a signal, this makes the test runs in progress fail, which then call this function again. */
function cleanUp(): Promise<void> {
  return (cleanedUp ??= removeAll())
}

async function removeAll(): Promise<void> {
  for (const workspace of workspaces) workspace.remove()
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

function readResults(): Verdict[] {
  return existsSync(resultFile) ? (JSON.parse(readFileSync(resultFile, 'utf8')) as { judged: Verdict[] }).judged : []
}

function isSelected(mutant: Mutant): boolean {
  if (values['only-modules'] !== undefined && !values['only-modules'].split(',').includes(mutant.module)) return false
  const previousVerdict = previous.find(({ name }) => name === mutant.name)
  if (values.rest && previousVerdict !== undefined) return false
  return !values.survivors || (previousVerdict !== undefined && !isCaught(previousVerdict))
}

function isAtPlace(mutant: Mutant): boolean {
  return values.place?.some((each) => each === mutant.file || each === placeOf(mutant)) === true
}

function placeOf(mutant: Mutant): string {
  return `${mutant.file}:${lineOf(read(root, mutant.file), mutant)}`
}

function isCaught({ outcome }: Verdict): boolean {
  return outcome === 'caught' || outcome === 'timeout'
}

/**
 * Returns the tests, cheapest first. Tests next to the mutated file and in its module count as cheaper than measured.
 */
function testsFor(mutant: Mutant, baselines: readonly Baseline[]): { tests: string[]; ms: number } {
  const prefixes = [mutant.file.replace(/\.ts$/, '.test.ts'), `${dirname(mutant.file)}/`, folderOf(mutant.module), '']
  const costOf = ({ test, ms }: Baseline) =>
    ms! * [0.05, 0.2, 0.4, 1][prefixes.findIndex((each) => test.startsWith(each))]!
  const reachingBaselines = baselines.filter(({ ms, reached }) => ms !== null && reached.has(mutant.name))
  const tests: string[] = []
  let sum = 0
  for (const { test, ms } of reachingBaselines.toSorted((a, b) => costOf(a) - costOf(b))) {
    if (tests.length > 0 && sum + ms! > TEST_BUDGET_MS) continue
    tests.push(test)
    sum += ms!
  }
  return { tests, ms: sum }
}

async function testMutant(workspace: Workspace, mutant: Mutant, baselines: readonly Baseline[]): Promise<Verdict> {
  const source = read(root, mutant.file)
  const { name, module, kind } = mutant
  const description = { name, module, place: placeOf(mutant), kind, line: textOf(source, mutant) }
  const { tests, ms } = testsFor(mutant, baselines)
  const report = (outcome: Verdict['outcome'], by: string | null): Verdict => {
    log(
      `${verdicts.length + 1}/${selected.length} ${outcome} ${description.place} ${description.kind}${by === null ? '' : ` | ${by}`}`,
    )
    return { ...description, outcome, by }
  }
  if (tests.length === 0) return report('unreached', null)
  workspace.write(mutant.file, mutated(source, mutant))
  const outcome = await workspace.runTests(tests, 3 * ms + 60_000)
  workspace.write(mutant.file, source)
  if (outcome.end === 'passed') return report('survived', null)
  if (outcome.end === 'timeout') return report('timeout', null)
  if (!outcome.timedOut) return report('caught', outcome.by)
  const control = await workspace.runTests([outcome.by], 300_000)
  return report(control.end === 'passed' ? 'caught' : 'inconclusive', outcome.by)
}

function saveResults(): void {
  if (values.place !== undefined) return
  const latest = new Map([...previous, ...verdicts].map((each) => [each.name, each]))
  const current = sample.flatMap(({ name }) => latest.get(name) ?? [])
  const commit = execFileSync('git', ['describe', '--always', '--dirty'], { cwd: root, encoding: 'utf8' }).trim()
  mkdirSync(results, { recursive: true })
  writeFileSync(resultFile, JSON.stringify({ seed: values.seed, commit, judged: current }, null, 2))
}

function printSummary(): void {
  for (const each of verdicts.filter((verdict) => !isCaught(verdict))) {
    log(`${each.outcome}: ${each.place} ${each.kind}\n    ${each.line}`)
  }
  const all = values.place === undefined ? readResults() : verdicts
  if (all.length === 0) return
  const caught = all.filter(isCaught).length
  log(`Caught ${caught} of ${all.length}: ${((100 * caught) / all.length).toFixed(1)} %.`)
}

function log(line: string): void {
  process.stdout.write(`${line}\n`)
}
