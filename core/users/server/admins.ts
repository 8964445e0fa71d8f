import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import type { PortalUserRow } from '../tables.gen.ts'

/** Returns the active admins of an organisation, by e-mail: the recipients of its notices. */
export const activeAdmins = (db: Db, organisation: OrganisationId): Promise<Pick<PortalUserRow, 'id' | 'email'>[]> =>
  db
    .selectFrom('portal_user')
    .select(['id', 'email'])
    .where('organisation_id', '=', organisation)
    .where('role', '=', 'admin')
    .where('deactivated_at', 'is', null)
    .orderBy('email')
    .execute()
