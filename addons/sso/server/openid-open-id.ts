import type { OpenId } from './open-id-provider.ts'
import type { OpenIdFlow } from './flow.ts'
import { type AddressPolicy, refusalOfAddress } from '@trainyard/platform/server/providers/guarded-fetch.ts'

const MULTI_TENANT_ISSUER =
  /^https:\/\/(?:login\.microsoftonline\.com|sts\.windows\.net)\/(?:common|organizations|consumers|9188040d-6c67-4c5b-b112-36a304b66dad)(?:\/|$)/i

/** Signs users in at organisations' OpenID providers. Loads the library on first use, to keep the start fast. */
export function openId(policy: AddressPolicy): OpenId {
  let loadedFlow: Promise<OpenIdFlow> | undefined
  const flow = () => (loadedFlow ??= import('./flow.ts').then(({ openIdFlow }) => openIdFlow(policy)))
  return {
    issuerRefusal(issuer) {
      const url = URL.parse(issuer)
      if (url === null || url.search !== '' || url.hash !== '') return 'is not a valid issuer URL.'
      if (MULTI_TENANT_ISSUER.test(issuer))
        return 'must be the issuer of your own tenant: https://login.microsoftonline.com/TENANT-ID/v2.0.'
      return refusalOfAddress(url, policy)
    },

    signInUrl: async (...args) => (await flow()).signInUrl(...args),
    checkProvider: async (...args) => (await flow()).checkProvider(...args),
    exchangeCode: async (...args) => (await flow()).exchangeCode(...args),
    signOutUrl: async (...args) => (await flow()).signOutUrl(...args),
  }
}
