import { type HandlersOf, prepared } from '@trainyard/platform/server/core/handler.ts'
import { conflict } from '@trainyard/platform/server/core/errors.ts'
import { machineOfClass } from '@trainyard/remote-access/server/scope.ts'
import { classChanged } from '@trainyard/trainings/server/machine-changes.ts'
import { classInScope, lockTrainingToPlan } from '@trainyard/trainings/server/scope.ts'
import { GUIDE, type TaskState } from '../../contract/guide-words.ts'
import { tasksOf } from '../format/schema.ts'
import { changeStep } from './class-steps.ts'
import { runChecks, storeChecks } from './check.ts'
import { publishCompletedByHiding } from './completion.ts'
import { guideOfLearner, taskIn } from './own-run.ts'
import { runSolve } from './prepare.ts'
import { resultsOfTraining } from './results.ts'
import type { ScriptDependencies } from './scripts.ts'
import { storeSolve, taskToSolve } from './solve.ts'
import { checksOf, isFinished, resultsOf } from './view.ts'

/** Calls of instructors about the work of their learners. */
export const classHandlers = (
  scripts: ScriptDependencies,
): Pick<HandlersOf<'guide'>, 'results' | 'changeStep' | 'check' | 'solve'> => ({
  async results(db, { actor, query }) {
    return resultsOfTraining(db, await classInScope(db, actor, query))
  },

  async changeStep(tx, { actor, body, auditChange }) {
    const training = await lockTrainingToPlan(tx, actor, body)
    const { guideId, title, before, after } = await changeStep(tx, training, body, actor.email)
    auditChange(before, after)
    await classChanged(tx, training.id)
    if (after.isHidden && !before.isHidden) await publishCompletedByHiding(tx, training.id, guideId)
    const message =
      after.isHidden !== before.isHidden || body.note === undefined
        ? (after.isHidden ? GUIDE.stepHidden : GUIDE.stepShown)(title)
        : (after.note === '' ? GUIDE.noteRemoved : GUIDE.noteSaved)(title)
    return { message }
  },

  check: prepared({
    async prepare(db, { actor, body }) {
      const own = await guideOfLearner(db, actor, body)
      const results = await resultsOf(db, own)
      const tried = tasksOf(own.guide).filter(({ id }) => {
        const result = results.get(id)
        return (
          result !== undefined &&
          result.state !== 'solved' &&
          result.state !== 'skipped' &&
          Object.keys(checksOf(result)).length > 0
        )
      })
      if (tried.length === 0) throw conflict(GUIDE.nothingTried(own.machine.email))
      await machineOfClass(db, actor, body.vmName)
      return runChecks(db, own, tried, { ...scripts, isClick: false })
    },
    async change(tx, { actor, body }, checked) {
      const own = await guideOfLearner(tx, actor, body)
      const states: TaskState[] = []
      for (const [task, results] of checked)
        states.push((await storeChecks(tx, own, taskIn(own.guide, task.id).task, results, 'instructor')).state)
      return { message: GUIDE.checkedAgain(own.machine.email, states.filter(isFinished).length, states.length) }
    },
  }),

  solve: prepared({
    async prepare(db, { actor, body }) {
      const own = await guideOfLearner(db, actor, body)
      const task = await taskToSolve(db, own, body.task)
      await machineOfClass(db, actor, body.vmName)
      return runSolve(db, own, task, scripts)
    },
    async change(tx, { actor, body }, attempts) {
      const own = await guideOfLearner(tx, actor, body)
      const isSolved = await storeSolve(tx, own, body.task, attempts)
      return { message: isSolved ? GUIDE.solvedFor(own.machine.email) : GUIDE.solveForFailed }
    },
  }),
})
