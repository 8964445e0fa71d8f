import type { TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { endOfDay, type RunningTime } from '@trainyard/usage/server/outlook.ts'
import { selectPowerChanges } from './queries.ts'

/**
 * Returns the times from each planned power on to the next shut down. Without a shut down, a time ends with its day,
 * because the schedules do not say when the machines stop.
 */
export async function scheduledTimes(
  db: Db,
  { training, now }: { readonly training: TrainingId; readonly now: Date },
): Promise<RunningTime[]> {
  const { rows } = await selectPowerChanges(db, training, now)
  const times: RunningTime[] = []
  let since: Date | null = null
  for (const { at, action, timeZone } of rows) {
    if (action === 'Start') {
      if (since === null || at >= times.at(-1)!.to) {
        times.push({ from: at, to: endOfDay(at, timeZone) })
        since = at
      }
    } else if (since !== null) {
      times[times.length - 1] = { from: since, to: at }
      since = null
    }
  }
  return times
}
