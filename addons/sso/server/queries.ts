import { sql } from 'kysely'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'

export const revokeInvitations = (tx: Tx, organisation: OrganisationId) =>
  sql`
    update invitation i set revoked_at = portal_now() from portal_user u
    where u.id = i.user_id and u.organisation_id = ${organisation} and i.purpose = 'provider'
      and i.used_at is null and i.revoked_at is null`.execute(tx)
