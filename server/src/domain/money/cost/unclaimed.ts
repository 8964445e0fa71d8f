import { sql } from 'kysely'
import type { ReplyOf } from '@trainyard/contract/call.ts'
import type { cost } from '@trainyard/contract/calls/cost.ts'
import type { Db } from '../../../db/schema.ts'
import { costADay, ownedCosts } from './owners.ts'

type Unclaimed = ReplyOf<typeof cost.unclaimed>
type Orphans = ReplyOf<typeof cost.orphans>

const UNCLAIMED_MAX = 200

export async function unclaimedOf(db: Db, month: string): Promise<Unclaimed> {
  const first = `${month}-01`
  const { rows } = await sql<Unclaimed['resources'][number] & { whole: number }>`
    with unclaimed as (
      select resource_id, max(last_day) as last_day, sum(cost) as size,
        jsonb_agg(jsonb_build_object('currency', currency, 'hundredths', round(cost * 100)::bigint) order by currency)
          as cost
      from ${ownedCosts(sql`l.day >= ${first}::date and l.day < ${first}::date + interval '1 month'`)} as owned
      where owner = 'unclaimed' group by resource_id),
    shown as (select *, count(*) over () as whole from unclaimed order by size desc, resource_id limit ${UNCLAIMED_MAX})
    select r.provider, r.key as resource, r.name, r.kind, r.resource_group as "resourceGroup", r.tag_value as tag,
      shown.cost, shown.last_day as "lastDay", shown.whole, ${costADay(sql`r.id = shown.resource_id`)} as "costADay"
    from shown join cost_resource r on r.id = shown.resource_id order by shown.size desc, r.id`.execute(db)
  return {
    count: rows[0]?.whole ?? 0, // The reply's schema removes `whole` from the rows.
    resources: [...rows],
  }
}

export async function orphansOf(db: Db): Promise<Orphans> {
  const { rows } = await sql<{
    resourceGroup: string
    name: string
    tag: string | null
    since: Date
    costADay: Orphans['orphans'][number]['costADay']
    organization: string | null
    training: string | null
    by: string | null
    at: Date | null
    error: string | null
  }>`
    select o.resource_group as "resourceGroup", o.name, o.tag, o.first_seen_at as since,
      ${costADay(sql`r.provider = 'azure' and r.tag = 'machine' and r.tag_value = lower(o.tag)`)} as "costADay",
      org.name as organization, t.name as training,
      o.deletion_asked_by as by, o.deletion_asked_at as at, o.last_error as error
    from orphan o left join cost_adoption a on a.provider = 'azure' and a.of = 'tag' and a.value = lower(o.tag)
    left join organisation org on org.id = a.organisation_id left join training t on t.id = a.training_id
    where (o.gone_at is null or o.deletion_asked_at is not null) and o.deleted_at is null
    order by o.first_seen_at, o.resource_group, o.name limit ${UNCLAIMED_MAX}`.execute(db)
  return {
    orphans: rows.map(({ since, organization, training, by, at, error, ...row }) => ({
      ...row,
      since: since.toISOString(),
      adoptedBy: organization === null ? null : { organization, trainingName: training },
      deletion: by === null ? null : { by, at: at!.toISOString(), error },
    })),
  }
}
