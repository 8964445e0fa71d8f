import { sql } from 'kysely'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'

/** Inserts or repeats a try, unless one is running that is younger than these seconds. */
export const insertTry = (tx: Tx, what: string, patience: number) =>
  sql<{ attempt: number }>`
    insert into set_up_try (what) values (${what})
    on conflict (what) do update set attempt = set_up_try.attempt + 1, tried_at = portal_now(), answered_at = null
    where set_up_try.answered_at is not null or set_up_try.tried_at < portal_now() - ${patience} * interval '1 second'
    returning attempt`.execute(tx)
