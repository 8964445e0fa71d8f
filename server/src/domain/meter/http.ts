import { rupeesOfPaise } from '@trainyard/contract/words/money.ts'
import type { HandlersOf } from '../../core/handler.ts'
import { trainingInScope } from '../training/scope.ts'
import { dailyUse } from './daily.ts'
import { hoursOfSeconds } from './used.ts'

const DAYS = '30'

export const usageHandlers: HandlersOf<'usage'> = {
  async daily(db, { actor, query }) {
    const { id, onlyOf } = await trainingInScope(db, actor, query)
    const { timeZone, days } = await dailyUse(db, id, onlyOf, Number(query.days ?? DAYS))
    return {
      timeZone,
      days: days.map(({ date, seconds, amount }) => ({
        date,
        hours: hoursOfSeconds(seconds),
        amount: rupeesOfPaise(amount),
      })),
    }
  },
}
