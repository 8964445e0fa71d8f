import type { AzureCloud } from '#src/azure/cloud.ts'

/** Columns of a copy that are not the model's own; `n` counts the copies from 1. */
const RESOURCE = {
  key: `model.key || '-' || n`,
  id: `model.id || '-' || n`,
  name: `model.name || '-' || n`,
  uid: `model.uid || '-' || n`,
  doc: `replace(model.doc, model.name, model.name || '-' || n)`,
}
const TAGS = `json_set(coalesce(model.tags, '{}'), '$."trainyard-machine"', printf('00000000-0000-7000-8000-%012d', n))`
const NUMBERS = 'WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ?)'

/**
 * Many machines stand beside one, each like it: to see what lists of them cost. They are called after it with `-1`,
 * `-2` and so on, carry ids of the form 00000000-0000-7000-8000-000000000001 in our tag, and share its network interface and disk.
 * Returns how many were made; undefined when there is no such machine, or several.
 */
export function copyMachine({ book, machines }: AzureCloud, name: string, count: number): number | undefined {
  const [model, another] = machines.existingByName(name)
  if (model === undefined || another !== undefined) return undefined
  return book.transaction(() => {
    const fill = (table: string, own: Readonly<Record<string, string>>, where: string, of: string) => {
      const columns = book.all<{ name: string }>(`PRAGMA table_info(${table})`).map((column) => column.name)
      const values = columns.map((column) => own[column] ?? `model."${column}"`)
      book.run(
        `${NUMBERS} INSERT INTO ${table} (${columns.map((column) => `"${column}"`).join()})
        SELECT ${values.join()} FROM ${table} model, number WHERE model.${where} = ?`,
        count,
        of,
      )
    }
    fill('resource', { ...RESOURCE, tags: TAGS }, 'key', model.key)
    fill('machine', { ...RESOURCE, tags: TAGS }, 'uid', model.uid)
    fill('power', { uid: RESOURCE.uid }, 'uid', model.uid)
    fill('link', { source: `model.source || '-' || n` }, 'source', model.key)
    return count
  })
}
