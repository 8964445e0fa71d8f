import type { Db } from '../../db/schema.ts'
import type { Cloud } from '../../providers/cloud.ts'
import { placesToRead, plansToRead, recordOffers, recordTerms } from './offers.ts'

/** Reads what the cloud offers where templates are, as far as nobody has lately: orders are judged by it. */
export async function readOffers(db: Db, cloud: Cloud, signal: AbortSignal): Promise<void> {
  for (const location of await placesToRead(db)) {
    await recordOffers(db, location, await cloud.offersAt(location, signal))
  }
  for (const plan of await plansToRead(db)) await recordTerms(db, plan, await cloud.termsAccepted(plan, signal))
}
