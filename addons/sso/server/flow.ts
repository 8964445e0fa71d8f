import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  calculatePKCECodeChallenge,
} from 'openid-client'
import { type OpenId, OpenIdError, type OpenIdClient } from './open-id-provider.ts'
import { discoverer } from './discovered.ts'
import {
  type AddressPolicy,
  guardedFetch,
  refusalOfAddress,
} from '@trainyard/platform/server/providers/guarded-fetch.ts'
import { openIdErrorOf, SKEW_SECONDS } from './sentences.ts'

export type OpenIdFlow = Omit<OpenId, 'issuerRefusal'>

export function openIdFlow(policy: AddressPolicy): OpenIdFlow {
  const discovered = discoverer(policy)
  const withOpenIdErrors = async <T>(client: OpenIdClient, callback: () => Promise<T>): Promise<T> => {
    try {
      return await callback()
    } catch (error) {
      throw openIdErrorOf(error, client)
    }
  }

  return {
    signInUrl: (client, { state, nonce, verifier, redirectUri }, { email, groups }) =>
      withOpenIdErrors(client, async () => {
        const configuration = await discovered(client)
        const asksForGroups = groups && configuration.serverMetadata().scopes_supported?.includes('groups') === true
        const address = buildAuthorizationUrl(configuration, {
          redirect_uri: redirectUri,
          scope: `openid email profile${asksForGroups ? ' groups' : ''}`,
          state,
          nonce,
          code_challenge: await calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
          ...(email === null ? {} : { login_hint: email }),
        })
        return address.href
      }),

    checkProvider: (client) =>
      withOpenIdErrors(client, async () => {
        const server = (await discovered(client)).serverMetadata()
        const reply = await guardedFetch(policy)(server.jwks_uri!, {
          method: 'GET',
          headers: { accept: 'application/json' },
          signal: AbortSignal.timeout(8_000),
        })
        const keys = reply.status === 200 ? ((await reply.json()) as { keys?: unknown }).keys : undefined
        if (!Array.isArray(keys) || keys.length === 0) {
          throw new OpenIdError('unreachable', 'The provider publishes no keys, so its signatures cannot be checked.')
        }
        return [
          `${new URL(client.issuer).host} responds with the issuer ${server.issuer}.`,
          keys.length === 1 ? 'It publishes 1 key.' : `It publishes ${keys.length} keys.`,
        ]
      }),

    exchangeCode: (client, { state, nonce, verifier, redirectUri }, answer) =>
      withOpenIdErrors(client, async () => {
        const configuration = await discovered(client)
        const url = new URL(redirectUri)
        url.search = answer
        const tokens = await authorizationCodeGrant(configuration, url, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        })
        const claims = tokens.claims()!
        // The library checks the token's expiry, but not an issue time in the future.
        if (claims.iat > Date.now() / 1000 + SKEW_SECONDS) {
          throw new OpenIdError(
            'invalid',
            `The provider's clock and the portal's differ by more than ${SKEW_SECONDS} seconds.`,
          )
        }
        return claims
      }),

    signOutUrl: (client, backTo) =>
      withOpenIdErrors(client, async () => {
        const configuration = await discovered(client)
        const { end_session_endpoint: endpoint } = configuration.serverMetadata()
        if (endpoint === undefined || !URL.canParse(endpoint)) return null
        if (refusalOfAddress(new URL(endpoint), policy) !== null) return null
        return buildEndSessionUrl(configuration, { post_logout_redirect_uri: backTo }).href
      }),
  }
}
