import { sql } from 'kysely'
import type { Db } from '../../db/schema.ts'

export const pauseBucket = (db: Db, kind: string, burst: number, seconds: number) =>
  sql`
    insert into call_bucket (name, tokens, counted_at, closed_until)
    values (${kind}, ${burst}, portal_now(), portal_now() + make_interval(secs => ${seconds}))
    on conflict (name) do update set closed_until = greatest(call_bucket.closed_until, excluded.closed_until)`.execute(
    db,
  )

export const takeTokensOf = (db: Db, name: string, burst: number, perSecond: number) =>
  sql<{ wait: number }>`
    select take_token(${name}, ${burst}, ${perSecond}) as wait`.execute(db)
