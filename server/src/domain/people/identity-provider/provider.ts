import type { OrganisationId } from '@trainyard/contract/words/ids.ts'
import type { GroupRole } from '@trainyard/contract/words/sign-in-provider.ts'
import type { Db } from '../../../db/schema.ts'
import type { OpenIdClient } from '../../../providers/open-id.ts'
import type { Seal } from '../../../secrets/seal.ts'

/** An organisation's provider, as a sign-in needs it. */
export interface IdentityProvider {
  readonly organisation: OrganisationId
  readonly client: OpenIdClient
  /** The claim that lists groups; null: none is looked at. */
  readonly groupClaim: string | null
  readonly roles: ReadonlyMap<string, GroupRole>
  readonly signsOutThere: boolean
  /** True: no admin comes in through it who has not proved a second factor there. */
  readonly adminsNeedSecondFactor: boolean
  /** False: this provider is the only way in for the organisation's people. */
  readonly passwordsAllowed: boolean
  /** The verified domains of the organisation. */
  readonly domains: ReadonlySet<string>
}

const contextOf = (organisation: OrganisationId): string => `identity provider ${organisation}`

export const sealedSecret = (seal: Seal, organisation: OrganisationId, secret: string): Buffer =>
  seal.seal(secret, contextOf(organisation))

/** Returns an organisation's provider; null where none was set up. */
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
      clientSecret: seal.open(row.client_secret, contextOf(organisation)),
    },
    groupClaim: row.group_claim,
    roles: new Map(groups.map(({ name, role }) => [name, role])),
    signsOutThere: row.signs_out_there,
    adminsNeedSecondFactor: row.admins_need_second_factor,
    passwordsAllowed: row.passwords_allowed,
    domains: new Set(domains.map(({ domain }) => domain)),
  }
}

/** Returns the organisation whose provider speaks for an e-mail; null: there is none with a verified domain. */
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
