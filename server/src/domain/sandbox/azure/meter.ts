import { sql } from 'kysely'
import { paise, type Paise } from '@trainyard/contract/words/money.ts'
import type { Tx } from '../../../db/schema.ts'
import type { SandboxRow } from '../../../db/schema/azure-lab.ts'
import type { Standing } from '../../../providers/sandbox-groups.ts'
import { paisePerHour } from './prices.ts'

/** What stands in a sandbox is looked at, and charged, this often. */
const METER_SECONDS = 300
/** Closer to the end of the credits the looks come sooner, but no closer together than this. */
const METER_SECONDS_MIN = 5

/** What a stretch of time cost, given what is seen at its end. What came to be within it counts from then on. */
function costOf(standing: readonly Standing[], from: Date, to: Date): Paise {
  const perHour = standing.reduce((sum, one) => {
    const since = Math.max(from.getTime(), one.since?.getTime() ?? 0)
    return sum + paisePerHour(one) * Math.max(0, to.getTime() - since)
  }, 0)
  return paise(Math.round(perHour / 3_600_000))
}

export interface Charged {
  /** Nothing is left for this sandbox: neither of its share nor of what its user has free. */
  readonly exhausted: boolean
  /** Seconds until it should be looked at again. */
  readonly next: number
}

/**
 * Charges what stands in a sandbox since the last time: first against its own share of the credits, then against what
 * its user has free, and never more than there is. The caller holds the user's row and the sandbox's.
 */
export async function charge(
  tx: Tx,
  sandbox: SandboxRow & { readonly now: Date },
  standing: readonly Standing[],
): Promise<Charged> {
  const { id, azure_user_id, now } = sandbox
  const from = sandbox.metered_at ?? now
  const { total_paise, reserved_paise, consumed_paise } = await tx
    .selectFrom('azure_user')
    .select(['total_paise', 'reserved_paise', 'consumed_paise'])
    .where('id', '=', azure_user_id)
    .executeTakeFirstOrThrow()
  const available = sandbox.reserved_paise + total_paise - reserved_paise - consumed_paise
  const cost = costOf(standing, from, now)
  const charged = paise(Math.min(cost, available))
  const ofShare = paise(Math.min(charged, sandbox.reserved_paise))
  if (now > from && (cost > 0 || standing.length > 0)) {
    await tx
      .insertInto('sandbox_charge')
      .values({
        sandbox_id: id,
        from_at: from,
        to_at: now,
        paise: charged,
        cost_paise: cost,
        standing: JSON.stringify(standing, (key, value: unknown) => (key === 'since' ? undefined : value)),
      })
      .execute()
  }
  await sql`
    update azure_user set reserved_paise = reserved_paise - ${ofShare}, consumed_paise = consumed_paise + ${charged}
    where id = ${azure_user_id}`.execute(tx)
  await sql`
    update sandbox set reserved_paise = reserved_paise - ${ofShare}, metered_at = ${now} where id = ${id}`.execute(tx)
  return { exhausted: available - charged <= 0, next: pauseUntilUsedUp(standing, available - charged) }
}

/** Sooner than usual where the credits will be used up before. */
function pauseUntilUsedUp(standing: readonly Standing[], left: number): number {
  const perHour = standing.reduce((sum, one) => sum + paisePerHour(one), 0)
  if (perHour === 0 || left <= 0) return METER_SECONDS
  return Math.min(METER_SECONDS, Math.max(METER_SECONDS_MIN, Math.ceil((left / perHour) * 3600)))
}
