import { sql } from 'kysely'
import type { HandlersOf } from '@trainyard/platform/server/core/handler.ts'
import { notFound } from '@trainyard/platform/server/core/errors.ts'
import { classInScope } from '@trainyard/trainings/server/scope.ts'
import { windowOf } from '@trainyard/trainings/server/window.ts'
import { createSchedules } from './create.ts'
import { schedulesOf } from './list.ts'

export const scheduleHandlers: HandlersOf<'schedule'> = {
  async list(db, { actor, query }) {
    const { id } = await classInScope(db, actor, query)
    const { timeZone } = await windowOf(db, id)
    return { timeZone, schedules: await schedulesOf(db, id) }
  },

  async create(tx, { actor, body, auditChange }) {
    const { id } = await classInScope(tx, actor, body)
    const before = await windowOf(tx, id)
    const message = await createSchedules(tx, actor, body)
    const after = await windowOf(tx, id)
    const windows = [before, after].map((window) => JSON.stringify(window))
    if (windows[0] !== windows[1]) auditChange({ ...before }, { ...after })
    return { message }
  },

  async remove(tx, { actor, query }) {
    const { id } = await classInScope(tx, actor, query)
    // The call is idempotent: a retry after a lost reply has the same result.
    const removed = await tx
      .updateTable('schedule')
      .set({ removed_at: sql<Date>`coalesce(removed_at, portal_now())` })
      .where(sql`id::text`, '=', query.scheduleId.toLowerCase())
      .where('training_id', '=', id)
      .returning('completed_at')
      .executeTakeFirst()
    if (removed === undefined) throw notFound('schedule')
    return { message: removed.completed_at === null ? 'Schedule cancelled.' : 'Schedule removed from the list.' }
  },
}
