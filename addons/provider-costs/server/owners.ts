import { type RawBuilder, sql } from 'kysely'

/**
 * SQL: costs with their owner. A manual assignment takes precedence over the portal's tag, then the sandbox's resource
 * group, then the leased AWS account.
 */
export const ownedCosts = (of: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  select line.*, coalesce(a.organisation_id, m.organisation_id, i.organisation_id) as organisation_id,
    case when a.organisation_id is null then m.training_id else a.training_id end as training_id,
    case when coalesce(a.organisation_id, m.organisation_id, i.organisation_id) is not null then 'training'
      when s.there or u.there then 'sandboxes'
      when r.tag = 'shared' then 'shared'
      when r.id is null then 'account'
      else 'unclaimed' end as owner
  from (select l.resource_id, l.provider, l.account, l.currency, sum(l.cost) as cost, count(*) as lines,
      min(l.day) as first_day,
      max(l.day) as last_day
    from cost_line l where ${of} group by 1, 2, 3, 4) as line
  left join cost_resource r on r.id = line.resource_id
  left join lateral (select organisation_id, training_id from cost_adoption
    where provider = r.provider and ((of = 'resource' and value = r.key) or (of = 'tag' and value = r.tag_value))
    order by of limit 1) as a on true
  left join machine m on m.id = case when r.tag = 'machine' then r.tag_value::uuid end
  left join image i on i.id = case when r.tag = 'image' then r.tag_value::uuid end
  left join lateral (select true as there from sandbox
    where line.provider = 'azure' and (lower(group_name) = r.resource_group
      or id = case when r.tag = 'sandbox' then r.tag_value::uuid end) limit 1) as s on true
  left join lateral (select true as there from aws_user
    where line.provider = 'aws' and aws_account = line.account and start_at < line.last_day + 1
      and coalesce(ended_at, 'infinity') >= line.first_day limit 1) as u on true)`

/**
 * SQL: mean cost per day of the resources `r` in hundredths, by currency, over the last billed days (at most seven).
 */
export const costADay = (of: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  select coalesce(jsonb_agg(jsonb_build_object('currency', currency, 'hundredths', mean) order by currency), '[]')
  from (
    select currency, round(sum(cost) * 100 / count(distinct day))::bigint as mean
    from (select l.*, max(l.day) over () as newest from cost_line l join cost_resource r on r.id = l.resource_id
      where l.kind = 'usage' and ${of}) as recent
    where day > newest - 7 group by currency) as means)`
