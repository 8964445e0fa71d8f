import { hoursOfMinutes } from '@trainyard/platform/contract/words/duration.ts'
import type { TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import { ALERTS } from '@trainyard/platform/contract/words/problems.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { HandlersOf } from '@trainyard/platform/server/core/handler.ts'
import { minutesOfSeconds } from '@trainyard/usage/server/used.ts'
import { trainingInScope } from '@trainyard/trainings/server/scope.ts'
import { increaseQuota } from './increase-quota.ts'
import { selectQuota } from './queries.ts'

export const quotaHandlers: HandlersOf<'quota'> = {
  async read(db, { actor, query }) {
    const { id } = await trainingInScope(db, actor, query)
    return quotaOf(db, id)
  },

  async increase(tx, { actor, body, auditChange }) {
    const { id } = await trainingInScope(tx, actor, body)
    const { total: before } = await quotaOf(tx, id)
    await increaseQuota(tx, id, body.increaseBy)
    const { total } = await quotaOf(tx, id)
    auditChange({ minutes: before }, { minutes: total })
    return { message: ALERTS.quotaIncreased(hoursOfMinutes(body.increaseBy)), total }
  },
}

async function quotaOf(db: Db | Tx, training: TrainingId): Promise<{ total: number; consumed: number }> {
  const { rows } = await selectQuota(db, training)
  const { total, seconds } = rows[0]!
  return { total, consumed: minutesOfSeconds(seconds) }
}
