import { clientSecretContext } from './server/encryption-context.ts'
import { sql } from 'kysely'
import { answer, answerSql, on } from '@trainyard/platform/server/core/events.ts'
import { signsInElsewhere } from '@trainyard/organisations/server/settings.ts'
import { requireWorkingProvider } from './server/working-provider.ts'
import { linkedAtProvider } from '@trainyard/users/server/confirmed-change.ts'
import { roleGiven } from '@trainyard/users/server/role.ts'
import { ownedDomains, signsInBy } from '@trainyard/users/server/sign-in-ways.ts'
import { forgetProviderIdentities } from './server/forget-identities.ts'
import { linkConfirmed } from './server/link-confirmed.ts'
import { organisationsRemoved } from '@trainyard/organisations/server/remove.ts'
import { serverModule } from '@trainyard/platform/server/core/module.ts'
import { withoutOwner } from '@trainyard/platform/server/core/tables.ts'
import { deleteExpiredSignIns } from './server/attempt.ts'
import { identityProviderHandlers } from './server/http.ts'
import { providerSignInHandlers } from './server/sign-in-http.ts'
import { dnsTextRecords } from './server/text-records.ts'
import type { OpenId } from './server/open-id-provider.ts'
import { openId } from './server/openid-open-id.ts'
import type { TextRecords } from './server/text-records-provider.ts'

declare module '@trainyard/platform/server/core/module.ts' {
  interface CallDependencies {
    /** Client for organisations' OpenID Connect providers. Only sign-in calls use it. */
    readonly openId: OpenId
    /** Client for DNS TXT records. */
    readonly dnsTexts: TextRecords
  }
}

export default serverModule({
  name: 'sso',
  connectCalls: ({ config, secrets }) => ({
    openId: openId({ ...config.openId, egress: secrets.egressProxy }),
    dnsTexts: dnsTextRecords(config.dns),
  }),
  calls: (parts) => ({
    identityProvider: identityProviderHandlers(parts),
    providerSignIn: providerSignInHandlers(parts),
  }),
  answers: [answer(linkedAtProvider, linkConfirmed), answer(signsInElsewhere, requireWorkingProvider)],
  sqlAnswers: [
    answerSql(
      ownedDomains,
      () => sql`select domain, organisation_id from organisation_domain where verified_at is not null`,
    ),
    answerSql(signsInBy, ({ user, way }) =>
      way === 'provider'
        ? sql<boolean>`exists (select from provider_identity p where p.user_id = ${sql.ref(`${user}.id`)})`
        : sql<boolean>`false`,
    ),
  ],
  listens: [
    on(organisationsRemoved, async (tx, organisations) => {
      for (const table of ['identity_provider', 'organisation_domain'] as const)
        await tx.deleteFrom(table).where('organisation_id', 'in', organisations).execute()
    }),
    on(roleGiven, async (tx, given) => {
      for (const { user, role } of given) if (role === 'admin') await forgetProviderIdentities(tx, user)
    }),
  ],
  tables: {
    sql: new URL('tables.sql', import.meta.url),
    sealed: [
      { table: 'identity_provider', column: 'client_secret', key: 'organisation_id', context: clientSecretContext },
    ],
    personal: {
      identity_provider: withoutOwner('issuer client_id group_claim', '', 'client_secret'),
      identity_provider_group: withoutOwner('name role'),
      organisation_domain: withoutOwner('domain verified_by'),
      provider_identity: {
        owner: { user: 'user_id' },
        title: 'Accounts at the organisation’s identity provider',
        erase: 'delete',
        other: 'issuer subject',
      },
      provider_sign_in: {
        owner: { user: 'tested_by' },
        title: 'Started tests of the identity provider',
        erase: 'delete',
        secrets: 'token_hash',
      },
    },
    expire: [deleteExpiredSignIns],
  },
})
