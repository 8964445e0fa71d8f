import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import type { TemplateRow } from '@trainyard/templates/tables.gen.ts'
import { usualDuration } from '../operation/durations.ts'
import { selectWaitMinutes } from './queries.ts'

/** Durations in seconds that are used while there are no measurements. */
const DEFAULT_SECONDS = { first: 90, each: 0.5 }

/**
 * Returns the wait in whole minutes. It is computed from the median creation time and the time per additional machine
 * in recent orders.
 */
export async function waitMinutes(
  tx: Tx,
  machines: number,
  { size_name, location }: Pick<TemplateRow, 'size_name' | 'location'>,
): Promise<number> {
  const usualSeconds = await usualDuration(tx, { kind: 'create', size_name, location })
  const { rows } = await selectWaitMinutes(tx)
  const { first, each } = rows[0] ?? { first: null, each: null }
  const seconds =
    (usualSeconds?.median ?? first ?? DEFAULT_SECONDS.first) + (machines - 1) * (each ?? DEFAULT_SECONDS.each)
  return Math.max(1, Math.ceil(seconds / 60))
}
