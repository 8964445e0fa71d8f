import type { Db } from '../../db/schema.ts'
import type { RateLimiter } from '../../providers/rate-limiter.ts'
import { AZURE_LIMITS, AZURE_MACHINE_LIMIT, type TokenBucket } from './limits.ts'
import { pauseBucket, takeTokensOf } from './queries.ts'

/** Returns a gate with token buckets in the database. All processes share them and use the database's clock. */
export function databaseRateLimiter(db: Db, subscription: string): RateLimiter {
  const nameOf = (kind: string) => `${subscription} ${kind}`
  return {
    async acquire(kind, machine) {
      const bucket = { name: nameOf(kind), limit: AZURE_LIMITS[kind] }
      const each = machine === null ? [] : [{ name: `${subscription} machine ${machine}`, limit: AZURE_MACHINE_LIMIT }]
      for (const { name, limit } of [...each, bucket]) {
        const seconds = await takeTokens(db, name, limit)
        if (seconds > 0) return seconds
      }
      return 0
    },
    async pause(kind, seconds) {
      const { burst } = AZURE_LIMITS[kind]
      await pauseBucket(db, nameOf(kind), burst, seconds)
    },
  }
}

/** Returns 0, or the seconds until a token is available or the bucket's pause ends. */
async function takeTokens(db: Db, name: string, { burst, perSecond }: TokenBucket): Promise<number> {
  const { rows } = await takeTokensOf(db, name, burst, perSecond)
  return rows[0]!.wait
}
