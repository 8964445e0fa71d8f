import type { AzureTags } from '@trainyard/platform/contract/words/azure-tags.ts'
import { tagsFor } from './spec.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import type { MachineSpec } from '@trainyard/templates/server/cloud.ts'
import { selectTemplateNeeds } from '@trainyard/templates/server/queries.ts'

export interface TemplateNeeds {
  readonly name: string
  /** True if the template's machines have no public address. */
  readonly isPrivate: boolean
  /** Example machines of the template, one for each set of tags of the organisations that can order the template. */
  readonly examples: readonly MachineSpec[]
}

export async function templateNeeds(db: Db, provider: string): Promise<TemplateNeeds[]> {
  const rows = await db.selectFrom('template').selectAll().where('provider', '=', provider).orderBy('name').execute()
  const { rows: customers } = await selectTemplateNeeds(db)
  return rows.map((row) => ({
    name: row.name,
    isPrivate: row.address_kind === 'private address',
    examples: tagsOfCustomers(customers, row.id).map((tags) => ({
      id: '00000000-0000-4000-8000-000000000000',
      organisation: 'example',
      training: 'example',
      name: 'example-1',
      securityGroup: 'training-example',
      place: row.place,
      size: row.size,
      os: row.os,
      licence: row.licence,
      image: row.image,
      adminUsername: 'example',
      adminPassword: '',
      tags: tagsFor(row.azure_tags, tags),
      addressKind: row.address_kind,
    })),
  }))
}

/**
 * Returns the sets of tags of the organisations that can order the template; one empty set if no organisation can order
 * it.
 */
function tagsOfCustomers(
  customers: readonly { readonly template: string; readonly tags: AzureTags }[],
  template: string,
): AzureTags[] {
  const tags = customers.filter((each) => each.template === template).map((each) => each.tags)
  return tags.length === 0 ? [{}] : tags
}

export function templatesBy<T, Template extends { readonly name: string }>(
  templates: readonly Template[],
  keyOf: (template: Template) => T,
): { readonly what: T; readonly of: string; readonly first: Template }[] {
  const groups = Map.groupBy(templates, (template) => JSON.stringify(keyOf(template)).toLowerCase())
  return [...groups.values()].map((each) => ({
    what: keyOf(each[0]!),
    first: each[0]!,
    of: namesOf(each.map(({ name }) => name)),
  }))
}

export function namesOf(names: readonly string[]): string {
  const listed = names.slice(0, 3).join(', ')
  return names.length > 3 ? `${listed} and ${names.length - 3} more` : listed
}
