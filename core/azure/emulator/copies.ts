import type { AzureCloud } from './cloud.ts'

/** SQL for the columns in which a copy differs from its model. `n` is the number of the copy, from 1. */
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
 * Copies are named `-1`, `-2` and so on and share the model's network interface and disk.
 * Returns their number, or undefined unless exactly one machine has the name.
 */
export function copyMachine({ database, machines }: AzureCloud, name: string, count: number): number | undefined {
  const [model, duplicate] = machines.existingByName(name)
  if (model === undefined || duplicate !== undefined) return undefined
  return database.transaction(() => {
    const copyRows = (
      table: string,
      expressions: Readonly<Record<string, string>>,
      keyColumn: string,
      value: string,
    ) => {
      const columns = database.all<{ name: string }>(`PRAGMA table_info(${table})`).map((column) => column.name)
      const values = columns.map((column) => expressions[column] ?? `model."${column}"`)
      database.run(
        `${NUMBERS} INSERT INTO ${table} (${columns.map((column) => `"${column}"`).join()})
        SELECT ${values.join()} FROM ${table} model, number WHERE model.${keyColumn} = ?`,
        count,
        value,
      )
    }
    copyRows('resource', { ...RESOURCE, tags: TAGS }, 'key', model.key)
    copyRows('machine', { ...RESOURCE, tags: TAGS }, 'uid', model.uid)
    copyRows('power', { uid: RESOURCE.uid }, 'uid', model.uid)
    copyRows('link', { source: `model.source || '-' || n` }, 'source', model.key)
    return count
  })
}
