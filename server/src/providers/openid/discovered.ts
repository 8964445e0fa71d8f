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
import { type OpenIdClient, OpenIdError } from '../open-id.ts'
import { type Guard, guardedFetch, refusalOfAddress } from './guarded-fetch.ts'
import { SKEW_SECONDS } from './sentences.ts'

const TIMEOUT_SECONDS = 8
/** A provider's description is read anew after so long. */
const KEPT_MS = 10 * 60_000
/** Providers whose description is kept at most; the one not used for longest goes first. */
const KEPT = 200

/** Ways to sign that only the provider's own key can make; none with a secret that both sides have. */
const ALGORITHMS = /^(?:RS|PS|ES)(?:256|384|512)$|^(?:EdDSA|Ed25519)$/

/** Reads providers' descriptions, each once in a while. */
export function discoverer(guard: Guard): (client: OpenIdClient) => Promise<Configuration> {
  const kept = new Map<string, { readonly until: number; readonly found: Promise<Configuration> }>()
  const fetchGuarded = guardedFetch(guard)

  async function discover({ issuer, clientId, clientSecret }: OpenIdClient): Promise<Configuration> {
    const url = new URL(issuer)
    const insecure = url.origin === guard.emulator ? [allowInsecureRequests] : []
    const metadata = { client_secret: clientSecret, [clockTolerance]: SKEW_SECONDS }
    const options = { [customFetch]: fetchGuarded, timeout: TIMEOUT_SECONDS, execute: insecure }
    const { supportsPKCE: _, ...server } = (
      await discovery(url, clientId, metadata, undefined, options)
    ).serverMetadata()
    if (server.issuer !== issuer) {
      throw new OpenIdError('untrue', `The provider calls itself ${server.issuer}: the issuer must be written just so.`)
    }
    for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const) {
      const address = server[name]
      if (address === undefined || !URL.canParse(address)) {
        throw new OpenIdError('untrue', `The provider's description has no ${name}.`)
      }
      const refusal = refusalOfAddress(new URL(address), guard)
      if (refusal !== null) throw new OpenIdError('untrue', `Of the provider's description, ${name}: ${refusal}`)
    }
    const { id_token_signing_alg_values_supported: algorithms = ['RS256'] } = server
    const trusted = algorithms.filter((algorithm) => ALGORITHMS.test(algorithm))
    if (trusted.length === 0) throw new OpenIdError('untrue', 'The provider signs in no way that can be checked.')
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
    // By itself the library takes an ID token that came by TLS without looking at its signature.
    enableNonRepudiationChecks(configuration)
    return configuration
  }

  return (client) => {
    const key = JSON.stringify([client.issuer, client.clientId, client.clientSecret])
    const before = kept.get(key)
    kept.delete(key)
    const now = Date.now()
    if (before !== undefined && before.until > now) {
      kept.set(key, before)
      return before.found
    }
    const found = discover(client)
    kept.set(key, { until: now + KEPT_MS, found })
    // A provider that did not answer is asked again by the next one who comes.
    found.catch(() => kept.get(key)?.found === found && kept.delete(key))
    if (kept.size > KEPT) kept.delete(kept.keys().next().value!)
    return found
  }
}
