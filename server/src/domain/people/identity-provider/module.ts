import { serverModule } from '../../../core/module.ts'
import { withoutOwner } from '../../../core/tables.ts'
import { deleteExpiredSignIns } from './attempt.ts'
import { identityProviderHandlers } from './http.ts'
import { providerSignInHandlers } from './sign-in-http.ts'
import { dnsTextRecords } from '../../../providers/dns/text-records.ts'
import type { OpenId } from '../../../providers/open-id.ts'
import { openId } from '../../../providers/openid/open-id.ts'
import type { TextRecords } from '../../../providers/text-records.ts'

declare module '../../../core/module.ts' {
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
  tables: {
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
