import { sql } from 'kysely'
import type { BodyOf, ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { identityProvider } from '../contract/identity-provider.ts'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { conflict, Problem } from '@trainyard/platform/server/core/errors.ts'
import type { Seal } from '@trainyard/platform/server/run/secrets/seal.ts'
import type { Claims } from './open-id-provider.ts'
import { endSessionsOpened } from '@trainyard/users/server/sessions.ts'
import { signInExpired } from './attempt.ts'
import { recordOf } from './domains.ts'
import { hasUsedSecondFactor } from './identity.ts'
import { type IdentityProvider, sealedSecret } from './provider.ts'
import { revokeInvitations } from './queries.ts'

type Shown = ReplyOf<typeof identityProvider.show>
type Given = Omit<BodyOf<typeof identityProvider.save>, 'organization'>

export async function providerSettingsOf(
  db: Db,
  seal: Seal,
  organisation: OrganisationId,
): Promise<Omit<Shown, 'redirectUri'>> {
  const row = await db
    .selectFrom('identity_provider')
    .select(['issuer', 'client_id', 'group_claim', 'signs_out_there', 'admins_need_second_factor', 'worked_at'])
    .where('organisation_id', '=', organisation)
    .executeTakeFirst()
  const groups = await db
    .selectFrom('identity_provider_group')
    .select(['name as group', 'role'])
    .where('organisation_id', '=', organisation)
    .orderBy('name')
    .execute()
  const domains = await db
    .selectFrom('organisation_domain')
    .select(['domain', 'verified_by'])
    .where('organisation_id', '=', organisation)
    .orderBy('domain')
    .execute()
  return {
    provider:
      row === undefined
        ? null
        : {
            issuer: row.issuer,
            clientId: row.client_id,
            groupClaim: row.group_claim,
            groups,
            signsOutThere: row.signs_out_there,
            adminsNeedSecondFactor: row.admins_need_second_factor,
            workedAt: row.worked_at?.toISOString() ?? null,
          },
    domains: domains.map(({ domain, verified_by }) => ({
      domain,
      verifiedBy: verified_by,
      record: recordOf(seal, organisation, domain),
    })),
  }
}

/**
 * Stores the settings. Another issuer or client ends the sessions that were opened through the former one. If admins now
 * need a second factor, their sessions that were opened through the provider end.
 * @param kept session of the actor, which does not end
 * @throws Problem malformed without a secret for a new issuer; conflict while passwords are disabled, if no sign-in
 * with the new settings has succeeded
 */
export async function saveProvider(
  tx: Tx,
  seal: Seal,
  organisation: OrganisationId,
  options: Given,
  kept: Buffer | null,
): Promise<void> {
  const before = await tx
    .selectFrom('identity_provider')
    .selectAll()
    .where('organisation_id', '=', organisation)
    .forUpdate()
    .executeTakeFirst()
  const same = before?.issuer === options.issuer && before.client_id === options.clientId
  if (!same && options.clientSecret === undefined) {
    throw new Problem('malformed', 'clientSecret is missing. A new issuer or client needs its own secret.')
  }
  const asksMore = options.adminsNeedSecondFactor && before?.admins_need_second_factor !== true
  const isProved = same && !asksMore
  if (before !== undefined && !isProved) await requirePasswordsAllowed(tx, organisation)
  if (!same) await endProviderAccess(tx, organisation, kept)
  else if (asksMore) await endSessionsOpened(tx, 'provider', organisation, kept, sql<boolean>`u.role = 'admin'`)
  const columns = {
    issuer: options.issuer,
    client_id: options.clientId,
    client_secret:
      options.clientSecret === undefined
        ? before!.client_secret
        : sealedSecret(seal, organisation, options.clientSecret),
    group_claim: options.groupClaim,
    signs_out_there: options.signsOutThere,
    admins_need_second_factor: options.adminsNeedSecondFactor,
    worked_at: isProved ? before.worked_at : null,
  }
  await tx
    .insertInto('identity_provider')
    .values({ organisation_id: organisation, ...columns })
    .onConflict((on) => on.column('organisation_id').doUpdateSet(columns))
    .execute()
  await tx.deleteFrom('identity_provider_group').where('organisation_id', '=', organisation).execute()
  const rows = options.groups.map(({ group, role }) => ({ organisation_id: organisation, name: group, role }))
  if (rows.length > 0) await tx.insertInto('identity_provider_group').values(rows).execute()
}

/**
 * Removes the provider and ends the sessions that were opened through it.
 * @param kept session of the actor, which does not end
 * @throws Problem conflict if there is none, or while passwords are disabled
 */
export async function removeProvider(tx: Tx, organisation: OrganisationId, kept: Buffer | null): Promise<void> {
  await requirePasswordsAllowed(tx, organisation)
  const { numDeletedRows } = await tx
    .deleteFrom('identity_provider')
    .where('organisation_id', '=', organisation)
    .executeTakeFirst()
  if (numDeletedRows === 0n) throw conflict('No identity provider is configured.')
  await endProviderAccess(tx, organisation, kept)
}

/** Ends the sessions of the former provider, and revokes the mailed links that would link accounts to its users. */
async function endProviderAccess(tx: Tx, organisation: OrganisationId, kept: Buffer | null): Promise<void> {
  await endSessionsOpened(tx, 'provider', organisation, kept)
  await revokeInvitations(tx, organisation)
}

/**
 * Records a sign-in. If admins need a second factor, only a sign-in that reports one counts. Otherwise all admins could
 * be locked out.
 */
export async function recordSuccessfulSignIn(
  tx: Tx,
  { organisation, client, adminsNeedSecondFactor }: IdentityProvider,
  claims: Claims,
): Promise<void> {
  if (adminsNeedSecondFactor && !hasUsedSecondFactor(claims)) return
  await tx
    .updateTable('identity_provider')
    .set({ worked_at: sql<Date>`portal_now()` })
    .where('organisation_id', '=', organisation)
    .where('issuer', '=', client.issuer)
    .where('client_id', '=', client.clientId)
    .where('admins_need_second_factor', '=', adminsNeedSecondFactor)
    .where('worked_at', 'is', null)
    .execute()
}

/**
 * Throws if the provider was removed or changed during the sign-in. Locks it, so that a concurrent removal ends the new
 * session. Call after `recordSuccessfulSignIn`, whose update conflicts with this lock of other sign-ins.
 * @throws Problem forbidden
 */
export async function requireUnchanged(tx: Tx, { organisation, client }: IdentityProvider): Promise<void> {
  const same = await tx
    .selectFrom('identity_provider')
    .select('organisation_id')
    .where('organisation_id', '=', organisation)
    .where('issuer', '=', client.issuer)
    .where('client_id', '=', client.clientId)
    .forKeyShare()
    .executeTakeFirst()
  if (same === undefined) throw signInExpired()
}

/**
 * Throws while passwords are disabled, because the provider is then the only sign-in method.
 * @throws Problem conflict
 */
export async function requirePasswordsAllowed(tx: Tx, organisation: OrganisationId): Promise<void> {
  const { passwords_allowed: allowed } = await tx
    .selectFrom('organisation')
    .select('passwords_allowed')
    .where('id', '=', organisation)
    .forShare()
    .executeTakeFirstOrThrow()
  if (!allowed) throw conflict('Users could no longer sign in. Allow sign-in with a password first.')
}
