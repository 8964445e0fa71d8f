import { sql } from 'kysely'
import type { ReplyOf } from '@trainyard/contract/call.ts'
import type { template } from '@trainyard/contract/calls/template.ts'
import type { Db } from '../../../db/schema.ts'

type Sizes = ReplyOf<typeof template.sizes>['sizes']

/** Returns the sizes, sorted by cores and memory. */
export async function sizesIn(db: Db, location: string): Promise<Sizes> {
  const { rows } = await sql<Sizes[number]>`
    select s.size, s.cores, round(s.memory_mb / 1024.0, 1)::float8 as "memoryGb", s.withheld is null as available,
      (select greatest(0, min(l.allowed - l.used))::int from cloud_limit l
        where l.location = s.location and (l.family = 'cores' or lower(l.family) = lower(s.family))) as "coresLeft"
    from cloud_size s where s.location = ${location}
    order by s.cores, s.memory_mb, s.size`.execute(db)
  return rows
}
