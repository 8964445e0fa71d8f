import { imageOf } from '../domain/lab/machine/spec.ts'
import type { Db } from '../db/schema.ts'
import type { MachineImage } from '../providers/cloud.ts'

export interface TemplateNeeds {
  readonly name: string
  readonly group: string
  readonly location: string
  readonly network: string
  readonly size: string
  readonly image: MachineImage
}

export async function templateNeeds(db: Db): Promise<TemplateNeeds[]> {
  const rows = await db.selectFrom('template').selectAll().orderBy('name').execute()
  return rows.map((row) => ({
    name: row.name,
    group: row.resource_group,
    location: row.location,
    network: row.vnet,
    size: row.vm_size,
    image: imageOf(row),
  }))
}

export function templatesBy<T>(
  templates: readonly TemplateNeeds[],
  what: (template: TemplateNeeds) => T,
): { readonly what: T; readonly of: string; readonly first: TemplateNeeds }[] {
  const groups = Map.groupBy(templates, (template) => JSON.stringify(what(template)).toLowerCase())
  return [...groups.values()].map((each) => ({
    what: what(each[0]!),
    first: each[0]!,
    of: namesOf(each.map(({ name }) => name)),
  }))
}

export function namesOf(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(', ')
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown
}
