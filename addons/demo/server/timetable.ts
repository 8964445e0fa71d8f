import type { TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import { DEFAULT_TIME_ZONE, PORT_PRIORITY_FIRST } from '@trainyard/platform/contract/words/limits.ts'
import type { ScheduleAction } from '@trainyard/schedules/contract/schedule-words.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { wakeSecurityGroups } from '@trainyard/ports/server/security-groups.ts'
import { instantOf } from '@trainyard/schedules/server/instant.ts'
import { setWindow } from '@trainyard/trainings/server/window.ts'
import type { Customer } from './machines.ts'
import { DAY, HOUR } from './past-days.ts'
import type { DemoTimetable } from './organisations.ts'
import { insertOutcomes } from './queries.ts'

const DAYS_AHEAD = [1, 2, 3, 4, 5]
/**
 * Days with a missed schedule. On the first of these days the portal was down in the evening; on the others all
 * machines were stopped.
 */
const DAYS_AGO = [6, 5, 4, 3, 2]

export async function addTimetable(
  tx: Tx,
  customer: Pick<Customer, 'id' | 'admin'>,
  trainingName: string,
  { starts, stops, access, ports }: DemoTimetable,
  now: Date,
): Promise<void> {
  const { id: training_id } = await tx
    .selectFrom('training')
    .select('id')
    .where('organisation_id', '=', customer.id)
    .where('name', '=', trainingName)
    .executeTakeFirstOrThrow()
  const whose = { training_id, organisation_id: customer.id }
  await setWindow(tx, training_id, access === null ? null : { ...access, days: null })
  await tx
    .insertInto('port')
    .values(ports.map((port, i) => ({ ...whose, port, priority: PORT_PRIORITY_FIRST + i })))
    .execute()
  await wakeSecurityGroups(tx, training_id)

  const at = (days: number, time: string, action: ScheduleAction) => {
    const date = new Date(now.getTime() + days * DAY).toLocaleDateString('en-CA', {
      timeZone: DEFAULT_TIME_ZONE,
    })
    const fires_at = instantOf(date, time, DEFAULT_TIME_ZONE)
    return { ...whose, action, date, time, time_zone: DEFAULT_TIME_ZONE, fires_at, created_by: customer.admin }
  }
  const ahead = DAYS_AHEAD.flatMap((days) => [at(days, starts, 'Start'), at(days, stops, 'Stop')])
  const ago = DAYS_AGO.map((days, i) => {
    const evening = at(-days, stops, 'Stop')
    const late = i === 0 ? 3 * HOUR : 400
    return { ...evening, missed: i === 0, completed_at: new Date(evening.fires_at.getTime() + late) }
  })
  await tx.insertInto('schedule').values(ahead).execute()
  await tx.insertInto('schedule').values(ago).execute()
  await addOutcomes(tx, training_id)
}

async function addOutcomes(tx: Tx, training: TrainingId): Promise<void> {
  await insertOutcomes(tx, training)
}
