import type { FaultKind } from '../../contract/proof-words.ts'
import { PROOF } from '../../contract/proof-words.ts'
import type { Guide, GuideCheck, GuideScript } from '../format/schema.ts'
import { TIMEOUTS } from '../format/schema.ts'
import { isTimedOut, messageOf, withoutControls } from '../machine/outcome.ts'
import type { ScriptResult } from '../machine/script.ts'
import { type Attempt, runCheck } from '../run/check.ts'
import { runAll, runCopy } from '../run/prepare.ts'
import type { ScriptRunner } from '../run/scripts.ts'
import type { Part, PlacedTask, ProofPlan } from './parts.ts'

export interface Fault {
  readonly kind: FaultKind
  readonly step: string
  readonly task: string
  readonly script: string
  readonly exit_status: number | null
  readonly message: string
  readonly error_output: string
}

export interface PartResult {
  readonly faults: readonly Fault[]
  /** False: what follows would say nothing about the guide. */
  readonly goesOn: boolean
  /** Versions of the machine's packages, by name, after the setup of the guide; null if they are not known. */
  readonly packages?: Readonly<Record<string, string>> | null
}

/** Findings of earlier parts. */
type Found = readonly Pick<Fault, 'kind' | 'task' | 'script'>[]

type Place = Pick<Fault, 'step' | 'task' | 'script'>

const faultOf = (kind: FaultKind, place: Place, attempt: Attempt | null, message = ''): Fault => ({
  kind,
  ...place,
  exit_status: attempt?.result.status ?? null,
  message: message || (attempt === null ? '' : sentenceOf(attempt)),
  error_output: attempt === null ? '' : withoutControls(attempt.result.errorOutput),
})

/** Returns the message for the author. That of a broken check is for learners. */
const sentenceOf = ({ state, message, result }: Attempt): string =>
  isTimedOut(result) ? PROOF.timedOut : state === 'broken' ? messageOf(result) : message

/** Runs the scripts of a part. */
export function runPart(
  runner: ScriptRunner,
  guide: Guide,
  plan: ProofPlan,
  part: Part,
  found: Found,
): Promise<PartResult> {
  switch (part.kind) {
    case 'setup':
      return runGuideSetup(runner, guide)
    case 'sweep':
      return goesOn(runSweep(runner, plan))
    case 'step':
      return runTwice(part.step.id, () =>
        runScripts(runner, part.step.setup ?? [], { name: 'setup', seconds: TIMEOUTS.stepSetup }),
      )
    case 'task':
      return goesOn(runTask(runner, plan, part))
    case 'end':
      return goesOn(runLast(runner, plan, found, 'lost-at-end'))
    case 'restarted':
      return goesOn(waitForServices(runner).then(() => runLast(runner, plan, found, 'lost-at-restart')))
    case 'restart':
      return goesOn(Promise.resolve([]))
  }
}

const goesOn = async (faults: Promise<readonly Fault[]>): Promise<PartResult> => ({
  faults: await faults,
  goesOn: true,
})

/** Waits until the services of a started machine run, at most a minute. Its SSH server answers before. */
async function waitForServices(runner: ScriptRunner): Promise<void> {
  const text = '#!/bin/sh\ncommand -v systemctl > /dev/null || exit 0\nsystemctl is-system-running --wait\nexit 0\n'
  await runner.run({ text, args: [], as: 'learner', seconds: 60 })
}

interface Failed {
  readonly attempt: Attempt
  /** File of the script. */
  readonly script: string
}

/** Runs scripts until one fails, which is returned; null: all succeeded. */
async function runScripts(
  runner: ScriptRunner,
  scripts: readonly GuideScript[],
  by: { readonly name: string; readonly seconds: number },
): Promise<Failed | null> {
  const attempts = await runAll(runner, scripts, by)
  const last = attempts.at(-1)
  return last === undefined || last.state === 'green'
    ? null
    : { attempt: last, script: scripts[attempts.length - 1]!.run }
}

async function runTwice(step: string, run: () => Promise<Failed | null>): Promise<PartResult> {
  const first = await run()
  if (first !== null)
    return { faults: [faultOf('setup-failed', { step, task: '', script: first.script }, first.attempt)], goesOn: false }
  const second = await run()
  const faults =
    second === null
      ? []
      : [faultOf('setup-not-repeatable', { step, task: '', script: second.script }, second.attempt, PROOF.again)]
  return { faults, goesOn: true }
}

async function runGuideSetup(runner: ScriptRunner, { setup = [], files = [] }: Guide): Promise<PartResult> {
  await waitForServices(runner)
  const result = await runTwice('', async () => {
    for (const copy of files) {
      const attempt = await runCopy(runner, copy)
      if (attempt.state !== 'green') return { attempt, script: copy.from }
    }
    return runScripts(runner, setup, { name: 'setup', seconds: TIMEOUTS.setup })
  })
  return result.goesOn ? { ...result, packages: await listPackages(runner) } : result
}

const LIST_PACKAGES = `#!/bin/sh
dpkg-query -W -f '\${db:Status-Abbrev} \${Package} \${Version}\\n' 2> /dev/null ||
  rpm -qa --qf 'ii  %{NAME} %{VERSION}-%{RELEASE}\\n' 2> /dev/null
`
/** About 10,000 packages. */
const PACKAGES_BYTES = 512 * 1024

