import { sql } from 'kysely'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { conflict } from '@trainyard/platform/server/core/errors.ts'
import { GUIDE } from '../../contract/guide-words.ts'
import type { GuideTask } from '../format/schema.ts'
import { type Attempt, lockResult, lockRun, storeAttempts, updateResult } from './check.ts'
import { type OpenGuide, taskIn } from './own-run.ts'
import { publishIfComplete } from './completion.ts'
import { isFinished, resultsOf } from './view.ts'

/** @throws Problem conflict if the tasks that this one needs are not done */
export async function requireNeeds(db: Db, own: OpenGuide, task: string): Promise<void> {
  const results = await resultsOf(db, own)
  const open = (taskIn(own.guide, task).task.needs ?? []).filter((id) => !isFinished(results.get(id)?.state))
  if (open.length > 0) throw conflict(GUIDE.needs(open.map((id) => taskIn(own.guide, id).task.title)))
}

/** Returns a task whose solution can run. @throws Problem conflict */
export async function taskToSolve(db: Db, own: OpenGuide, id: string): Promise<GuideTask> {
  const { task } = taskIn(own.guide, id)
  if ((task.solve ?? []).length === 0) throw conflict(GUIDE.noSolution)
  await requireNeeds(db, own, id)
  if (isFinished((await resultsOf(db, own)).get(id)?.state)) throw conflict(GUIDE.isDone)
  return task
}

/** Stores the scripts of a solution that ran. Returns true if they solved the task. */
export async function storeSolve(tx: Tx, own: OpenGuide, task: string, attempts: readonly Attempt[]): Promise<boolean> {
  await lockRun(tx, own)
  await storeAttempts(tx, own, task, attempts)
  const isSolved = attempts.every(({ state }) => state === 'green')
  const result = await lockResult(tx, own, task)
  if (isSolved && !isFinished(result.state)) {
    await setState(tx, own, task, 'solved')
    await publishIfComplete(tx, own, task)
  }
  return isSolved
}

export const setState = (tx: Tx, own: OpenGuide, task: string, state: 'solved' | 'skipped') =>
  updateResult(tx, own, task, { state, changed_at: sql<Date>`portal_now()` })
