import type { UserId } from '@trainyard/platform/contract/words/ids.ts'
import type { AssignableRole, Role } from '@trainyard/platform/contract/words/role.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { PortalUserRow } from '../tables.gen.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { emit } from '@trainyard/platform/server/core/events.ts'
import { conflict, notFound, Problem } from '@trainyard/platform/server/core/errors.ts'
import { requireAnotherAdmin, requireAnotherSuperadmin } from './last-admin.ts'
import { recordControl } from './controlled-users.ts'
import { endSessionsOf } from './sessions.ts'
import { roleGiven, setRole } from './role.ts'

export type Person = Pick<PortalUserRow, 'id' | 'email' | 'name' | 'role' | 'organisation_id'>

/**
 * Returns a user in the actor's scope. The scope of a superadmin is every user; the scope of an admin is the users of
 * the organisation who are not superadmins.
 * @throws Problem notFound
 */
export async function personInScope(tx: Tx, actor: Actor, email: string): Promise<Person> {
  const found = await tx
    .selectFrom('portal_user')
    .select(['id', 'email', 'name', 'role', 'organisation_id'])
    .where('email', '=', email)
    .$if(actor.role !== 'superadmin', (q) =>
      q.where('organisation_id', '=', actor.organisation?.id ?? null).where('role', '<>', 'superadmin'),
    )
    .executeTakeFirst()
  if (found === undefined) throw notFound('user')
  return found
}

export async function nameOf(db: Db, id: UserId): Promise<string | null> {
  const found = await db.selectFrom('portal_user').select('name').where('id', '=', id).executeTakeFirst()
  return found?.name ?? null
}

export async function rename(tx: Tx, id: UserId, name: string | null): Promise<void> {
  await tx.updateTable('portal_user').set({ name }).where('id', '=', id).execute()
}

/**
 * Changes a user's role and ends their sessions, which also closes their open streams.
 * @throws Problem forbidden if the actor is not a superadmin; conflict if the user cannot have the role, already has
 * it, or is the last admin
 */
export async function changeRole(tx: Tx, actor: Actor, person: Person, role: AssignableRole): Promise<void> {
  if (actor.role !== 'superadmin') throw new Problem('forbidden', 'Only superadmins can change the access level.')
  const { id, email } = person
  if (isLabUserRole(person.role)) throw conflict(`${email} is a lab user. Their access level cannot be changed.`)
  if (person.role === role) throw conflict(`${email} already has the access level ${role}.`)
  if (person.role === 'superadmin')
    await requireAnotherSuperadmin(tx, (user) => user.id === id, 'The last superadmin cannot get another access level.')
  if (person.organisation_id === null) {
    throw conflict(`${email} does not belong to an organisation and can only be a superadmin.`)
  }
  if (role === 'user') await requireAnotherAdmin(tx, person, 'becomes a user')
  // Before the user's row is locked: a directory locks its own row of a user first.
  await emit(tx, roleGiven, [{ user: id, role, isChosen: true }])
  // The checks depend on the role. If it changed in the meantime, the user may now be the last superadmin.
  if (!(await setRole(tx, id, role, person.role)))
    throw conflict(`${email} was changed in the meantime. Please reload and try again.`)
  if (role === 'superadmin') await recordControl(tx, id, actor.id, 'promoted')
  await endSessionsOf(tx, id)
}

const isLabUserRole = (role: Role): boolean => role === 'sandboxuser' || role === 'awssandboxuser'
