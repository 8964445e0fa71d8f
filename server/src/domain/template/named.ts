import { sql } from 'kysely'
import type { Db } from '../../db/schema.ts'
import type { TemplateRow } from '../../db/schema/template.ts'
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
