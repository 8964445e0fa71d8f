import { sql } from 'kysely'
import type { OrganisationId, TemplateId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { TemplateRow } from '../tables.gen.ts'
import { notFound } from '@trainyard/platform/server/core/errors.ts'

/** @throws Problem notFound */
export async function findTemplate(db: Db, name: string): Promise<TemplateRow> {
  const found = await db
    .selectFrom('template')
    .selectAll()
    .where(sql`comparison_key(name)`, '=', sql`comparison_key(${name})`)
    .orderBy((eb) => eb('name', '=', name), 'desc')
    .limit(1)
    .executeTakeFirst()
  if (found === undefined) throw notFound('template')
  return found
}

/**
 * Locks a template. `use` blocks changes, `change` also blocks uses.
 * @throws Problem notFound
 */
export async function lockTemplate(tx: Tx, name: string, to: 'use' | 'change'): Promise<TemplateRow> {
  const found = await tx
    .selectFrom('template')
    .selectAll()
    .where(sql`comparison_key(name)`, '=', sql`comparison_key(${name})`)
    .orderBy((eb) => eb('name', '=', name), 'desc')
    .limit(1)
    .$if(to === 'use', (row) => row.forShare())
    .$if(to === 'change', (row) => row.forUpdate())
    .executeTakeFirst()
  if (found === undefined) throw notFound('template')
  return found
}

/** Returns a template that an organisation may order. @throws Problem notFound */
export async function assignedTemplate(tx: Tx, organisation: OrganisationId, name: string): Promise<TemplateId> {
  const found = await tx
    .selectFrom('template')
    .innerJoin('template_assignment', 'template_assignment.template_id', 'template.id')
    .select('template.id')
    .where('template.name', '=', name)
    .where('template_assignment.organisation_id', '=', organisation)
    .executeTakeFirst()
  if (found === undefined) throw notFound('template')
  return found.id
}
