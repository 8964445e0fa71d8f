import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { selectRunningTrainings, selectLastDays, type Usage } from './queries.ts'

export async function usageNow(db: Db): Promise<Usage> {
  const [trainings, days] = await Promise.all([runningTrainings(db), lastDays(db)])
  return { ...trainings, days }
}

async function runningTrainings(db: Db): Promise<Omit<Usage, 'days'>> {
  const { rows } = await selectRunningTrainings(db)
  return {
    running: rows[0]?.allRunning ?? 0,
    paisePerHour: rows[0]?.allPaise ?? 0,
    runningTrainings: rows[0]?.allTrainings ?? 0,
    // The schema of the reply removes the sums.
    trainings: [...rows],
  }
}

async function lastDays(db: Db): Promise<Usage['days']> {
  const { rows } = await selectLastDays(db)
  return rows
}
