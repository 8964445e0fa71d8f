import { sql } from 'kysely'
import { givenNameFirst } from '@trainyard/platform/contract/words/person-name.ts'
import type { HandlersOf } from '@trainyard/platform/server/core/handler.ts'
import type { JobQueue } from '@trainyard/platform/server/run/jobs/job.ts'
import { type AnswerTo, emit } from '@trainyard/platform/server/core/events.ts'
import type { pagesSought } from '@trainyard/platform/server/core/search.ts'
import { selectPeopleLike } from './queries.ts'
import { withWarnings } from './left-behind.ts'
import { adminsAdded } from './role.ts'
import { organisationInScope } from '@trainyard/organisations/server/scope.ts'
import { changeRole, nameOf, personInScope, rename } from './change-user.ts'
import { invitationState, newestInvitation } from './invitation-state.ts'
import { inviteAgain } from './invite-users.ts'
import { endSessionsOf } from './sessions.ts'

export const peopleHandlers = ({ jobs }: { readonly jobs: JobQueue }): HandlersOf<'people'> => ({
  async list(db, { actor, query }) {
    const { id } = await organisationInScope(db, actor, query.organization)
    const rows = await db
      .selectFrom('portal_user as u')
      .leftJoinLateral(newestInvitation().as<'newest'>(sql.ref('newest')), (join) => join.onTrue())
      .select(['u.email', 'u.name', 'u.role as userType', 'u.password_hash', 'newest.bounced_at', 'newest.bounce'])
      .select(['newest.created_at', 'newest.delivered_at', 'newest.opened_at', 'newest.until'])
      .where('u.organisation_id', '=', id)
      .$if(actor.role !== 'superadmin', (q) => q.where('u.role', '<>', 'superadmin'))
      .orderBy('u.email')
      .execute()
    const people = rows.map(({ email, name, userType, password_hash, ...newest }) => {
      const invitation = password_hash === null ? invitationState(newest) : null
      return { email, name, userType, bounced: invitation?.bounced ?? null, invitation }
    })
    return { people }
  },

  async change(tx, { actor, body: { email, name, userType, signOut }, auditChange }) {
    const person = await personInScope(tx, actor, email)
    if (userType !== undefined) await changeRole(tx, actor, person, userType)
    if (userType === 'admin') await emit(tx, adminsAdded, [person.organisation_id!])
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
    if (userType !== undefined) {
      const message = `${email} now has the access level ${userType} and must log in again.`
      return { message: userType === 'user' ? await withWarnings(tx, person, message) : message }
    }
    return { message: signOut ? `${email} was signed out everywhere.` : `${email} was changed.` }
  },

  async invite(tx, { actor, body: { email, newEmail = email }, auditChange }) {
    const person = await personInScope(tx, actor, email)
    await inviteAgain(tx, jobs, person, { newEmail, by: actor.role })
    auditChange({ email }, { email: newEmail })
    return { message: `A new invitation is on its way to ${newEmail}.` }
  },

  async renameMyself(tx, { actor, body, auditChange }) {
    auditChange({ name: await nameOf(tx, actor.id) }, { name: body.name })
    await rename(tx, actor.id, body.name)
    return { message: body.name === null ? 'Your name was removed.' : `Your name is now ${body.name}.` }
  },
})

/** Finds people by the beginning of their e-mail address or of a part of their name. */
export const findPeople: AnswerTo<typeof pagesSought> = async (db, sought) => {
  const { rows } = await selectPeopleLike(db, sought)
  return rows.map(({ email, name, organisation }) => {
    const named = sought.within === null ? organisation : null
    const search: Record<string, string> = named === null ? {} : { organization: named }
    return {
      group: 'People',
      label: name === null ? email : givenNameFirst(name),
      hint: [name === null ? null : email, named].filter((part) => part !== null).join(' · '),
      path: organisation === null ? '/overview' : '/admin/people',
      search,
    }
  })
}
