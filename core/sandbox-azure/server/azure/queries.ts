import { sql } from 'kysely'
import type { SandboxUserId, SandboxId } from '@trainyard/platform/contract/words/ids.ts'
import type { Paise } from '@trainyard/platform/contract/words/money.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'

export const addConsumption = (tx: Tx, charged: Paise, azureUser: SandboxUserId) =>
  sql`update azure_user set consumed_paise = consumed_paise + ${charged} where id = ${azureUser}`.execute(tx)

export const updateMetered = (tx: Tx, now: Date, perHour: number, resources: readonly string[], id: SandboxId) =>
  sql`update sandbox set metered_at = ${now}, paise_per_hour = ${perHour},
    not_priced = ${resources}::text[] where id = ${id}`.execute(tx)

export const selectSpendingRate = (tx: Tx, azureUser: SandboxUserId) =>
  sql<{ per_hour: number; uncharged: number }>`
    select coalesce(sum(paise_per_hour), 0) as per_hour,
      coalesce(sum(paise_per_hour * extract(epoch from portal_now() - metered_at)::float8 / 3600), 0) as uncharged
    from sandbox where azure_user_id = ${azureUser} and desired = 'ready' and metered_at is not null`.execute(tx)

export const bringReadForward = (tx: Tx, next: number, azureUser: SandboxUserId, id: SandboxId) =>
  sql`
    update sandbox set reconcile_at = portal_now() + make_interval(secs => ${next})
    where azure_user_id = ${azureUser} and id <> ${id} and desired = 'ready' and attempts = 0
      and leased_until is null and reconcile_at > portal_now() + make_interval(secs => ${next})`.execute(tx)

export const addTotal = (tx: Tx, more: Paise, id: SandboxUserId) =>
  sql`update azure_user set total_paise = total_paise + ${more} where id = ${id}`.execute(tx)

export const lockSandboxes = (tx: Tx, azureUser: SandboxUserId) =>
  sql`
    select id from sandbox where azure_user_id = ${azureUser} and ended_at is null order by id for update`.execute(tx)
