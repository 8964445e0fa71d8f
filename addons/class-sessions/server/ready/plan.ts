import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { Problem } from '@trainyard/platform/server/core/errors.ts'
import { portalNow } from '@trainyard/platform/server/db/client.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { refuseTooManyPlanned } from '@trainyard/schedules/server/create.ts'
import { instantOf } from '@trainyard/schedules/server/instant.ts'
import { windowOf } from '@trainyard/trainings/server/window.ts'
import { leadOf } from './lead-time.ts'
import type { ReadySelection } from './queries.ts'

interface Plan extends ReadySelection {
  readonly organisation: OrganisationId
  readonly moment: { readonly date: string; readonly time: string }
}

/** @throws Problem invalid if the time is in the past or too soon */
export async function planReadyBy(
  tx: Tx,
  actor: Actor,
  { training, order, organisation, moment: { date, time } }: Plan,
): Promise<{ readonly machines: number; readonly minutes: number; readonly readyAt: Date; readonly now: Date }> {
  const { timeZone } = await windowOf(tx, training)
  const readyAt = instantOf(date, time, timeZone)
  const now = await portalNow(tx)
  if (readyAt <= now) throw new Problem('invalid', `${date} ${time} (${timeZone}) is in the past.`)
  const { seconds, machines } = await leadOf(tx, { training, order })
  const minutes = Math.ceil(seconds / 60)
  if (machines > 0 && readyAt.getTime() - seconds * 1000 < now.getTime()) {
    throw new Problem(
      'invalid',
      `${date} ${time} (${timeZone}) is too soon: these machines need about ${minutes} minutes. Choose a later time, or ${
        order === null ? 'power them on now' : 'order them to be created now'
      }.`,
    )
  }
  await tx
    .insertInto('ready_by')
    .values({
      training_id: training,
      organisation_id: organisation,
      order_id: order,
      date,
      time,
      time_zone: timeZone,
      ready_at: readyAt,
      asked_by: actor.email,
    })
    .onConflict((on) => on.columns(['training_id', 'ready_at', 'order_id']).where('removed_at', 'is', null).doNothing())
    .execute()
  await refuseTooManyPlanned(tx, training)
  return { machines, minutes, readyAt, now }
}
