import { sql } from 'kysely'
import type { Db } from '../../../db/schema.ts'
import type { Offers, Plan } from '../../../providers/cloud.ts'

const FRESH = sql`interval '10 minutes'`

export async function locationsToRead(db: Db): Promise<string[]> {
  const { rows } = await sql<{ location: string }>`
    select distinct t.location from template t
    where not exists (select from cloud_place p where p.location = t.location and p.looked_at > portal_now() - ${FRESH})
    order by t.location`.execute(db)
  return rows.map(({ location }) => location)
}

export async function plansToRead(db: Db): Promise<Plan[]> {
  const { rows } = await sql<Plan>`
    select distinct t.plan_publisher as publisher, t.plan_product as product, ${planName} as name from template t
    where t.plan_publisher is not null and not exists (
      select from cloud_terms c where c.publisher = t.plan_publisher and c.product = t.plan_product
        and c.plan = ${planName} and c.looked_at > portal_now() - ${FRESH})`.execute(db)
  return rows
}

/** The plan's name is the SKU in the image's `publisher:offer:sku:version`. */
const planName = sql`split_part(t.image_id, ':', 3)`

export async function recordOffers(db: Db, location: string, { sizes, limits }: Offers): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`
      insert into cloud_place (location, looked_at) values (${location}, portal_now())
      on conflict (location) do update set looked_at = excluded.looked_at`.execute(tx)
    await tx.deleteFrom('cloud_size').where('location', '=', location).execute()
    await tx.deleteFrom('cloud_limit').where('location', '=', location).execute()
    if (sizes.length > 0)
      await tx
        .insertInto('cloud_size')
        .values(sizes.map(({ memoryMb, ...size }) => ({ location, ...size, memory_mb: memoryMb })))
        .onConflict((on) => on.doNothing())
        .execute()
    if (limits.length > 0)
      await tx
        .insertInto('cloud_limit')
        .values(limits.map((limit) => ({ location, ...limit })))
        .onConflict((on) => on.doNothing())
        .execute()
  })
}

export async function recordTerms(db: Db, { publisher, product, name }: Plan, accepted: boolean): Promise<void> {
  await sql`
    insert into cloud_terms (publisher, product, plan, accepted, looked_at)
    values (${publisher}, ${product}, ${name}, ${accepted}, portal_now())
    on conflict (publisher, product, plan) do update
      set accepted = excluded.accepted, looked_at = excluded.looked_at`.execute(db)
}
