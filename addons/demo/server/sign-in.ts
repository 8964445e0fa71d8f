import { sql } from 'kysely'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { sealedSecret } from '@trainyard/sso/server/provider.ts'
import type { Seal } from '@trainyard/platform/server/run/secrets/seal.ts'
import type { DemoOrganisation } from './organisations.ts'

const CLIENT = { id: 'trainyard', secret: 'emulated-client-secret' } as const

export async function addIdentityProvider(
  tx: Tx,
  seal: Seal,
  organisation: OrganisationId,
  { signInDomain }: DemoOrganisation,
  emulatorUrl: string,
): Promise<void> {
  if (signInDomain === undefined) return
  await tx
    .insertInto('identity_provider')
    .values({
      organisation_id: organisation,
      issuer: `${emulatorUrl}/openid`,
      client_id: CLIENT.id,
      client_secret: sealedSecret(seal, organisation, CLIENT.secret),
      group_claim: 'groups',
      signs_out_there: false,
      worked_at: null,
    })
    .execute()
  await tx
    .insertInto('identity_provider_group')
    .values({ organisation_id: organisation, name: 'lab-admins', role: 'admin' })
    .execute()
  await tx
    .insertInto('organisation_domain')
    .values({
      organisation_id: organisation,
      domain: signInDomain,
      verified_at: sql<Date>`portal_now()`,
      verified_by: 'superadmin',
    })
    .execute()
  // The admin signed in before, so that the demo does not begin with a mail that confirms the first sign-in.
  await tx
    .insertInto('provider_identity')
    .columns(['organisation_id', 'issuer', 'subject', 'user_id'])
    .expression((eb) =>
      eb
        .selectFrom('portal_user')
        .select((user) => [
          user.val(organisation).as('organisation_id'),
          user.val(`${emulatorUrl}/openid`).as('issuer'),
          user.val('initech-admin').as('subject'),
          'id as user_id',
        ])
        .where('email', '=', `admin@${signInDomain}`),
    )
    .execute()
}
