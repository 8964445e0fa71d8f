import {
  allowInsecureRequests,
  ClientSecretBasic,
  ClientSecretPost,
  clockTolerance,
  Configuration,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
} from 'openid-client'
import { type OpenIdClient, OpenIdError } from './open-id-provider.ts'
import {
  type AddressPolicy,
  guardedFetch,
  refusalOfAddress,
} from '@trainyard/platform/server/providers/guarded-fetch.ts'
import { SKEW_SECONDS } from './sentences.ts'

const TIMEOUT_SECONDS = 8
const CACHE_MS = 10 * 60_000
const CACHE_SIZE = 200

/** Signature algorithms with a private key of the provider; none with a shared secret. */
const ALGORITHMS = /^(?:RS|PS|ES)(?:256|384|512)$|^(?:EdDSA|Ed25519)$/

export function discoverer(policy: AddressPolicy): (client: OpenIdClient) => Promise<Configuration> {
  const cache = new Map<string, { readonly until: number; readonly found: Promise<Configuration> }>()
  const fetchGuarded = guardedFetch(policy)

  async function discover({ issuer, clientId, clientSecret }: OpenIdClient): Promise<Configuration> {
    const url = new URL(issuer)
    const insecure = url.origin === policy.emulator ? [allowInsecureRequests] : []
    const metadata = { client_secret: clientSecret, [clockTolerance]: SKEW_SECONDS }
    const options = { [customFetch]: fetchGuarded, timeout: TIMEOUT_SECONDS, execute: insecure }
    const { supportsPKCE: _, ...server } = (
      await discovery(url, clientId, metadata, undefined, options)
    ).serverMetadata()
    if (server.issuer !== issuer) {
      throw new OpenIdError('invalid', `The provider's issuer is ${server.issuer}. Enter exactly this issuer.`)
    }
    for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const) {
      const address = server[name]
      if (address === undefined || !URL.canParse(address)) {
        throw new OpenIdError('invalid', `The provider's metadata has no valid ${name}.`)
      }
      const refusal = refusalOfAddress(new URL(address), policy)
      if (refusal !== null) throw new OpenIdError('invalid', `The provider's metadata, ${name}: ${refusal}`)
    }
    const { id_token_signing_alg_values_supported: algorithms = ['RS256'] } = server
    const trusted = algorithms.filter((algorithm) => ALGORITHMS.test(algorithm))
    if (trusted.length === 0)
      throw new OpenIdError('invalid', 'The provider offers no signature algorithm that the portal accepts.')
    const posts = server.token_endpoint_auth_methods_supported?.includes('client_secret_post') === true
    const configuration = new Configuration(
      { ...server, id_token_signing_alg_values_supported: trusted },
      clientId,
      metadata,
      posts ? ClientSecretPost(clientSecret) : ClientSecretBasic(clientSecret),
    )
    configuration[customFetch] = fetchGuarded
    configuration.timeout = TIMEOUT_SECONDS
    for (const allow of insecure) allow(configuration)
    // By default the library does not check the signature of an ID token that was received over TLS.
    enableNonRepudiationChecks(configuration)
    return configuration
  }

  return (client) => {
    const key = JSON.stringify([client.issuer, client.clientId, client.clientSecret])
    const before = cache.get(key)
    cache.delete(key)
    const now = Date.now()
    if (before !== undefined && before.until > now) {
      cache.set(key, before)
      return before.found
    }
    const found = discover(client)
    cache.set(key, { until: now + CACHE_MS, found })
    // A failure is not cached, so that the next request retries.
    found.catch(() => cache.get(key)?.found === found && cache.delete(key))
    if (cache.size > CACHE_SIZE) cache.delete(cache.keys().next().value!)
    return found
  }
}
