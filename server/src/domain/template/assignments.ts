import { sql } from 'kysely'
import type { OrganisationId } from '@trainyard/contract/words/ids.ts'
import type { Db, TemplateRow, Tx } from '../../db/schema.ts'
import { absent } from '../../http/problem.ts'

/** @throws Problem absent */
export async function templateNamed(db: Db, name: string): Promise<TemplateRow> {
  const found = await db
    .selectFrom('template')
    .selectAll()
    .where(sql`lower(name)`, '=', sql`lower(${name})`)
    .executeTakeFirst()
  if (found === undefined) throw absent('template')
  return found
}

/**
 * The card, when the organisation may order from it. One that is not assigned is not there.
 * @throws Problem absent
 */
export async function assignedTemplate(tx: Tx, organisation: OrganisationId, name: string): Promise<TemplateRow> {
  const found = await tx
    .selectFrom('template')
    .innerJoin('template_assignment', 'template_assignment.template_id', 'template.id')
    .selectAll('template')
    .where(sql`lower(template.name)`, '=', sql`lower(${name})`)
    .where('template_assignment.organisation_id', '=', organisation)
    .executeTakeFirst()
  if (found === undefined) throw absent('template')
  return found
}
