import { sql } from 'kysely'
import type { SecondFactorRule } from '@trainyard/platform/contract/words/sign-in.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { conflict, Problem } from '@trainyard/platform/server/core/errors.ts'
import { type HandlersOf, prepared } from '@trainyard/platform/server/core/handler.ts'
import { type MachineChanges, mayWatch } from '@trainyard/machines/server/watch.ts'
import { machineToList } from '@trainyard/remote-access/server/scope.ts'
import { GUIDE } from '../../contract/guide-words.ts'
import { isCorrect } from './answer.ts'
import { type Checked, lockResult, lockRun, runChecks, storeAttempts, storeChecks, updateResult } from './check.ts'
import { requireNeeds, setState, storeSolve, taskToSolve } from './solve.ts'
import { existingGuide, keyOf, openGuide, ownGuide, startRun, taskIn } from './own-run.ts'
import { NOTHING_TO_PREPARE, type Prepared, runSetups, runSolve } from './prepare.ts'
import type { ScriptDependencies } from './scripts.ts'
import { checksOf, earnedPoints, isFinished, viewOf } from './view.ts'
import { watchSteps } from './watch-steps.ts'

/** Returns the reply after a change. */
const changed = async (tx: Tx, actor: Actor, vmName: string, message: string) => ({
  message,
  run: await viewOf(tx, await openGuide(tx, actor, vmName)),
})

interface Watching {
  readonly changes: MachineChanges
  readonly secondFactor: SecondFactorRule
}

