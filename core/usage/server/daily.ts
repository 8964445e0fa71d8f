import type { TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import { type Paise, paise } from '@trainyard/platform/contract/words/money.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { selectDailyUse } from './queries.ts'

export interface DayUsed {
  /** YYYY-MM-DD */
  readonly date: string
  readonly seconds: number
  readonly amount: Paise
}

/**
 * Returns the use per day. The amount of a day is the bill at its end minus the bill at its start, so that all days sum
 * exactly to the bill.
 */
export async function dailyUse(
  db: Db,
  training: TrainingId,
  email: string | null,
  days: number,
): Promise<{ timeZone: string; days: DayUsed[] }> {
  const { rows } = await selectDailyUse(db, training, days, email)
  return {
    timeZone: rows[0]!.zone,
    days: rows.map(({ date, seconds, amount }) => ({ date, seconds, amount: paise(amount) })),
  }
}
