import { isIP } from 'node:net'
import { sql } from 'kysely'
import type { OrganisationId, ScimTokenId } from '@trainyard/platform/contract/words/ids.ts'
import { SCIM_TOKEN_PREFIX } from '../contract/scim-words.ts'
import { plainAddress } from '@trainyard/platform/server/core/network.ts'
import { hashToken } from '@trainyard/platform/server/core/tokens.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { hasSecretForm } from '@trainyard/platform/server/core/token.ts'

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
