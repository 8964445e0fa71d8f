import type { Db } from '../../../db/schema.ts'
import type { Cloud } from '../../../providers/cloud.ts'
import { placesToRead, plansToRead, recordOffers, recordTerms } from './offers.ts'

/** Reads what the cloud offers where templates are, as far as nobody has lately: orders are judged by it. */
export async function readOffers(db: Db, cloud: Cloud, signal: AbortSignal): Promise<void> {
  const reads = [
    ...(await placesToRead(db)).map(
      (location) => async () => recordOffers(db, location, await cloud.offersAt(location, signal)),
    ),
    ...(await plansToRead(db)).map(
      (plan) => async () => recordTerms(db, plan, await cloud.termsAccepted(plan, signal)),
    ),
  ]
  // A place that does not answer would otherwise keep all after it from being read, for as long as it does not.
  const errors: unknown[] = []
  for (const read of reads) {
    try {
      await read()
    } catch (error) {
      signal.throwIfAborted()
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]
}
