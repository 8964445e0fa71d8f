import { sql } from 'kysely'
import type { CostImportId } from '@trainyard/contract/words/ids.ts'
import type { Tx } from '../../../db/schema.ts'
import type { BillLine } from './columns.ts'

export interface PlacedLine {
  readonly file: number
  readonly line: number
  readonly bill: BillLine
}

export async function storeLines(tx: Tx, id: CostImportId, lines: readonly PlacedLine[]): Promise<number> {
  if (lines.length === 0) return 0
  const resources = new Map<string, object>()
  for (const { bill } of lines) {
    const { provider, resource, resourceKind: kind, resourceGroup, tag, tagValue } = bill
    if (resource === null) continue
    const key = resource.toLowerCase()
    const known = resources.get(`${provider} ${key}`)
    // The tags of a resource come from any line with tags, because providers omit the tags on some lines.
    if (known !== undefined && tag === null) continue
    const name = resource.slice(resource.lastIndexOf('/') + 1)
    resources.set(`${provider} ${key}`, { provider, key, name, kind, group: resourceGroup, tag, value: tagValue })
  }
  await sql`
    insert into cost_resource as r (provider, key, name, kind, resource_group, tag, tag_value)
    select provider, key, name, kind, "group", tag, value
    from jsonb_to_recordset(${JSON.stringify([...resources.values()])}::jsonb)
      as s (provider text, key text, name text, kind text, "group" text, tag text, value text)
    order by provider, key
    on conflict (provider, key) do update set tag = excluded.tag, tag_value = excluded.tag_value
      where excluded.tag is not null and (r.tag, r.tag_value) is distinct from (excluded.tag, excluded.tag_value)`.execute(
    tx,
  )
  const columnOf = <T>(of: (line: PlacedLine) => T) => lines.map(of)
  const { numAffectedRows } = await sql`
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
  return Number(numAffectedRows ?? 0)
}
