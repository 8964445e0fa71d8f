import { sql } from 'kysely'
import type { UserId } from '@trainyard/platform/contract/words/ids.ts'
import { sqlOf } from '@trainyard/platform/server/core/events.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { signsInBy } from '@trainyard/users/server/sign-in-ways.ts'

export const selectFactors = (db: Db, user: UserId) =>
  sql<{ app: boolean; passkeys: number }>`
    select exists (select from authenticator_app where user_id = ${user}) as app,
      (select count(*)::int from passkey where user_id = ${user}) as passkeys`.execute(db)

export const selectWithSignInMethod = (tx: Tx, user: UserId) =>
  sql`
    select from portal_user u where u.id = ${user} and (u.password_hash is not null
      or ${sqlOf(signsInBy, { user: 'u', way: 'credential' })} or ${sqlOf(signsInBy, { user: 'u', way: 'provider' })}
      or ${sqlOf(signsInBy, { user: 'u', way: 'system' })})`.execute(tx)
