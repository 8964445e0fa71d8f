import { sql } from 'kysely'
import type { UserId } from '@trainyard/contract/words/ids.ts'
import type { Db, Tx } from '../../../db/schema.ts'

export const selectFactors = (db: Db, user: UserId) =>
  sql<{ app: boolean; passkeys: number }>`
    select exists (select from authenticator_app where user_id = ${user}) as app,
      (select count(*)::int from passkey where user_id = ${user}) as passkeys`.execute(db)

export const selectWithSignInMethod = (tx: Tx, user: UserId) =>
  sql`
    select from portal_user u where u.id = ${user} and (u.password_hash is not null
      or exists (select from passkey p where p.user_id = u.id)
      or exists (select from provider_identity i where i.user_id = u.id)
      or exists (select from lms_identity l where l.user_id = u.id))`.execute(tx)