export const guideRunHandlers = (
  scripts: ScriptDependencies,
  { changes, secondFactor }: Watching,
): HandlersOf<'guideRun'> => ({
  async show(db, { actor, query }) {
    const own = await ownGuide(db, actor, query.vmName).catch((error: unknown) => {
      // The page of a machine asks for its guide before it knows whether the learner may use the machine now.
      if (error instanceof Problem && error.code === 'closed') return null
      throw error
    })
    return { run: own === null ? null : await viewOf(db, own) }
  },

  async watch(db, { actor, query, sessionHash }, { send, closed }) {
    const own = await existingGuide(db, actor, query.vmName)
    await watchSteps(db, changes, own.machine.training_id, {
      actor,
      closed,
      send,
      isStillAllowed: async () => sessionHash !== null && mayWatch(db, sessionHash, actor.role, secondFactor),
    })
  },

  open: prepared({
    async prepare(db, { actor, body: { vmName, step } }): Promise<Prepared & { step: string; problem: string | null }> {
      const own = await existingGuide(db, actor, vmName)
      if (own.run === null) await db.transaction().execute((tx) => startRun(tx, own))
      const opened = await openGuide(db, actor, vmName)
      const to = step ?? opened.step
      if (!opened.guide.steps.some(({ id }) => id === to)) throw conflict(GUIDE.noStep)
      try {
        await machineToList(db, actor, vmName)
        return { ...(await runSetups(db, opened, to, scripts)), step: to, problem: null }
      } catch (error) {
        // The text of the step can be read while its machine cannot be reached.
        if (!(error instanceof Problem)) throw error
        return { ...NOTHING_TO_PREPARE, step: to, problem: error.message }
      }
    },
    async change(tx, { actor, body: { vmName } }, { step, attempts, isComplete, problem }) {
      const own = await openGuide(tx, actor, vmName)
      await storeAttempts(tx, own, '', attempts)
      await tx.updateTable('guide_run').set({ step }).where('id', '=', own.run.id).execute()
      return changed(tx, actor, vmName, problem ?? (isComplete ? '' : GUIDE.setupFailed))
    },
  }),

  async chooseLanguage(tx, { actor, body: { vmName, language } }) {
    const own = await existingGuide(tx, actor, vmName)
    if (!own.languages.includes(language)) throw conflict(GUIDE.noLanguage)
    await tx
      .insertInto('guide_language')
      .values({ user_id: actor.id, language })
      .onConflict((on) => on.column('user_id').doUpdateSet({ language }))
      .execute()
    return { message: '', run: await viewOf(tx, await existingGuide(tx, actor, vmName)) }
  },

  check: prepared({
    async prepare(db, { actor, body: { vmName, task: id } }): Promise<Checked> {
      const own = await openGuide(db, actor, vmName)
      const { task } = taskIn(own.guide, id)
      await requireNeeds(db, own, id)
      await machineToList(db, actor, vmName)
      return (await runChecks(db, own, [task], { ...scripts, isClick: true })).get(task)!
    },
    async change(tx, { actor, body: { vmName, task: id } }, checked) {
      const own = await openGuide(tx, actor, vmName)
      const { state, points } = await storeChecks(tx, own, taskIn(own.guide, id).task, checked, 'learner')
      const message = state === 'green' ? GUIDE.green(points) : state === 'broken' ? GUIDE.broken : GUIDE.red
      return changed(tx, actor, vmName, message)
    },
  }),

  async hint(tx, { actor, body: { vmName, task: id } }) {
    const own = await openGuide(tx, actor, vmName)
    const { task } = taskIn(own.guide, id)
    const result = await lockResult(tx, own, id)
    if (isFinished(result.state)) throw conflict(GUIDE.isDone)
    if (result.hints >= (task.hints ?? []).length) throw conflict(GUIDE.noMoreHints)
    const hints = result.hints + 1
    const points = result.solve_asked_at === null ? earnedPoints(task, checksOf(result), hints) : 0
    await updateResult(tx, own, id, { hints, points })
    return changed(tx, actor, vmName, '')
  },

  solve: prepared({
    async prepare(db, { actor, body: { vmName, task: id } }) {
      const own = await openGuide(db, actor, vmName)
      const task = await taskToSolve(db, own, id)
      await machineToList(db, actor, vmName)
      return runSolve(db, own, task, scripts)
    },
    async change(tx, { actor, body: { vmName, task: id } }, attempts) {
      const isSolved = await storeSolve(tx, await openGuide(tx, actor, vmName), id, attempts)
      return changed(tx, actor, vmName, isSolved ? GUIDE.solved : GUIDE.solveFailed)
    },
  }),

  async skip(tx, { actor, body: { vmName, task: id } }) {
    const own = await openGuide(tx, actor, vmName)
    taskIn(own.guide, id)
    const result = await lockResult(tx, own, id)
    if (isFinished(result.state)) throw conflict(GUIDE.isDone)
    await setState(tx, own, id, 'skipped')
    return changed(tx, actor, vmName, GUIDE.skipped)
  },

  async answer(tx, { actor, body: { vmName, question: id, answer } }) {
    const own = await openGuide(tx, actor, vmName)
    const question = own.guide.steps.flatMap(({ questions = [] }) => questions).find((each) => each.id === id)
    if (question === undefined) throw conflict(GUIDE.noQuestion)
    await lockRun(tx, own)
    const before = await tx
      .selectFrom('question_answer')
      .selectAll()
      .where('run_id', '=', own.run.id)
      .where('question', '=', id)
      .executeTakeFirst()
    if (before?.correct === true) throw conflict(GUIDE.isAnswered)
    const attempts = (before?.attempts ?? 0) + 1
    if (question.attempts !== undefined && attempts > question.attempts) throw conflict(GUIDE.noMoreAttempts)
    const correct = isCorrect(question, answer)
    const points = correct ? question.points : 0
    const values = { attempts, correct, points, answered_at: sql<Date>`portal_now()` }
    await tx
      .insertInto('question_answer')
      .values({ ...keyOf(own.run), question: id, ...values })
      .onConflict((on) => on.columns(['run_id', 'question']).doUpdateSet(values))
      .execute()
    return changed(tx, actor, vmName, correct ? GUIDE.correct(points) : GUIDE.wrong)
  },
})
