import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/schema.ts'
import type { TemplateRow } from '../../../db/schema/template.ts'
import { notFound } from '../../../core/errors.ts'

/** @throws Problem notFound */
export async function templateNamed(db: Db, name: string): Promise<TemplateRow> {
  const found = await db
    .selectFrom('template')
    .selectAll()
    .where(sql`lower(name)`, '=', sql`lower(${name})`)
    .executeTakeFirst()
  if (found === undefined) throw notFound('template')
  return found
}

/**
 * Finds a template and holds it until the transaction ends: to use it, against a change; to change it, against every use.
 * @throws Problem notFound
 */
export async function holdTemplate(tx: Tx, name: string, to: 'use' | 'change'): Promise<TemplateRow> {
  const found = await tx
    .selectFrom('template')
    .selectAll()
    .where(sql`lower(name)`, '=', sql`lower(${name})`)
    .$if(to === 'use', (row) => row.forShare())
    .$if(to === 'change', (row) => row.forUpdate())
    .executeTakeFirst()
  if (found === undefined) throw notFound('template')
  return found
}
