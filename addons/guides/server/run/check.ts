import { randomInt } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Db, Schema, Tx } from '@trainyard/platform/server/db/schema.ts'
import { sql, type UpdateObject } from 'kysely'
import { GUIDE } from '../../contract/guide-words.ts'
import { type GuideCheck, type GuideTask, TIMEOUTS } from '../format/schema.ts'
import { checkStateOf, decoyScript, isTimedOut, messageOf, withoutControls } from '../machine/outcome.ts'
import type { ScriptResult } from '../machine/script.ts'
import type { TaskResultRow } from '../../tables.gen.ts'
import { publishCompleted } from './completion.ts'
import { keyOf, type OpenGuide } from './own-run.ts'
import { type ScriptDependencies, type ScriptRunner, withMachine } from './scripts.ts'
import { type CheckResult, checksOf, earnedPoints } from './view.ts'

/** A script that ran. */
export interface Attempt {
  readonly script: string
  readonly state: 'green' | 'red' | 'broken'
  readonly message: string
  readonly result: ScriptResult
}

export interface Checked {
  readonly attempts: readonly Attempt[]
  /** A check that must be red was green. */
  readonly isSuspect: boolean
}

const DECOY = 'decoy'

/**
 * Returns true if the checks can use the connection of an earlier click. Scripts of the learner need a new login, because
 * a login keeps the groups that the account had when it began.
 */
const canShare = (tasks: readonly GuideTask[]): boolean =>
  tasks.every(({ checks }) => checks.every(({ as }) => as === 'root'))

/** Runs the checks of tasks, and between those of each a decoy. @throws Problem */
export function runChecks(
  db: Db,
  own: OpenGuide,
  tasks: readonly GuideTask[],
  { isClick, ...dependencies }: ScriptDependencies & { readonly isClick: boolean },
): Promise<ReadonlyMap<GuideTask, Checked>> {
  const files = tasks.flatMap(({ checks }) => checks.map(({ run }) => run))
  return withMachine(db, own, { ...dependencies, files, isClick, isKept: canShare(tasks) }, async (runner) => {
    const checked = new Map<GuideTask, Checked>()
    for (const task of tasks) checked.set(task, await checkTask(runner, task))
    return checked
  })
}

async function checkTask(runner: ScriptRunner, task: GuideTask): Promise<Checked> {
  const attempts: Attempt[] = []
  const decoyAt = randomInt(task.checks.length)
  for (const [index, check] of task.checks.entries()) {
    if (index === decoyAt) attempts.push(await runDecoy(runner, check))
    attempts.push(await runCheck(runner, check))
  }
  return { attempts, isSuspect: attempts.some(({ script, state }) => script === DECOY && state === 'green') }
}

async function runDecoy(runner: ScriptRunner, { as }: GuideCheck): Promise<Attempt> {
  const result = await runner.run({ text: decoyScript(), args: [], as, seconds: TIMEOUTS.check })
  return { script: DECOY, state: checkStateOf(result), message: '', result }
}

/** Runs a check, again as often as it wants while it is red. */
export async function runCheck(runner: ScriptRunner, check: GuideCheck): Promise<Attempt> {
  const text = runner.texts.get(check.run)!.toString('utf8')
  const { args = [], as, timeout: seconds = TIMEOUTS.check, retry } = check
  for (let retries = retry?.times ?? 0; ; retries -= 1) {
    const result = await runner.run({ text, args, as, seconds })
    const state = checkStateOf(result, check.exit)
    if (state !== 'red' || retries === 0 || runner.left() <= seconds)
      return { script: check.id, state, message: sentenceFor(state, check, result), result }
    await wait(retry!.every * 1_000)
  }
}

function sentenceFor(state: Attempt['state'], { message }: GuideCheck, result: ScriptResult): string {
  if (state === 'broken') return isTimedOut(result) ? GUIDE.timedOut : GUIDE.broken
  const said = messageOf(result)
  return state === 'green' ? said : said || message || GUIDE.red
}

