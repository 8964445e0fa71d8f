import type { OrganisationId } from '@trainyard/contract/words/ids.ts'
import type { Db } from '../../../db/schema.ts'
import type { PortalUserRow } from '../../../db/tables/users.gen.ts'

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
