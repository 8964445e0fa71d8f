import { sql } from 'kysely'
import type { HandlersOf } from '../../core/handler.ts'
import { conflict } from '../../core/errors.ts'
import { type MayGo, removeOrganisation } from './remove.ts'
import { holdOrganisation, organisationInScope } from './scope.ts'
import { changeProfile, changeSecurity, settingsOf } from './settings.ts'

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

  async settings(db, { actor, query }) {
    const { id } = await organisationInScope(db, actor, query.organization)
    return settingsOf(db, id)
  },

  async changeProfile(tx, { actor, body: { organization, ...profile } }) {
    const { id, name } = await organisationInScope(tx, actor, organization)
    await holdOrganisation(tx, id, 'use')
    await changeProfile(tx, actor, id, profile)
    return { message: `The profile of ${name} is saved.` }
  },

  async changeSecurity(tx, { actor, body: { organization, ...security } }) {
    const { id, name } = await organisationInScope(tx, actor, organization)
    await holdOrganisation(tx, id, 'use')
    await changeSecurity(tx, id, security)
    return { message: `The security settings of ${name} are saved.` }
  },
})
