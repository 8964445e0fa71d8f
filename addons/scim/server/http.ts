import { sql } from 'kysely'
import { SCIM_PATH, SCIM_TOKEN_PREFIX, SCIM_TOKENS_MAX } from '../contract/scim-words.ts'
import type { ScimGroupId } from '@trainyard/platform/contract/words/ids.ts'
import { conflict, notFound } from '@trainyard/platform/server/core/errors.ts'
import type { HandlersOf } from '@trainyard/platform/server/core/handler.ts'
import type { JobQueue } from '@trainyard/platform/server/run/jobs/job.ts'
import { enqueueSecretCreated } from '@trainyard/users/server/secret-created.ts'
import { activeAdmins } from '@trainyard/users/server/admins.ts'
import { hashToken } from '@trainyard/platform/server/core/tokens.ts'
import { newSecret } from '@trainyard/platform/server/core/token.ts'
import { lockOrganisation, organisationInScope } from '@trainyard/organisations/server/scope.ts'
import { applyGroupRoles } from './group-levels.ts'
import { selectGroupsInUse, countScimUsers, deleteExpiredTokens, expireToken } from './queries.ts'
import { isTokenExpired } from './token.ts'

/** Characters of a token that lists show, enough to tell two tokens apart. */
const SHOWN = SCIM_TOKEN_PREFIX.length + 4

export const scimHandlers = ({
  jobs,
  publicUrl,
}: {
  readonly jobs: JobQueue
  readonly publicUrl: string
}): HandlersOf<'scim'> => ({
  async show(db, { actor, query }) {
    const { id } = await organisationInScope(db, actor, query.organization)
    const tokens = await db
      .selectFrom('scim_token')
      .selectAll()
      .select(isTokenExpired.as('expired'))
      .where('organisation_id', '=', id)
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .execute()
    const { rows: groups } = await selectGroupsInUse(db, id)
    const { rows: users } = await countScimUsers(db, id)
    return {
      url: `${publicUrl}${SCIM_PATH}`,
      tokens: tokens.map((row) => ({
        id: row.id,
        name: row.name,
        prefix: row.prefix,
        createdBy: row.created_by,
        created: row.created_at.toISOString(),
        expires: row.expires_at.toISOString(),
        used: row.used_at === null ? null : { at: row.used_at.toISOString(), address: row.used_address! },
        state: row.expired ? 'expired' : 'active',
      })),
      groups,
      users: users[0]!,
    }
  },

  async createToken(tx, { actor, address, body, auditChange }) {
    const { id: organisation, name } = await organisationInScope(tx, actor, body.organization)
    await lockOrganisation(tx, organisation, 'change')
    const { count } = await tx
      .selectFrom('scim_token')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('organisation_id', '=', organisation)
      .where(sql<boolean>`not ${isTokenExpired}`)
      .executeTakeFirstOrThrow()
    if (count >= SCIM_TOKENS_MAX)
      throw conflict(`${name} has ${SCIM_TOKENS_MAX} tokens. Revoke one before you create another.`)
    // An expired or revoked token makes room for its successor of the same name.
    await deleteExpiredTokens(tx, organisation, body.name)
    const token = newSecret(SCIM_TOKEN_PREFIX)
    const created = await tx
      .insertInto('scim_token')
      .values({
        organisation_id: organisation,
        token_hash: hashToken(token),
        prefix: token.slice(0, SHOWN),
        name: body.name,
        created_by: actor.email,
        expires_at: sql<Date>`portal_now() + make_interval(days => ${body.days})`,
      })
      .onConflict((on) => on.doNothing())
      .returning(['id', 'expires_at'])
      .executeTakeFirst()
    if (created === undefined) throw conflict('There is already a token with this name.')
    const admins = (await activeAdmins(tx, organisation)).map(({ id }) => id)
    const screen = { link: '/admin/organisation', button: 'Organisation Settings' } as const
    const secret = { what: 'directory token', name: body.name, expires: created.expires_at, ...screen }
    await enqueueSecretCreated(tx, jobs, admins, secret, { actor, address })
    auditChange(null, { id: created.id, name: body.name, organisation: name })
    return {
      id: created.id,
      token,
      expires: created.expires_at.toISOString(),
      message: `The token ${body.name} was created.`,
    }
  },

  async revokeToken(tx, { actor, body, auditChange }) {
    const { id: organisation, name } = await organisationInScope(tx, actor, body.organization)
    const { rows } = await expireToken(tx, body.id, organisation)
    const revoked = rows[0]
    if (revoked === undefined) throw notFound('token')
    auditChange({ ...revoked, organisation: name }, null)
    return { message: `The token ${revoked.name} was revoked.` }
  },

  async mapGroup(tx, { actor, body, auditChange }) {
    const { id } = await organisationInScope(tx, actor, body.organization)
    await lockOrganisation(tx, id, 'change')
    const group = await tx
      .selectFrom('scim_group')
      .select(['id', 'display_name', 'role'])
      .where('id', '=', body.group as ScimGroupId)
      .where('organisation_id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (group === undefined) throw notFound('group')
    await tx.updateTable('scim_group').set({ role: body.role }).where('id', '=', group.id).execute()
    const members = await tx.selectFrom('scim_group_member').select('value').where('group_id', '=', group.id).execute()
    const changed = await applyGroupRoles(
      tx,
      { organisation: { id } },
      members.map(({ value }) => value),
    )
    auditChange(
      { group: group.display_name, role: group.role },
      { group: group.display_name, role: body.role, changed },
    )
    const effect = changed.length === 1 ? '1 user has' : `${changed.length} users have`
    return { message: `The mapping of ${group.display_name} is saved. ${effect} another access level now.` }
  },
})
