import { sql } from 'kysely'
import type { SandboxUserId } from '@trainyard/contract/words/ids.ts'
import { paise, type Paise } from '@trainyard/contract/words/money.ts'
import { notifyWorkers } from '../../../db/listen.ts'
import type { Tx } from '../../../db/schema.ts'
import type { SandboxRow } from '../../../db/schema/azure-lab.ts'
import type { SandboxResource } from '../../../providers/sandbox-groups.ts'
import { notPriced, paisePerHour } from './prices.ts'
import { SANDBOX_DUE } from './wake.ts'

/** The resources in a sandbox are looked at, and charged, this often. */
const METER_SECONDS = 300
/** With this little left, something large that was made since the last look could use it up before the usual one. */
const LITTLE_LEFT = paise(2_000)
const METER_SECONDS_NEAR = 30
/** The looks come no closer together than this. */
const METER_SECONDS_MIN = 5

/** A resource without a price is not charged. */
const chargedPerHour = (resource: SandboxResource): number => paisePerHour(resource) ?? 0

/**
 * Returns the paise of a stretch of time, given the resources seen at its end. One made within it counts from then
 * on.
 */
function costOf(resources: readonly SandboxResource[], from: Date, to: Date): Paise {
  const perHour = resources.reduce((sum, one) => {
    const since = Math.max(from.getTime(), one.since?.getTime() ?? 0)
    return sum + chargedPerHour(one) * Math.max(0, to.getTime() - since)
  }, 0)
  return paise(Math.round(perHour / 3_600_000))
}

export interface Charged {
  /** Nothing is left of its user's credits. */
  readonly usedUp: boolean
  /** Seconds until it should be looked at again. */
  readonly next: number
}

/**
 * Charges what stands in a sandbox since the last time to its user's credits, never more than there is; at their end
 * all the user's sandboxes are wanted frozen. The caller holds the user's row and those of their sandboxes.
 */
export async function charge(
  tx: Tx,
  sandbox: SandboxRow & { readonly now: Date },
  resources: readonly SandboxResource[],
): Promise<Charged> {
  const { id, azure_user_id, now } = sandbox
  const from = sandbox.metered_at ?? now
  const { total_paise, consumed_paise } = await tx
    .selectFrom('azure_user')
    .select(['total_paise', 'consumed_paise'])
    .where('id', '=', azure_user_id)
    .executeTakeFirstOrThrow()
  const cost = costOf(resources, from, now)
  const charged = paise(Math.min(cost, total_paise - consumed_paise))
  if (now > from && resources.length > 0) {
    await tx
      .insertInto('sandbox_charge')
      .values({
        sandbox_id: id,
        from_at: from,
        to_at: now,
        paise: charged,
        cost_paise: cost,
        resources: JSON.stringify(resources, (key, value: unknown) => (key === 'since' ? undefined : value)),
      })
      .execute()
  }
  await sql`update azure_user set consumed_paise = consumed_paise + ${charged} where id = ${azure_user_id}`.execute(tx)
  const perHour = resources.reduce((sum, one) => sum + chargedPerHour(one), 0)
  await sql`update sandbox set metered_at = ${now}, paise_per_hour = ${perHour},
    not_priced = ${notPriced(resources)}::text[] where id = ${id}`.execute(tx)
  const left = total_paise - consumed_paise - charged
  if (left <= 0) {
    await freezeAllOf(tx, azure_user_id)
    return { usedUp: true, next: METER_SECONDS }
  }
  return { usedUp: false, next: await pauseUntilUsedUp(tx, sandbox, left) }
}

/** Sooner than usual near the end of the credits, which all of a user's sandboxes use: the others are looked at then too. */
async function pauseUntilUsedUp(tx: Tx, { id, azure_user_id }: SandboxRow, left: number): Promise<number> {
  const { rows } = await sql<{ per_hour: number; uncharged: number }>`
    select coalesce(sum(paise_per_hour), 0) as per_hour,
      coalesce(sum(paise_per_hour * extract(epoch from portal_now() - metered_at)::float8 / 3600), 0) as uncharged
    from sandbox where azure_user_id = ${azure_user_id} and desired = 'ready' and metered_at is not null`.execute(tx)
  const { per_hour, uncharged } = rows[0]!
  const remaining = left - uncharged
  const usual = remaining < LITTLE_LEFT ? METER_SECONDS_NEAR : METER_SECONDS
  if (per_hour === 0) return usual
  const next = Math.min(usual, Math.max(METER_SECONDS_MIN, Math.ceil((remaining / per_hour) * 3600)))
  if (next < METER_SECONDS) {
    await sql`
      update sandbox set reconcile_at = portal_now() + make_interval(secs => ${next})
      where azure_user_id = ${azure_user_id} and id <> ${id} and desired = 'ready' and attempts = 0
        and leased_until is null and reconcile_at > portal_now() + make_interval(secs => ${next})`.execute(tx)
    await notifyWorkers(tx, SANDBOX_DUE)
  }
  return next
}

/** With the last rupee, not when each of them is looked at next. */
async function freezeAllOf(tx: Tx, user: SandboxUserId): Promise<void> {
  await sql`
    update sandbox set desired = 'frozen', generation = generation + 1, reconcile_at = portal_now()
    where azure_user_id = ${user} and desired = 'ready'`.execute(tx)
  await notifyWorkers(tx, SANDBOX_DUE)
}
