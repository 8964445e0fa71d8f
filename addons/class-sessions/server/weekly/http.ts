import { sql } from 'kysely'
import type { HandlersOf } from '@trainyard/platform/server/core/handler.ts'
import { notFound } from '@trainyard/platform/server/core/errors.ts'
import { classInScope, lockTrainingToPlan } from '@trainyard/trainings/server/scope.ts'
import { windowOf } from '@trainyard/trainings/server/window.ts'
import { conflictsOf } from './conflicts.ts'
import { runView, weeklyOf } from './list.ts'
import { planWeekly, upcomingRuns } from './plan.ts'
import { SHOWN_RUNS } from './queries.ts'

export const recurrenceHandlers: HandlersOf<'recurrence'> = {
  async list(db, { actor, query }) {
    const { id } = await classInScope(db, actor, query)
    const { timeZone } = await windowOf(db, id)
    const { ends_on } = await db.selectFrom('training').select('ends_on').where('id', '=', id).executeTakeFirstOrThrow()
    return { timeZone, endsOn: ends_on, weekly: await weeklyOf(db, id) }
  },

  async preview(db, { actor, query }) {
    const { id } = await classInScope(db, actor, query)
    const { action, time } = query
    const rule = { ...query, weekdays: query.weekdays.split(',').map(Number) }
    const { timeZone, runs } = await upcomingRuns(db, id, rule)
    return {
      timeZone,
      count: runs.length,
      next: runs.slice(0, SHOWN_RUNS).map(({ date, at }) => runView(date, time, { at, timeZone })),
      conflicts: await conflictsOf(db, id, { action, time, runs }),
    }
  },

  async create(tx, { actor, body }) {
    const { id, message } = await planWeekly(tx, actor, body)
    return { message, _id: id }
  },

  async remove(tx, { actor, query }) {
    const { id: training } = await classInScope(tx, actor, query)
    // The call is idempotent: a retry after a lost reply has the same result.
    const removed = await tx
      .updateTable('recurrence')
      .set({ removed_at: sql<Date>`coalesce(removed_at, portal_now())` })
      .where(sql`id::text`, '=', query.recurrenceId.toLowerCase())
      .where('training_id', '=', training)
      .returning('id')
      .executeTakeFirst()
    if (removed === undefined) throw notFound('weekly schedule')
    await tx
      .updateTable('schedule')
      .set({ removed_at: sql<Date>`portal_now()` })
      .where('recurrence_id', '=', removed.id)
      .where('completed_at', 'is', null)
      .where('removed_at', 'is', null)
      .execute()
    return { message: 'Weekly schedule cancelled. Its past runs stay listed.' }
  },

  async setEnd(tx, { actor, body, auditChange }) {
    const { id } = await lockTrainingToPlan(tx, actor, body)
    const { ends_on } = await tx.selectFrom('training').select('ends_on').where('id', '=', id).executeTakeFirstOrThrow()
    await tx.updateTable('training').set({ ends_on: body.endsOn }).where('id', '=', id).execute()
    auditChange({ endsOn: ends_on }, { endsOn: body.endsOn })
    return { message: body.endsOn === null ? 'The training has no last day.' : 'The last day of the training is set.' }
  },
}
