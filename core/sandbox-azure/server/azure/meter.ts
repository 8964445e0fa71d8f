import { sql } from 'kysely'
import type { SandboxUserId } from '@trainyard/platform/contract/words/ids.ts'
import { paise, type Paise } from '@trainyard/platform/contract/words/money.ts'
import { notifyWorkers } from '@trainyard/platform/server/run/reconcile/notify.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import type { SandboxRow } from '@trainyard/lab-users/tables.gen.ts'
import type { SandboxResource } from '../sandbox-groups.ts'
import { setDesiredState } from '@trainyard/platform/server/run/reconcile/desired-state.ts'
import { notPriced, paisePerHour } from './prices.ts'
import { addConsumption, updateMetered, selectSpendingRate, bringReadForward } from './queries.ts'

/** Interval of reads. A sandbox is charged at each read. */
const METER_SECONDS = 300
/**
 * Credit below which reads are more frequent, because a large new resource could use it up before the next regular
 * read.
 */
const LOW_CREDIT = paise(2_000)
const METER_SECONDS_NEAR = 30
const METER_SECONDS_MIN = 5

const chargedPerHour = (resource: SandboxResource): number => paisePerHour(resource) ?? 0

/** Returns the cost in a period. A resource that was created within it is charged from its creation. */
function costOf(resources: readonly SandboxResource[], from: Date, to: Date): Paise {
  const perHour = resources.reduce((sum, one) => {
    const since = Math.max(from.getTime(), one.since?.getTime() ?? 0)
    return sum + chargedPerHour(one) * Math.max(0, to.getTime() - since)
  }, 0)
  return paise(Math.round(perHour / 3_600_000))
}

export interface ChargeResult {
  readonly usedUp: boolean
  readonly next: number
}

/** Charges a sandbox. The caller must hold locks on the rows of the user and of the user's sandboxes. */
export async function charge(
  tx: Tx,
  sandbox: SandboxRow & { readonly now: Date },
  resources: readonly SandboxResource[],
): Promise<ChargeResult> {
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
  await addConsumption(tx, charged, azure_user_id)
  const perHour = resources.reduce((sum, one) => sum + chargedPerHour(one), 0)
  await updateMetered(tx, now, perHour, notPriced(resources), id)
  const left = total_paise - consumed_paise - charged
  if (left <= 0) {
    await freezeSandboxesOf(tx, azure_user_id)
    return { usedUp: true, next: METER_SECONDS }
  }
  return { usedUp: false, next: await secondsToNextRead(tx, sandbox, left) }
}

/**
 * Returns the seconds to the next read. They are fewer near the end of the credits, which all of the user's sandboxes
 * share.
 */
async function secondsToNextRead(tx: Tx, { id, azure_user_id }: SandboxRow, remainingPaise: number): Promise<number> {
  const { rows } = await selectSpendingRate(tx, azure_user_id)
  const { per_hour, uncharged } = rows[0]!
  const remaining = remainingPaise - uncharged
  const usual = remaining < LOW_CREDIT ? METER_SECONDS_NEAR : METER_SECONDS
  if (per_hour === 0) return usual
  const next = Math.min(usual, Math.max(METER_SECONDS_MIN, Math.ceil((remaining / per_hour) * 3600)))
  if (next < METER_SECONDS) {
    await bringReadForward(tx, next, azure_user_id, id)
    await notifyWorkers(tx, 'sandbox')
  }
  return next
}

/** Freezes the user's sandboxes without waiting for the next read of each. */
async function freezeSandboxesOf(tx: Tx, user: SandboxUserId): Promise<void> {
  await setDesiredState(tx, 'sandbox', {
    rows: sql`select id from sandbox where azure_user_id = ${user} and desired = 'ready' order by id for update`,
    set: sql`desired = 'frozen'`,
  })
}
