import { sql } from 'kysely'
import { type HandlersOf, prepared } from '../../core/handler.ts'
import { notFound, conflict } from '../../core/errors.ts'
import { keepASuperadmin } from '../organisation/last-superadmin.ts'
import { holdOrganisation, organisationNamed } from '../organisation/scope.ts'
import { hashPassword } from './passwords.ts'
import { refuseWeak } from './weak-password.ts'

export const userHandlers: HandlersOf<'user'> = {
  async list(db) {
    const users = await db
      .selectFrom('portal_user')
      .leftJoin('organisation', 'organisation.id', 'portal_user.organisation_id')
      .select(['portal_user.email', 'organisation.name as organization', 'portal_user.role as userType'])
      .select(
        sql<number>`(select count(*) from machine where machine.organisation_id = portal_user.organisation_id
          and machine.email = portal_user.email and machine.terminated_at is null)`.as('machines'),
      )
      .orderBy('portal_user.email')
      .execute()
    return { users }
  },

  create: prepared({
    async prepare(_db, { body }) {
      refuseWeak(body.password, { email: body.email, organisation: body.organization })
      return hashPassword(body.password)
    },
    async change(tx, { body }, passwordHash) {
      const organisation = await organisationNamed(tx, body.organization)
      await holdOrganisation(tx, organisation.id, 'use')
      const made = await tx
        .insertInto('portal_user')
        .values({
          email: body.email,
          role: body.userType,
          organisation_id: organisation.id,
          password_hash: passwordHash,
        })
        .onConflict((on) => on.doNothing())
        .returning('id')
        .executeTakeFirst()
      if (made === undefined) throw conflict(`There is already a user with the e-mail ${body.email}.`)
      return { message: `User ${body.email} created successfully!` }
    },
  }),

  /** The user's machines stay, and their bills; only the account and its sessions go. */
  async remove(tx, { body }) {
    const user = await tx
      .selectFrom('portal_user')
      .leftJoin('organisation', 'organisation.id', 'portal_user.organisation_id')
      .select(['portal_user.id', 'portal_user.role'])
      .where('portal_user.email', '=', body.email)
      .where(sql`lower(organisation.name)`, 'is not distinct from', sql`lower(${body.organization}::text)`)
      .executeTakeFirst()
    if (user === undefined) throw notFound('user')
    if (user.role === 'superadmin') await keepASuperadmin(tx, ({ id }) => id === user.id)
    await tx.deleteFrom('portal_user').where('id', '=', user.id).execute()
    return { message: `User ${body.email} deleted successfully!` }
  },
}
