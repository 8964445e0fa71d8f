import { conflict } from '@trainyard/platform/server/core/errors.ts'
import type { HandlersOf } from '@trainyard/platform/server/core/handler.ts'
import { classInScope, lockTrainingToPlan } from '@trainyard/trainings/server/scope.ts'
import { windowOf } from '@trainyard/trainings/server/window.ts'
import { readyByOf } from './list.ts'
import { formatDate } from '../plan.ts'
import { planReadyBy } from './plan.ts'
import { cancelReadyBy } from './queries.ts'

export const readyHandlers: HandlersOf<'ready'> = {
  async list(db, { actor, query }) {
    const { id } = await classInScope(db, actor, query)
    const { timeZone } = await windowOf(db, id)
    return { timeZone, readyBy: await readyByOf(db, id) }
  },

  async plan(tx, { actor, body }) {
    const { id, organisationId } = await lockTrainingToPlan(tx, actor, body)
    const { machines, minutes } = await planReadyBy(tx, actor, {
      training: id,
      organisation: organisationId,
      order: null,
      moment: body,
    })
    if (machines === 0) throw conflict('This training has no machines to start.')
    return {
      message: `The machines are started about ${minutes} minutes earlier, to be ready at ${body.time} on ${formatDate(body.date)}.`,
    }
  },

  async cancel(tx, { actor, query }) {
    const { id } = await classInScope(tx, actor, query)
    // The call is idempotent: a retry after a lost reply has the same result.
    await cancelReadyBy(tx, id, query.date, query.time)
    return { message: 'The machines will not be started for that time.' }
  },
}
