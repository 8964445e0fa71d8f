import type { TokenCredential } from '@azure/identity'

export interface AzureSignIn {
  readonly tenantId: string
  readonly clientId: string
  readonly clientSecret: string
  /** Address of the sign-in service; the public cloud's when left out. */
  readonly authority?: string
}

/** Signs in as an app registration. The sign-in library is loaded when first needed: it takes a quarter of a second. */
export function azureCredential({ tenantId, clientId, clientSecret, authority }: AzureSignIn): TokenCredential {
  let real: Promise<TokenCredential> | undefined
  const load = async () => {
    const { ClientSecretCredential } = await import('@azure/identity')
    return new ClientSecretCredential(tenantId, clientId, clientSecret, {
      ...(authority === undefined ? {} : { authorityHost: authority }),
      retryOptions: { maxRetries: 1 },
    })
  }
  return {
    async getToken(scopes, options) {
      return await (await (real ??= load())).getToken(scopes, options)
    },
  }
}

/** For an emulator, which takes any token: the sign-in library signs in over https alone. */
export function emulatorCredential(): TokenCredential {
  return { getToken: async () => ({ token: 'emulator', expiresOnTimestamp: Date.now() + 3_600_000 }) }
}
