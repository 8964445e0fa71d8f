import { hoursOfMinutes } from '@trainyard/platform/contract/words/duration.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import {
  selectFailingMachines,
  selectUsedUpMachines,
  selectUnpaidBalances,
  selectUncreditedPayments,
  selectListedOrphans,
  selectFailingTasks,
  type Attention,
  type Counted,
} from './queries.ts'
import { updateNotice } from './update-notice.ts'

export async function attention(db: Db): Promise<Attention> {
  const [failing, quotaUsedUp, unpaid, uncredited, orphans, tasks, update] = await Promise.all([
    failingMachines(db),
    usedUpMachines(db),
    unpaidBalances(db),
    uncreditedPayments(db),
    listedOrphans(db),
    failingTasks(db),
    updateNotice(db),
  ])
  return { failing, quotaUsedUp, unpaid, uncredited, orphans, tasks, update }
}

async function failingMachines(db: Db): Promise<Attention['failing']> {
  const { rows } = await selectFailingMachines(db)
  return firstRows(rows)
}

async function usedUpMachines(db: Db): Promise<Attention['quotaUsedUp']> {
  const { rows } = await selectUsedUpMachines(db)
  return firstRows(
    rows.map(({ minutes, ...row }) => ({
      ...row,
      reason: `All allocated hours (${hoursOfMinutes(minutes)}) are used.`,
    })),
  )
}

async function unpaidBalances(db: Db): Promise<Attention['unpaid']> {
  const { rows } = await selectUnpaidBalances(db)
  return firstRows(rows.map(({ balance, ...row }) => ({ ...row, balancePaise: balance })))
}

/**
 * Returns payments that were captured but not credited. Excludes payments for which queries of the provider failed
 * (attempts > 0), because these queries are retried.
 */
async function uncreditedPayments(db: Db): Promise<Attention['uncredited']> {
  const { rows } = await selectUncreditedPayments(db)
  return firstRows(rows)
}

async function listedOrphans(db: Db): Promise<Attention['orphans']> {
  const { rows } = await selectListedOrphans(db)
  return firstRows(rows.map(({ since, ...row }) => ({ ...row, since: since.toISOString() })))
}

async function failingTasks(db: Db): Promise<Attention['tasks']> {
  const { rows } = await selectFailingTasks(db)
  return firstRows(rows.map(({ since, ...row }) => ({ ...row, since: since.toISOString() })))
}

const firstRows = <Row extends Counted>(rows: readonly Row[]) => ({
  count: rows[0]?.total ?? 0,
  // The schema of the reply removes `total`.
  first: [...rows],
})
