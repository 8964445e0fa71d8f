import { sql } from 'kysely'
import { conflict, Problem } from '../../core/errors.ts'
import type { HandlersOf } from '../../core/handler.ts'
import { portalNow } from '../../db/client.ts'
import { instantOf } from '../schedule/instant.ts'
import { trainingInScope, trainingToPlan } from '../training/scope.ts'
import { windowOf } from '../training/window.ts'
import { leadOf } from './lead.ts'
import { readyByOf } from './list.ts'

export const readyHandlers: HandlersOf<'ready'> = {
  async list(db, { actor, query }) {
    const { id } = await trainingInScope(db, actor, query)
    const { timeZone } = await windowOf(db, id)
    return { timeZone, readyBy: await readyByOf(db, id) }
  },

  async plan(tx, { actor, body }) {
    const { date, time } = body
    const { id, organisationId } = await trainingToPlan(tx, actor, body)
    const { timeZone } = await windowOf(tx, id)
    const readyAt = instantOf(date, time, timeZone)
    const now = await portalNow(tx)
    if (readyAt <= now) throw new Problem('invalid', `${date} ${time} (${timeZone}) is in the past.`)
    const { seconds, machines } = await leadOf(tx, id)
    if (machines === 0) throw conflict('This training has no machines to start.')
    const minutes = Math.ceil(seconds / 60)
    if (readyAt.getTime() - seconds * 1000 < now.getTime()) {
      throw new Problem(
        'invalid',
        `${date} ${time} (${timeZone}) is too near: these machines need about ${minutes} minutes. Choose a later time, or power them on now.`,
      )
    }
    await tx
      .insertInto('ready_by')
      .values({
        training_id: id,
        organisation_id: organisationId,
        date,
        time,
        time_zone: timeZone,
        ready_at: readyAt,
        asked_by: actor.email,
      })
      .onConflict((on) => on.columns(['training_id', 'ready_at']).where('removed_at', 'is', null).doNothing())
      .execute()
    return { message: `The machines are started about ${minutes} minutes earlier, to be ready at ${time}.` }
  },

  async cancel(tx, { actor, query }) {
    const { id } = await trainingInScope(tx, actor, query)
    // Asked again, because the answer was lost, it says the same.
    await sql`
      update ready_by set removed_at = portal_now()
      where training_id = ${id} and date = ${query.date} and time = ${query.time} and removed_at is null`.execute(tx)
    return { message: 'Nothing is started for that time any more.' }
  },
}