/** Stores the scripts that ran. */
export async function storeAttempts(tx: Tx, { run }: OpenGuide, task: string, attempts: readonly Attempt[]) {
  if (attempts.length === 0) return
  await tx
    .insertInto('check_attempt')
    .values(
      attempts.map(({ script, state, message, result }) => ({
        ...keyOf(run),
        task,
        script,
        state,
        exit_status: result.status,
        message,
        error_output: withoutControls(result.errorOutput),
        milliseconds: result.milliseconds,
      })),
    )
    .execute()
}

/** Stores the results of the checks of a task. A task that was green stays green. */
export async function storeChecks(
  tx: Tx,
  own: OpenGuide,
  task: GuideTask,
  { attempts, isSuspect }: Checked,
  by: 'learner' | 'instructor',
): Promise<Pick<TaskResultRow, 'state' | 'points'>> {
  const { run } = own
  await lockRun(tx, own)
  await storeAttempts(tx, own, task.id, attempts)
  if (isSuspect)
    await tx
      .updateTable('guide_run')
      .set({ suspect_at: sql<Date>`coalesce(suspect_at, portal_now())` })
      .where('id', '=', run.id)
      .execute()
  const before = await lockResult(tx, own, task.id)
  const old = checksOf(before)
  const checks: Record<string, CheckResult> = {}
  for (const { script, state, message } of attempts)
    if (script !== DECOY)
      checks[script] = { state, message, earned: state === 'green' || (old[script]?.earned ?? false) }
  const states = new Set(Object.values(checks).map(({ state }) => state))
  const now = states.has('broken') ? 'broken' : states.has('red') ? 'red' : 'green'
  const state = before.state === 'green' || before.state === 'solved' ? before.state : now
  const points = before.solve_asked_at === null ? Math.max(before.points, earnedPoints(task, checks, before.hints)) : 0
  await updateResult(tx, own, task.id, {
    state,
    points,
    checks: JSON.stringify(checks),
    reds: before.reds + (now === 'red' && by === 'learner' ? 1 : 0),
    ...(state === before.state && by === 'instructor' ? {} : { changed_at: sql<Date>`portal_now()` }),
  })
  if (state === 'green' && before.state !== 'green') await publishCompleted(tx, own, task.id, points)
  return { state, points }
}

/** Locks the result of a task, which is inserted if it does not exist. */
export async function lockResult(tx: Tx, { run }: OpenGuide, task: string): Promise<TaskResultRow> {
  return tx
    .insertInto('task_result')
    .values({ ...keyOf(run), task, state: 'open' })
    .onConflict((on) => on.columns(['run_id', 'task']).doUpdateSet({ task }))
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Locks the work of a learner: of two tasks that end at once, the second must see the first as done. */
export const lockRun = (tx: Tx, { run }: OpenGuide) =>
  tx.selectFrom('guide_run').select('id').where('id', '=', run.id).forUpdate().execute()

export const updateResult = (tx: Tx, { run }: OpenGuide, task: string, values: UpdateObject<Schema, 'task_result'>) =>
  tx.updateTable('task_result').set(values).where('run_id', '=', run.id).where('task', '=', task).execute()

/** Stores that the learner asked for the solution of a task, which then gives no points. */
export async function storeSolveAsked(tx: Tx, own: OpenGuide, task: string): Promise<void> {
  await lockResult(tx, own, task)
  await updateResult(tx, own, task, { points: 0, solve_asked_at: sql<Date>`coalesce(solve_asked_at, portal_now())` })
}

/** Deletes scripts that ran more than 30 days ago. */
export async function deleteOldAttempts(tx: Tx): Promise<void> {
  await tx
    .deleteFrom('check_attempt')
    .where('ran_at', '<', sql<Date>`portal_now() - '30 days'::interval`)
    .execute()
}
