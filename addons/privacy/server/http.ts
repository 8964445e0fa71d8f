import { deactivateUser } from '@trainyard/users/server/role.ts'
import { conflict, Problem } from '@trainyard/platform/server/core/errors.ts'
import type { HandlersOf } from '@trainyard/platform/server/core/handler.ts'
import { organisationInScope } from '@trainyard/organisations/server/scope.ts'
import { exportAsText, exportPerson, type PersonExport } from './export.ts'
import { changePrivacySettings, privacySettings } from './settings.ts'
import { personInScope } from '@trainyard/users/server/change-user.ts'
import { revokeLinks } from '@trainyard/users/server/invitation-link.ts'
import { endSessionsOf } from '@trainyard/users/server/sessions.ts'
import { personOf, requireErasable } from './person.ts'
import { ask } from '@trainyard/platform/server/core/events.ts'
import { isAddressUnproven } from '@trainyard/users/server/address.ts'

const LISTED_MAX = 200

const fileOf = (data: PersonExport, format: 'json' | 'text') =>
  format === 'json'
    ? { name: 'personal-data.json', type: 'application/json', content: [JSON.stringify(data, null, 2)] }
    : { name: 'personal-data.txt', type: 'text/plain', content: [exportAsText(data)] }

export const privacyHandlers: HandlersOf<'privacy'> = {
  async settings(db, { actor, query }) {
    const { id } = await organisationInScope(db, actor, query.organization)
    return privacySettings(db, id)
  },

  async changeSettings(tx, { actor, body: { organization, ...changes }, auditChange }) {
    const { id, name } = await organisationInScope(tx, actor, organization)
    auditChange({ organization: name, ...(await privacySettings(tx, id)) }, { organization: name, ...changes })
    await changePrivacySettings(tx, id, changes)
    return { message: 'The privacy settings were saved.' }
  },

  async notice(db, { actor }) {
    const { responsible, contact, purpose, noticeUrl } = await privacySettings(db, actor.organisation?.id ?? null)
    return { responsible, contact, purpose, noticeUrl }
  },

  async exportPerson(tx, { actor, body }) {
    const { organisation_id: organisation } = await personInScope(tx, actor, body.email)
    return fileOf(await exportPerson(tx, body.email, actor.role === 'superadmin' ? null : organisation), body.format)
  },

  async exportMine(tx, { actor, body }) {
    const scope = (await ask(tx, isAddressUnproven, { user: actor.id, email: actor.email }))
      ? actor.organisation!.id
      : null
    return fileOf(await exportPerson(tx, actor.email, scope), body.format)
  },

  async erase(tx, { actor, body, auditChange }) {
    const { id, role, organisation_id: organisation } = await personInScope(tx, actor, body.email)
    if (id === actor.id) throw conflict('Another admin must erase your data, because this ends your session.')
    // An erasure deletes the user, and only superadmins delete admins.
    if (role === 'admin' && actor.role !== 'superadmin')
      throw new Problem('forbidden', 'Only superadmins can delete an admin.')
    const scope = actor.role === 'superadmin' ? null : organisation
    await requireErasable(tx, await personOf(tx, body.email, scope), scope)
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('person_erasure')
      .values({ email: body.email, organisation_id: scope, asked_by: actor.email })
      .onConflict((on) => on.doNothing())
      .executeTakeFirst()
    if (numInsertedOrUpdatedRows === 0n) throw conflict('The erasure was already requested.')
    // The person can do nothing more until the task has deleted the user.
    const found = await tx
      .selectFrom('portal_user')
      .select('id')
      .where('id', '=', id)
      // The task finds the person by the address, which a confirmed link may have changed in the meantime.
      .where('email', '=', body.email)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (found === undefined) throw conflict(`${body.email} was changed in the meantime. Please reload and try again.`)
    await deactivateUser(tx, id)
    await endSessionsOf(tx, id)
    await revokeLinks(tx, id)
    auditChange({ email: body.email }, null)
    return { message: `The account of ${body.email} was closed. The data will be erased within minutes.` }
  },

  async erasures(db, { actor, query }) {
    const isSuperadmin = actor.role === 'superadmin'
    const organisation =
      isSuperadmin && query.organization === undefined ? null : await organisationInScope(db, actor, query.organization)
    const rows = await db
      .selectFrom('person_erasure')
      .selectAll()
      .$if(organisation !== null, (q) =>
        // Erasures by superadmins cover all organisations and are stored without one.
        q.where((eb) =>
          eb.or([
            eb('organisation_id', '=', organisation!.id),
            ...(isSuperadmin ? [eb('organisation_id', 'is', null)] : []),
          ]),
        ),
      )
      .orderBy('number', 'desc')
      .limit(LISTED_MAX)
      .execute()
    return {
      erasures: rows.map((row) => ({
        number: row.number,
        email: row.email,
        askedBy: row.asked_by,
        askedAt: row.asked_at.toISOString(),
        doneAt: row.done_at?.toISOString() ?? null,
        problem: row.problem,
        report: (row.report ?? []) as { table: string; rows: number }[],
      })),
    }
  },
}
