import { isIP } from 'node:net'
import { type RawBuilder, sql } from 'kysely'
import type { ApiKeyId, UserId } from '@trainyard/platform/contract/words/ids.ts'
import type { SecondFactorRule } from '@trainyard/platform/contract/words/sign-in.ts'
import { sqlOf } from '@trainyard/platform/server/core/events.ts'
import { plainAddress } from '@trainyard/platform/server/core/network.ts'
import { hashToken } from '@trainyard/platform/server/core/tokens.ts'
import { unlessUpgraded } from '@trainyard/platform/server/db/lost.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { FoundKey } from '@trainyard/platform/server/core/identity.ts'
import { dutyOf, secondFactorDuty } from '@trainyard/users/server/restricted.ts'
import { mustChangePassword } from '@trainyard/users/server/valid-session.ts'

export const isKeyExpired = sql<boolean>`api_key.expires_at <= portal_now()`

/** SQL: true for a row of `api_key` if `maker`, who created the key, still has the role and organisation of the key. */
const keyIsValid = (maker: string): RawBuilder<boolean> =>
  sql<boolean>`(not ${isKeyExpired} and ${sql.ref(`${maker}.deactivated_at`)} is null
    and ${sql.ref(`${maker}.role`)} = api_key.role
    and ${sql.ref(`${maker}.organisation_id`)} is not distinct from api_key.organisation_id)`

/** SQL: the hashes of all valid keys, with their users. */
export const VALID_KEYS = sql`
  select api_key.token_hash, api_key.user_id from api_key join portal_user maker on maker.id = api_key.user_id
  where ${keyIsValid('maker')}`

/**
 * Returns an active key with its user; null for any other token. Reads the user's current role, so that a key never has
 * more rights than this user.
 * @param of address: IP address of the client. A key with allowed networks is accepted only from these networks
 */
export async function findApiKey(
  db: Db,
  { token, address, rule }: { readonly token: string; readonly address: string; readonly rule: SecondFactorRule },
): Promise<FoundKey | null> {
  const client = plainAddress(address)
  if (isIP(client) === 0) return null
  const hash = hashToken(token)
  const row = await db
    .selectFrom('api_key')
    .innerJoin('portal_user', 'portal_user.id', 'api_key.user_id')
    .leftJoin('organisation', 'organisation.id', 'portal_user.organisation_id')
    .select([
      'api_key.id as key',
      'api_key.scopes',
      'portal_user.id',
      'portal_user.email',
      'portal_user.role',
      'organisation.id as organisation_id',
      'organisation.name',
      'organisation.time_zone',
      'organisation.logo',
      sql<boolean>`api_key.used_at is null or api_key.used_at <= portal_now() - interval '1 minute'`.as('unrecorded'),
      mustChangePassword.as('must_change_password'),
      sqlOf(secondFactorDuty, rule).as('duty'),
    ])
    .where('api_key.token_hash', '=', hash)
    .where(keyIsValid('portal_user'))
    .where(sql<boolean>`(cardinality(api_key.networks) = 0 or ${client}::inet <<= any(api_key.networks))`)
    .executeTakeFirst()
  if (row === undefined) return null
  if (row.unrecorded) await unlessUpgraded(db, recordUse(db, row.key, client))
  const { id, email, role, organisation_id, name, time_zone, logo } = row
  const organisation =
    organisation_id === null ? null : { id: organisation_id, name: name!, timeZone: time_zone!, logo }
  return {
    actor: { id, email, role, organisation },
    key: { id: row.key, hash, scopes: row.scopes },
    mustChangePassword: row.must_change_password,
    duty: dutyOf(row.duty),
  }
}

const recordUse = (db: Db, key: ApiKeyId, address: string) =>
  db
    .updateTable('api_key')
    .set({ used_at: sql<Date>`portal_now()`, used_address: address })
    .where('id', '=', key)
    .execute()

/** Revokes the keys of a user. Returns the number of those that had not expired. */
export async function revokeKeys(tx: Tx, user: UserId): Promise<number> {
  const revoked = await tx
    .deleteFrom('api_key')
    .where('user_id', '=', user)
    .returning(isKeyExpired.as('expired'))
    .execute()
  return revoked.filter(({ expired }) => !expired).length
}

/** Returns the number of keys of a user that have not expired. */
export async function countKeys(db: Db, user: UserId): Promise<number> {
  const { count } = await db
    .selectFrom('api_key')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', user)
    .where(sql<boolean>`not ${isKeyExpired}`)
    .executeTakeFirstOrThrow()
  return count
}
