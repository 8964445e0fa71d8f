import type { Db } from '@trainyard/platform/server/db/schema.ts'
import type { Cloud } from './cloud.ts'
import { locationsToRead, plansToRead, recordOffers, recordTerms } from './offers.ts'

export async function readOffers(db: Db, cloud: Cloud, signal: AbortSignal): Promise<void> {
  const reads = [
    ...(await locationsToRead(db)).map(
      (location) => async () => recordOffers(db, location, await cloud.getOffers(location, signal)),
    ),
    ...(await plansToRead(db)).map(
      (plan) => async () => recordTerms(db, plan, await cloud.hasAcceptedTerms(plan, signal)),
    ),
  ]
  // Errors are collected, because one location that does not answer must not block the following locations.
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
