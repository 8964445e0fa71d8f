import { sql } from 'kysely'
import type { Db } from '../db/schema.ts'
import type { RateLimiter } from '../providers/rate-limiter.ts'
import { AZURE_LIMITS, AZURE_MACHINE_LIMIT, type TokenBucket } from './limits.ts'

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
      await sql`
        insert into call_bucket (name, tokens, counted_at, closed_until)
        values (${nameOf(kind)}, ${burst}, portal_now(), portal_now() + make_interval(secs => ${seconds}))
        on conflict (name) do update set closed_until = greatest(call_bucket.closed_until, excluded.closed_until)`.execute(
        db,
      )
    },
  }
}

/** Returns 0, or the seconds until a token is available or the bucket's pause ends. */
async function takeTokens(db: Db, name: string, { burst, perSecond }: TokenBucket): Promise<number> {
  const { rows } = await sql<{ wait: number }>`
    select take_token(${name}, ${burst}, ${perSecond}) as wait`.execute(db)
  return rows[0]!.wait
}
