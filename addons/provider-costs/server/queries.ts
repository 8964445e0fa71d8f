import { sql, type RawBuilder } from 'kysely'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { cost } from '../contract/cost.ts'
import type { CostOwner } from '../contract/cost-words.ts'
import type { OrganisationId, TrainingId, CostImportId } from '@trainyard/platform/contract/words/ids.ts'
import type { Tx, Db } from '@trainyard/platform/server/db/schema.ts'
import type { BillLine } from './columns.ts'
import { ownedCosts, costADay } from './owners.ts'

export type Listed = ReplyOf<typeof cost.imports>['imports'][number]

const IMPORTS_MAX = 50

/** SQL: sums by currency of the lines of `of_import`. */
const sumSql = (of: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  select coalesce(jsonb_agg(jsonb_build_object('currency', currency, 'hundredths', total) order by currency), '[]')
  from (select currency, round(sum(cost) * 100)::bigint as total from of_import where ${of} group by currency) as sums)`

export interface Ended {
  readonly state: 'done' | 'same' | 'refused'
  readonly refusal: string | null
  readonly lines_read: number
  readonly line_count: number
  readonly bad_count: number
  readonly bad_lines: string
  readonly digest: string | null
  readonly format: string | null
  readonly summary: string
}

/** Days after the end of a month in which providers still add lines. */
const LATE_DAYS = 5

export type Month = ReplyOf<typeof cost.month>

export type CostRow = Month['rows'][number]

export type Money = CostRow['cost']

export interface PlacedLine {
  readonly file: number
  readonly line: number
  readonly bill: BillLine
}

export type Unclaimed = ReplyOf<typeof cost.unclaimed>

const UNCLAIMED_MAX = 200

export type Orphans = ReplyOf<typeof cost.orphans>

export const selectIsKnown = (tx: Tx, of: string, value: string, provider: string) =>
  sql<{ isKnown: boolean; claimed: boolean }>`
    select
      case ${of}::text when 'tag' then
        exists (select from orphan where lower(tag) = ${value} and ${provider}::text = 'azure')
          or exists (select from cost_resource where provider = ${provider} and tag_value = ${value})
      else exists (select from cost_resource where provider = ${provider} and key = ${value}) end as "isKnown",
      case ${of}::text when 'tag' then exists (select from machine where id::text = ${value})
      else exists (select from cost_resource r join machine m on m.id::text = r.tag_value
        where r.provider = ${provider} and r.key = ${value} and r.tag = 'machine') end as claimed`.execute(tx)

export const insertAdoption = (
  tx: Tx,
  input: {
    readonly provider: string
    readonly of: string
    readonly value: string
    readonly organisation: OrganisationId
    readonly training: TrainingId | null
    readonly email: string
  },
) =>
  sql`
    insert into cost_adoption (provider, of, value, organisation_id, training_id, adopted_by)
    values (${input.provider}, ${input.of}, ${input.value}, ${input.organisation}, ${input.training}, ${input.email})
    on conflict (provider, of, value) do update set organisation_id = excluded.organisation_id,
      training_id = excluded.training_id, adopted_by = excluded.adopted_by, adopted_at = portal_now()`.execute(tx)

export const countOpenImports = (tx: Tx) =>
  sql<{ count: number }>`
    select count(*)::int as count from cost_import where state in ('receiving', 'waiting')`.execute(tx)

export const upsertPart = (tx: Tx, id: string, file: number, place: number, part: Buffer) =>
  sql`
    insert into cost_import_part (import_id, file, place, bytes) values (${id}, ${file}, ${place}, ${part})
    on conflict (import_id, file, place) do update set bytes = excluded.bytes`.execute(tx)

export const countParts = (tx: Tx, id: string) =>
  sql<{ count: number }>`
    select count(*)::int as count from cost_import_part where import_id = ${id}`.execute(tx)

export const selectImports = (db: Db) =>
  sql<Omit<Listed, 'madeAt' | 'endedAt'> & { readonly madeAt: Date; readonly endedAt: Date | null }>`
    select id as "_id", file_names as files, state, made_by as "madeBy", made_at as "madeAt", ended_at as "endedAt",
      case state when 'receiving' then (select count(*) * 100 from cost_import_part where import_id = i.id)
        / (select sum(parts) from unnest(file_parts) as parts) else 100 end::int as received,
      lines_read as "linesRead", line_count as "lineCount", bad_count as "badCount", bad_lines as "badLines", format,
      summary, refusal,
      (select count(*) from cost_line where import_id = i.id)::int as counting
    from cost_import i order by made_at desc limit ${IMPORTS_MAX}`.execute(db)

export const deleteAbandonedImports = (db: Db) =>
  sql`delete from cost_import where state = 'receiving' and made_at < portal_now() - interval '1 day'`.execute(db)

export const selectWaitingImport = (tx: Tx, costImport: CostImportId) =>
  sql`select from cost_import where id = ${costImport} and state = 'waiting'`.execute(tx)

export const selectImportSummary = (tx: Tx, costImport: CostImportId) =>
  sql<{ summary: object }>`
    with of_import as (select * from cost_line where import_id = ${costImport})
    select jsonb_build_object('days', (select jsonb_build_array(min(day), max(day)) from of_import),
      'total', ${sumSql(sql`kind <> 'tax'`)}, 'tax', ${sumSql(sql`kind = 'tax'`)},
      'amortised', exists (select from of_import where kind = 'unused')) as summary`.execute(tx)

export const countUnclaimed = (tx: Tx, costImport: CostImportId) =>
  sql<{ unclaimed: number }>`
    select coalesce(sum(lines) filter (where owner = 'unclaimed'), 0)::int as unclaimed
    from ${ownedCosts(sql`l.import_id = ${costImport}`)} as owned`.execute(tx)

export const selectSameImport = (tx: Tx, digest: string) =>
  sql<Pick<Ended, 'line_count' | 'format'>>`
    select line_count, format from cost_import i where state = 'done' and digest = ${digest}
      and line_count = (select count(*) from cost_line where import_id = i.id) limit 1`.execute(tx)

export const deleteOlderLines = (tx: Tx, id: CostImportId) =>
  sql`
    delete from cost_line l using (
      select distinct provider, account, period from cost_line where import_id = ${id}) as mine
    where l.provider = mine.provider and l.account = mine.account and l.period = mine.period
      and l.import_id <> ${id}`.execute(tx)

export const insertImportAudit = (tx: Tx, costImport: CostImportId, madeBy: string, detail: string) =>
  sql`
    insert into audit (request_id, call, actor_email, detail)
    values (${costImport}, 'cost.import', ${madeBy}, ${detail})`.execute(tx)

export const selectMonths = (db: Db) =>
  sql<{ month: string }>`
    with recursive found as (
      select max(day) as day from cost_line
      union all
      select (select max(day) from cost_line where day < date_trunc('month', found.day)) from found where day is not null
    ) select to_char(day, 'YYYY-MM') as month from found where day is not null`.execute(db)

export const selectDaysOfMonth = (db: Db, first: string) =>
  sql<{ through: string | null; open: boolean; amortised: boolean; to: Date | null }>`
    with line as (select day, kind, provider from cost_line where day >= ${first}::date
      and day < ${first}::date + interval '1 month'),
    reach as (select max(day) as through from line where provider = 'azure' and kind = 'usage')
    select through, (through + 1)::timestamp at time zone 'UTC' as to,
      coalesce(through < (${first}::date + interval '1 month')::date - 1
        or portal_now() < (${first}::date + interval '1 month' + make_interval(days => ${LATE_DAYS})) at time zone 'UTC', false)
        as open,
      exists (select from line where kind = 'unused') as amortised
    from reach`.execute(db)

export const selectOwnedCosts = (db: Db, first: string) =>
  sql<{
    owner: CostOwner
    organization: string | null
    training: string | null
    training_id: TrainingId | null
    currency: string
    hundredths: number
  }>`
    select owner, o.name as organization, t.name as training, t.id as training_id, currency,
      round(sum(cost) * 100)::bigint as hundredths
    from ${ownedCosts(sql`l.kind <> 'tax' and l.day >= ${first}::date and l.day < ${first}::date + interval '1 month'`)} as owned
    left join organisation o on o.id = owned.organisation_id left join training t on t.id = owned.training_id
    group by owner, o.name, t.name, t.id, currency order by currency`.execute(db)

export const selectTaxes = (db: Db, first: string) =>
  sql<Money[number]>`
    select currency, round(sum(cost) * 100)::bigint as hundredths from cost_line
    where kind = 'tax' and day >= ${first}::date and day < ${first}::date + interval '1 month'
    group by currency order by currency`.execute(db)

export const upsertResources = (tx: Tx, resources: string) =>
  sql`
    insert into cost_resource as r (provider, key, name, kind, resource_group, tag, tag_value)
    select provider, key, name, kind, "group", tag, value
    from jsonb_to_recordset(${resources}::jsonb)
      as s (provider text, key text, name text, kind text, "group" text, tag text, value text)
    order by provider, key
    on conflict (provider, key) do update set tag = excluded.tag, tag_value = excluded.tag_value
      where excluded.tag is not null and (r.tag, r.tag_value) is distinct from (excluded.tag, excluded.tag_value)`.execute(
    tx,
  )

export const insertLines = (tx: Tx, id: CostImportId, lines: readonly PlacedLine[]) => {
  const columnOf = <T>(of: (line: PlacedLine) => T) => lines.map(of)
  return sql`
    insert into cost_line (import_id, file, line, identity, provider, account, period, day, kind, resource_id, service,
      cost, currency)
    select ${id}, s.file, s.line, s.identity, s.provider, s.account, s.period, s.day, s.kind, r.id, s.service, s.cost,
      s.currency
    from unnest(${columnOf(({ file }) => file)}::int[], ${columnOf(({ line }) => line)}::int[],
      ${columnOf(({ bill }) => bill.identity)}::text[], ${columnOf(({ bill }) => bill.provider)}::text[],
      ${columnOf(({ bill }) => bill.account)}::text[], ${columnOf(({ bill }) => bill.period)}::date[],
      ${columnOf(({ bill }) => bill.day)}::date[], ${columnOf(({ bill }) => bill.kind)}::text[],
      ${columnOf(({ bill }) => bill.resource?.toLowerCase() ?? null)}::text[],
      ${columnOf(({ bill }) => bill.service)}::text[], ${columnOf(({ bill }) => bill.cost)}::numeric[],
      ${columnOf(({ bill }) => bill.currency)}::text[])
      as s (file, line, identity, provider, account, period, day, kind, key, service, cost, currency)
    left join cost_resource r on r.provider = s.provider and r.key = s.key
    on conflict (import_id, identity) where identity is not null do nothing`.execute(tx)
}

export const selectUnclaimed = (db: Db, first: string) =>
  sql<Unclaimed['resources'][number] & { whole: number }>`
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

export const selectOrphans = (db: Db) =>
  sql<{
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
    select o.place_group as "resourceGroup", o.name, o.tag, o.first_seen_at as since,
      ${costADay(sql`r.provider = 'azure' and r.tag = 'machine' and r.tag_value = lower(o.tag)`)} as "costADay",
      org.name as organization, t.name as training,
      o.deletion_asked_by as by, o.deletion_asked_at as at, o.last_error as error
    from orphan o left join cost_adoption a on a.provider = 'azure' and a.of = 'tag' and a.value = lower(o.tag)
    left join organisation org on org.id = a.organisation_id left join training t on t.id = a.training_id
    where (o.gone_at is null or o.deletion_asked_at is not null) and o.deleted_at is null
    order by o.first_seen_at, o.place_group, o.name limit ${UNCLAIMED_MAX}`.execute(db)
