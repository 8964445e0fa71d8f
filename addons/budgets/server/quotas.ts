import { QUOTA_PERCENTS } from '../contract/budget-words.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import type { JobQueue } from '@trainyard/platform/server/run/jobs/job.ts'
import { raiseAlerts } from './alert.ts'
import { selectQuotaAlerts } from './queries.ts'

/**
 * Alerts about quotas of trainings with a limited machine that is running or used up its quota within the last hour.
 */
export async function alertQuotas(tx: Tx, jobs: JobQueue): Promise<void> {
  const { rows } = await selectQuotaAlerts(tx)
  for (const { minutes, seconds, ...subject } of rows) {
    const reached = QUOTA_PERCENTS.filter((percent) => seconds * 100 >= minutes * 60 * percent)
    const about = { ...subject, kind: 'quota', month: null } as const
    await raiseAlerts(tx, jobs, { ...about, used: Math.floor(seconds / 60), total: minutes }, reached)
  }
}
