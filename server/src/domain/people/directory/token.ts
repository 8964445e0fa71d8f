import { isIP } from 'node:net'
import { sql } from 'kysely'
import type { OrganisationId, ScimTokenId } from '@trainyard/contract/words/ids.ts'
import { SCIM_TOKEN_PREFIX } from '@trainyard/contract/words/scim.ts'
import { plainAddress } from '../../../core/network.ts'
import { hashToken } from '../../../core/tokens.ts'
import type { Db } from '../../../db/schema.ts'
import type { PortalUserRow } from '../../../db/tables/users.gen.ts'
import { hasSecretForm } from '../api-key/token.ts'

/** A valid token, with the organisation that it gives access to. */
export interface ScimToken {
  readonly id: ScimTokenId
  readonly name: string
  readonly organisation: { readonly id: OrganisationId; readonly name: string }
}

export const isTokenExpired = sql<boolean>`scim_token.expires_at <= portal_now()`

/** Returns an active token; null for an unknown or expired token. Records the use of a token at most once a minute. */
export async function findScimToken(db: Db, token: string, address: string): Promise<ScimToken | null> {
  // A wrong form or checksum needs no query.
  if (!hasSecretForm(SCIM_TOKEN_PREFIX, token)) return null
  const row = await db
    .selectFrom('scim_token')
    .innerJoin('organisation', 'organisation.id', 'scim_token.organisation_id')
    .select([
      'scim_token.id',
      'scim_token.name',
      'organisation.id as organisation',
      'organisation.name as organisation_name',
      sql<boolean>`scim_token.used_at is null or scim_token.used_at <= portal_now() - interval '1 minute'`.as(
        'unrecorded',
      ),
    ])
    .where('scim_token.token_hash', '=', hashToken(token))
    .where(sql<boolean>`not ${isTokenExpired}`)
    .where('organisation.removed_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined) return null
  const client = plainAddress(address)
  if (row.unrecorded && isIP(client) !== 0) {
    await db
      .updateTable('scim_token')
      .set({ used_at: sql<Date>`portal_now()`, used_address: client })
      .where('id', '=', row.id)
      .execute()
  }
  return { id: row.id, name: row.name, organisation: { id: row.organisation, name: row.organisation_name } }
}

/**
 * Appends a warning if a former admin created directory tokens that are still valid. The tokens are not revoked, because
 * the organisation's directory would stop working.
 */
export async function withTokensOf(
  db: Db,
  { email, organisation_id }: Pick<PortalUserRow, 'email' | 'organisation_id'>,
  message: string,
): Promise<string> {
  const tokens = await db
    .selectFrom('scim_token')
    .select('name')
    .where('organisation_id', '=', organisation_id)
    .where('created_by', '=', email)
    .where(sql<boolean>`not ${isTokenExpired}`)
    .orderBy('name')
    .execute()
  if (tokens.length === 0) return message
  const names = tokens.map(({ name }) => name).join(', ')
  return tokens.length === 1
    ? `${message} They created the directory token ${names}, which is still valid. Replace it in Organisation Settings.`
    : `${message} They created the directory tokens ${names}, which are still valid. Replace them in Organisation Settings.`
}
