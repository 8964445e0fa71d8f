import { LmsError, type RegisteredPlatform, type RegistrationRequest, type ToolAddresses } from './lms-provider.ts'
import { type AddressPolicy, refusalOfAddress } from '@trainyard/platform/server/providers/guarded-fetch.ts'
import { isWebPage, type LmsFetch, objectIn } from './fetch.ts'
import { ROSTER_SCOPE, SCORE_SCOPES } from './token.ts'

type Json = Readonly<Record<string, unknown>>

const PLATFORM_CONFIGURATION = 'https://purl.imsglobal.org/spec/lti-platform-configuration'
const TOOL_CONFIGURATION = 'https://purl.imsglobal.org/spec/lti-tool-configuration'

/**
 * Reads the OpenID configuration of an LMS (LTI Dynamic Registration 1.0). Its endpoints may belong to other sites than
 * its issuer: hosted Canvas has one issuer, and registers tools at the host of the school.
 * @throws LmsError
 */
export async function readConfiguration(fetch: LmsFetch, policy: AddressPolicy, configuration: string) {
  const { host, origin } = new URL(configuration)
  const found = await fetch(configuration, { method: 'GET', headers: { accept: 'application/json' } })
  if (found.status !== 200) throw new LmsError('unreachable', `${host} answers ${found.status} at ${configuration}.`)
  const settings = objectIn(found, 'its configuration', host)
  const issuer = textIn(settings, 'issuer', host)
  // The configuration must be the issuer's own. Otherwise any site could register itself as this issuer.
  if (URL.parse(issuer)?.origin !== origin) {
    throw new LmsError('invalid', `The configuration at ${host} names the issuer ${issuer}, which is another site.`)
  }
  const endpoint = (name: string): string => {
    const address = textIn(settings, name, host)
    const url = URL.parse(address)
    const refusal = url === null ? `${address} is not an address.` : refusalOfAddress(url, policy)
    if (refusal !== null) throw new LmsError('invalid', `The configuration of ${host}, ${name}: ${refusal}`)
    return address
  }
  const [registrationUrl, authorizationUrl] = [endpoint('registration_endpoint'), endpoint('authorization_endpoint')]
  const [tokenUrl, keySetUrl] = [endpoint('token_endpoint'), endpoint('jwks_uri')]
  return { settings, issuer, registrationUrl, authorizationUrl, tokenUrl, keySetUrl }
}

/**
 * Registers the portal as a tool at an LMS (LTI Dynamic Registration 1.0).
 * @throws LmsError
 */
export async function registerTool(
  fetch: LmsFetch,
  policy: AddressPolicy,
  { configuration, token, addresses }: RegistrationRequest,
): Promise<RegisteredPlatform> {
  const { settings, registrationUrl, ...endpoints } = await readConfiguration(fetch, policy, configuration)
  const { host, origin: frameOrigin } = new URL(registrationUrl)
  const reply = await fetch(registrationUrl, {
    method: 'POST',
    headers: {
      accept: 'application/json',
      'content-type': 'application/json',
      ...(token !== null && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(toolOf(addresses, settings)),
  })
  if (reply.status < 200 || reply.status > 299) {
    const detail = isWebPage(reply) ? '' : `: ${reply.text.slice(0, 200)}`
    throw new LmsError('refused', `${host} refused the registration (${reply.status})${detail}.`)
  }
  const registered = objectIn(reply, 'the registration', host)
  const given = registered[TOOL_CONFIGURATION] as Json | undefined
  const platform = settings[PLATFORM_CONFIGURATION] as Json | undefined
  const audience = settings['authorization_server']
  return {
    ...endpoints,
    frameOrigin,
    clientId: textIn(registered, 'client_id', host),
    tokenAudience: typeof audience === 'string' && audience !== '' ? audience : null,
    deployment: typeof given?.['deployment_id'] === 'string' ? given['deployment_id'] : null,
    product: typeof platform?.['product_family_code'] === 'string' ? platform['product_family_code'] : null,
  }
}

function textIn(json: Json, name: string, host: string): string {
  const value = json[name]
  if (typeof value === 'string' && value !== '' && value.length <= 1_000) return value
  throw new LmsError('invalid', `${host} did not state ${name}.`)
}

function toolOf({ login, redirect, keySet, target }: ToolAddresses, settings: Json): object {
  const supported = settings['scopes_supported']
  const requested = [ROSTER_SCOPE, ...SCORE_SCOPES]
  const scopes = Array.isArray(supported) ? requested.filter((scope) => supported.includes(scope)) : requested
  return {
    application_type: 'web',
    response_types: ['id_token'],
    grant_types: ['implicit', 'client_credentials'],
    initiate_login_uri: login,
    redirect_uris: [redirect],
    client_name: 'Trainyard',
    jwks_uri: keySet,
    token_endpoint_auth_method: 'private_key_jwt',
    scope: scopes.join(' '),
    [TOOL_CONFIGURATION]: {
      // Moodle requires the domain of the target.
      domain: new URL(target).host,
      target_link_uri: target,
      description: 'Cloud machines for training',
      claims: ['iss', 'sub', 'name', 'given_name', 'family_name', 'email'],
      messages: [
        { type: 'LtiResourceLinkRequest', target_link_uri: target, label: 'Trainyard' },
        { type: 'LtiDeepLinkingRequest', target_link_uri: target, label: 'Trainyard', placements: ['ContentArea'] },
      ],
    },
  }
}
