import { sql } from 'kysely'
import type { Db } from '../../db/schema.ts'
import type { TemplateRow } from '../../db/schema/template.ts'
import { notFound } from '../../core/errors.ts'

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
