import { sql } from 'kysely'
import type { ReplyOf } from '@trainyard/contract/call.ts'
import type { home } from '@trainyard/contract/calls/home.ts'
import type { Db } from '../../db/schema.ts'
import { countUsedUp, owing, tallies } from './counting.ts'

/** What the portal holds: one statement, so that all counts are of the same instant. */
export async function countAll(db: Db): Promise<ReplyOf<typeof home.dashboard>> {
  const { rows } = await sql<Omit<ReplyOf<typeof home.dashboard>, `gcp${string}` | 'projects'>>`
    with kept as materialized ${tallies}
    select (select count(*) from organisation where removed_at is null) as organization,
      coalesce((select count from kept where name = 'users'), 0) as users,
      (select count(*) from kept where name = 'live') as "azureTraining",
      (select count(*) from template) as templates,
      coalesce((select sum(count) from kept where name = 'live'), 0)::bigint as "virtualMachines",
      (select count(*) from ${owing} as owing) as "invoicePending",
      ${countUsedUp} as "azureQuotaExceeded",
      (select count(*) from sandbox where ended_at is null) as "azureSandbox",
      (select count(*) from aws_user where ended_at is null) as "awsSandbox"`.execute(db)
  // There is no Google part (spec.md section 1).
  return { ...rows[0]!, gcpTraining: 0, projects: 0, gcpQuotaExceeded: 0 }
}
