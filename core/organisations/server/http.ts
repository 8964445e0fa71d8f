import { sql } from 'kysely'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import { emit, event } from '@trainyard/platform/server/core/events.ts'
import type { HandlersOf } from '@trainyard/platform/server/core/handler.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { createOrganisation } from './create.ts'
import { setLogo } from './logo.ts'
import { removeOrganisation } from './remove.ts'
import { lockOrganisation, organisationInScope } from './scope.ts'
import { changeProfile, changeSecurity, passwordsEnded, settingsOf } from './settings.ts'

/** The addresses that may connect to the machines of an organisation changed. */
export const sourcesChanged = event<OrganisationId>('organisations.sourcesChanged')

export const organisationCalls = (): HandlersOf<'organisation'> => ({
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
    await createOrganisation(tx, body.organization)
    return { message: `Organisation ${body.organization} created.` }
  },

  async remove(tx, { body }) {
    const name = await removeOrganisation(tx, body.organization)
    return { message: `Organisation ${name} deleted.` }
  },

  async settings(db, { actor, query }) {
    const { id } = await organisationInScope(db, actor, query.organization)
    return settingsOf(db, id)
  },

  async changeProfile(tx, { actor, body: { organization, ...profile }, auditChange }) {
    const { id, name } = await organisationInScope(tx, actor, organization)
    await lockOrganisation(tx, id, 'change')
    const before = await profileOf(tx, id)
    await changeProfile(tx, actor, id, profile)
    auditChange(before, await profileOf(tx, id))
    return { message: `The profile of ${name} is saved.` }
  },

  async changeSources(tx, { actor, body: { organization, managementSources }, auditChange }) {
    const { id, name } = await organisationInScope(tx, actor, organization)
    await lockOrganisation(tx, id, 'change')
    const { managementSources: before } = await settingsOf(tx, id)
    await tx.updateTable('organisation').set({ management_sources: managementSources }).where('id', '=', id).execute()
    await emit(tx, sourcesChanged, [id])
    auditChange({ managementSources: before }, { managementSources })
    return { message: `The addresses that may connect to machines of ${name} are saved. They apply within minutes.` }
  },

  async changeLogo(tx, { actor, body: { organization, image }, auditChange }) {
    const { id, name } = await organisationInScope(tx, actor, organization)
    await lockOrganisation(tx, id, 'change')
    const { logo: before } = await settingsOf(tx, id)
    auditChange({ logo: before }, { logo: await setLogo(tx, id, image) })
    return { message: image === null ? `${name} no longer has a logo.` : `The logo of ${name} is saved.` }
  },

  async changeSecurity(tx, { actor, sessionHash, body: { organization, ...security }, auditChange }) {
    const { id, name } = await organisationInScope(tx, actor, organization)
    await lockOrganisation(tx, id, 'change')
    const { security: before } = await settingsOf(tx, id)
    await changeSecurity(tx, id, security)
    if (before.passwordsAllowed && security.passwordsAllowed === false)
      await emit(tx, passwordsEnded, [{ organisation: id, kept: sessionHash }])
    auditChange(before, (await settingsOf(tx, id)).security)
    return { message: `The security settings of ${name} are saved.` }
  },
})

/** Returns the profile for the audit. The logo is audited separately. */
async function profileOf(tx: Tx, id: OrganisationId) {
  const { timeZone, gst, creditLimit, helpEmail, pseudonymsAllowed } = await settingsOf(tx, id)
  return { timeZone, gst, creditLimit, helpEmail, pseudonymsAllowed }
}
