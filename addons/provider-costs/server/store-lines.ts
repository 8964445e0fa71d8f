import type { CostImportId } from '@trainyard/platform/contract/words/ids.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { upsertResources, insertLines, type PlacedLine } from './queries.ts'

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
  await upsertResources(tx, JSON.stringify([...resources.values()]))

  const { numAffectedRows } = await insertLines(tx, id, lines)
  return Number(numAffectedRows ?? 0)
}
