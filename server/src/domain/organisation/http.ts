import { sql } from 'kysely'
import type { HandlersOf } from '../../core/handler.ts'
import { conflict } from '../../core/errors.ts'
import { type MayGo, removeOrganisation } from './remove.ts'

export const organisationCalls = (mayGo: MayGo): HandlersOf<'organisation'> => ({
  async list(db) {
    const rows = await db
      .selectFrom('organisation')
      .select('name')
      .where('removed_at', 'is', null)
      .orderBy(sql`lower(name)`)
      .execute()
    return { organization: rows.map((row) => row.name) }
  },

  async create(tx, { body }) {
    const made = await tx
      .insertInto('organisation')
      .values({ name: body.organization, logo: null })
      .onConflict((on) => on.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (made === undefined) throw conflict(`There is already an organisation named ${body.organization}.`)
    return { message: `Organisation ${body.organization} created.` }
  },

  async remove(tx, { body }) {
    const name = await removeOrganisation(tx, body.organization, mayGo)
    return { message: `Organisation ${name} deleted.` }
  },
})
