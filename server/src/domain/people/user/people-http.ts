import type { HandlersOf } from '../../../core/handler.ts'
import { organisationInScope } from '../organisation/scope.ts'
import { changeRole, nameOf, personInScope, rename } from './people.ts'
import { endSessionsOf } from './sessions.ts'

export const peopleHandlers: HandlersOf<'people'> = {
  async list(db, { actor, query }) {
    const { id } = await organisationInScope(db, actor, query.organization)
    const people = await db
      .selectFrom('portal_user')
      .select(['email', 'name', 'role as userType'])
      .where('organisation_id', '=', id)
      .$if(actor.role !== 'superadmin', (q) => q.where('role', '<>', 'superadmin'))
      .orderBy('email')
      .execute()
    return { people }
  },

  async change(tx, { actor, body: { email, name, userType, signOut }, auditChange }) {
    const person = await personInScope(tx, actor, email)
    if (userType !== undefined) await changeRole(tx, actor, person, userType)
    if (name !== undefined) await rename(tx, person.id, name)
    if (signOut) await endSessionsOf(tx, person.id)
    auditChange(
      { email, name: person.name, userType: person.role },
      {
        email,
        name: name === undefined ? person.name : name,
        userType: userType ?? person.role,
        ...(signOut && { signedOut: true }),
      },
    )
    if (userType !== undefined)
      return { message: `${email} now has the access level ${userType} and must log in again.` }
    return { message: signOut ? `${email} was signed out everywhere.` : `${email} was changed.` }
  },

  async renameMyself(tx, { actor, body, auditChange }) {
    auditChange({ name: await nameOf(tx, actor.id) }, { name: body.name })
    await rename(tx, actor.id, body.name)
    return { message: body.name === null ? 'Your name was removed.' : `Your name is now ${body.name}.` }
  },
}
