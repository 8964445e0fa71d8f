import { rupeesOfPaise } from '@trainyard/contract/words/money.ts'
import type { HandlersOf } from '../../core/handler.ts'
import { runsOf, type Transition } from './audit.ts'
import { machineToRead } from './readable.ts'
import { comparedDays } from './reconciliation.ts'

export const meteringHandlers: HandlersOf<'metering'> = {
  async runs(db, { actor, query }) {
    const { asOf, amount, runs } = await runsOf(db, await machineToRead(db, actor, query.vmName))
    return {
      asOf: asOf.toISOString(),
      amount: rupeesOfPaise(amount),
      runs: runs.map(({ start, stop, seconds, paisePerHour, paiseSeconds, opened, closed }) => ({
        start: start.toISOString(),
        stop: stop?.toISOString() ?? null,
        seconds,
        rate: rupeesOfPaise(paisePerHour),
        paiseSeconds,
        opened: toldBy(opened),
        closed: closed === null ? null : toldBy(closed),
      })),
    }
  },

  async reconciliation(db) {
    const days = await comparedDays(db)
    return {
      days: days.map(({ comparedAt, differences, ...day }) => ({
        ...day,
        comparedAt: comparedAt.toISOString(),
        differences: [...differences],
      })),
    }
  },
}

const toldBy = ({ cause, told }: Transition) => ({ cause, told: told.toISOString() })
