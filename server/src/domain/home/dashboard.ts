import { sql } from 'kysely'
import type { ReplyOf } from '@trainyard/contract/call.ts'
import type { home } from '@trainyard/contract/calls/home.ts'
import type { Db } from '../../db/schema.ts'
import { countUsedUp, owing, counted, countedLive } from './counting.ts'

/** Returns the portal's counts. A single statement reads them, so that all are from the same instant. */
export async function countAll(db: Db): Promise<ReplyOf<typeof home.dashboard>> {
  const { rows } = await sql<Omit<ReplyOf<typeof home.dashboard>, `gcp${string}` | 'projects'>>`
    select (select count(*) from organisation where removed_at is null) as organization,
      ${counted('users')} as users,
      live.trainings as "azureTraining",
      (select count(*) from template) as templates,
      live.machines as "virtualMachines",
      (select count(*) from ${owing} as owing) as "invoicePending",
      ${countUsedUp} as "azureQuotaExceeded",
      (select count(*) from sandbox where ended_at is null) as "azureSandbox",
      (select count(*) from aws_user where ended_at is null) as "awsSandbox"
    from ${countedLive} as live`.execute(db)
  // There is no Google sandbox (spec.md section 1).
  return { ...rows[0]!, gcpTraining: 0, projects: 0, gcpQuotaExceeded: 0 }
}