/** Lists the packages of the machine, because a newer one may be the cause of a fault. */
async function listPackages(runner: ScriptRunner): Promise<PartResult['packages']> {
  const list = { text: LIST_PACKAGES, as: 'learner', outputMax: PACKAGES_BYTES } as const
  return packagesOf(await runner.run({ ...list, args: [], seconds: Math.min(60, runner.left()) }))
}

/** Returns the versions of the installed packages, by name; null if the list failed or was cut. */
function packagesOf({ status, output }: Pick<ScriptResult, 'status' | 'output'>): PartResult['packages'] {
  if (status !== 0 || Buffer.byteLength(output) >= PACKAGES_BYTES) return null
  const found = [...output.matchAll(/^ii +([\w.+:-]+) ([\w.+:~^-]+)$/gm)]
  // A package can be installed in several versions, such as a kernel, and for several processors.
  const byName = Map.groupBy(found, ([, name]) => name!)
  const versions = (all: typeof found) => [...new Set(all.map(([, , version]) => version!))].toSorted().join(', ')
  return byName.size === 0 ? null : Object.fromEntries([...byName].map(([name, all]) => [name, versions(all)]))
}

/** Goals that nothing prepares must be red on the fresh machine. */
async function runSweep(runner: ScriptRunner, { tasks }: ProofPlan): Promise<Fault[]> {
  const fresh = tasks.filter(({ step, task }) => (step.setup ?? []).length === 0 && (task.needs ?? []).length === 0)
  const faults: Fault[] = []
  for (const placed of fresh)
    for (const check of placed.task.checks.filter(({ kind }) => kind === 'goal'))
      faults.push(...(await checkBefore(runner, placed, check)))
  return faults
}

const placeOf = ({ step, task }: PlacedTask, script: string): Place => ({ step: step.id, task: task.id, script })

/** Before the solution, a goal is red and a guard is green. */
async function checkBefore(runner: ScriptRunner, placed: PlacedTask, check: GuideCheck): Promise<Fault[]> {
  // A red check is what is expected, so it is not repeated.
  const attempt = await runCheck(runner, check.kind === 'goal' ? { ...check, retry: undefined } : check)
  const at = placeOf(placed, check.id)
  if (attempt.state === 'broken') return [faultOf('broken', at, attempt)]
  if (check.kind === 'goal') return attempt.state === 'green' ? [faultOf('never-red', at, attempt)] : []
  return attempt.state === 'red' ? [faultOf('guard-red', at, attempt)] : []
}

async function runTask(runner: ScriptRunner, { tasks, unsolved }: ProofPlan, placed: PlacedTask): Promise<Fault[]> {
  const { task } = placed
  const needed = tasks.filter(({ task: { id } }) => task.needs?.includes(id) === true && unsolved.has(id))
  if (needed.length > 0)
    return [faultOf('no-solve', placeOf(placed, ''), null, PROOF.needs(needed.map((each) => each.task.title)))]
  const faults: Fault[] = []
  for (const check of task.checks) faults.push(...(await checkBefore(runner, placed, check)))
  if (unsolved.has(task.id)) return [...faults, faultOf('no-solve', placeOf(placed, ''), null, PROOF.noSolve)]
  const solve = () => runScripts(runner, task.solve ?? [], { name: 'solve', seconds: TIMEOUTS.solve })
  const failed = await solve()
  if (failed !== null) return [...faults, faultOf('solve-failed', placeOf(placed, failed.script), failed.attempt)]
  const attempts: Attempt[] = []
  for (const check of [...task.checks, ...task.checks]) attempts.push(await runCheck(runner, check))
  for (const [index, check] of task.checks.entries())
    faults.push(...afterSolve(placeOf(placed, check.id), attempts[index]!, attempts[index + task.checks.length]!))
  const again = await solve()
  if (again !== null) faults.push(faultOf('solve-failed', placeOf(placed, again.script), again.attempt, PROOF.again))
  return faults
}

function afterSolve(at: Place, first: Attempt, second: Attempt): Fault[] {
  const broken = [first, second].find(({ state }) => state === 'broken')
  if (broken !== undefined) return [faultOf('broken', at, broken)]
  if (first.state === second.state) return first.state === 'green' ? [] : [faultOf('not-green', at, first)]
  return [faultOf('flaky', at, first.state === 'red' ? first : second)]
}

/** Faults after which a check has no state that it could lose. */
const UNSTABLE: ReadonlySet<FaultKind> = new Set(['broken', 'not-green', 'flaky', 'lost-at-end'])

/** Checks that were green after their solution must still be green. */
async function runLast(
  runner: ScriptRunner,
  { tasks, unsolved }: ProofPlan,
  found: Found,
  kind: 'lost-at-end' | 'lost-at-restart',
): Promise<Fault[]> {
  const failed = new Set(found.filter((fault) => fault.kind === 'solve-failed').map(({ task }) => task))
  const faults: Fault[] = []
  for (const placed of tasks.filter(({ task }) => !unsolved.has(task.id) && !failed.has(task.id)))
    for (const check of placed.task.checks) {
      const { id: task } = placed.task
      if (kind === 'lost-at-restart' && !check.after_reboot) continue
      if (found.some((fault) => fault.task === task && fault.script === check.id && UNSTABLE.has(fault.kind))) continue
      const attempt = await runCheck(runner, check)
      const at = placeOf(placed, check.id)
      if (attempt.state === 'broken') faults.push(faultOf('broken', at, attempt))
      else if (attempt.state === 'red') faults.push(faultOf(kind, at, attempt))
    }
  return faults
}
