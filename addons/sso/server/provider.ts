import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { GroupRole } from '../contract/sign-in-provider.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import type { OpenIdClient } from './open-id-provider.ts'
import type { Seal } from '@trainyard/platform/server/run/secrets/seal.ts'
import { clientSecretContext } from './encryption-context.ts'

export interface IdentityProvider {
  readonly organisation: OrganisationId
  readonly client: OpenIdClient
  /** Claim with the groups, or null if groups are ignored. */
  readonly groupClaim: string | null
  readonly roles: ReadonlyMap<string, GroupRole>
  readonly signsOutThere: boolean
  readonly adminsNeedSecondFactor: boolean
  /** False if users can sign in only through this provider. */
  readonly passwordsAllowed: boolean
  readonly domains: ReadonlySet<string>
}

export const sealedSecret = (seal: Seal, organisation: OrganisationId, secret: string): Buffer =>
  seal.seal(secret, clientSecretContext(organisation))

export async function providerOf(db: Db, seal: Seal, organisation: OrganisationId): Promise<IdentityProvider | null> {
  const row = await db
    .selectFrom('identity_provider')
    .innerJoin('organisation', 'organisation.id', 'identity_provider.organisation_id')
    .selectAll('identity_provider')
    .select('organisation.passwords_allowed')
    .where('organisation_id', '=', organisation)
    .executeTakeFirst()
  if (row === undefined) return null
  const groups = await db
    .selectFrom('identity_provider_group')
    .select(['name', 'role'])
    .where('organisation_id', '=', organisation)
    .execute()
  const domains = await db
    .selectFrom('organisation_domain')
    .select('domain')
    .where('organisation_id', '=', organisation)
    .where('verified_at', 'is not', null)
    .execute()
  return {
    organisation,
    client: {
      issuer: row.issuer,
      clientId: row.client_id,
      clientSecret: seal.open(row.client_secret, clientSecretContext(organisation)),
    },
    groupClaim: row.group_claim,
    roles: new Map(groups.map(({ name, role }) => [name, role])),
    signsOutThere: row.signs_out_there,
    adminsNeedSecondFactor: row.admins_need_second_factor,
    passwordsAllowed: row.passwords_allowed,
    domains: new Set(domains.map(({ domain }) => domain)),
  }
}

/** Returns the organisation for which the domain is verified; null if there is none. */
export async function organisationOfEmail(db: Db, email: string): Promise<OrganisationId | null> {
  const row = await db
    .selectFrom('organisation_domain')
    .innerJoin('identity_provider', 'identity_provider.organisation_id', 'organisation_domain.organisation_id')
    .select('organisation_domain.organisation_id')
    .where('domain', '=', email.slice(email.lastIndexOf('@') + 1))
    .where('verified_at', 'is not', null)
    .executeTakeFirst()
  return row?.organisation_id ?? null
}
