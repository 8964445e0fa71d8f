import { generateKeyPairSync, type JsonWebKey, randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { default as Provider, KoaContextWithOIDC } from 'oidc-provider'
import type { Fault } from '@trainyard/platform/emulator/faults/fault.ts'
import { CLIENTS } from './clients.ts'
import { faultyToken } from './faulty-token.ts'
import type { OpenIdPeople } from './people.ts'
import { openIdStorage } from './storage.ts'
import type { Settings } from '@trainyard/platform/emulator/record/settings.ts'

const KEY = 'openid.key'

/** Returns the provider's signing key. It is stored, so that clients find the same key after a restart. */
function signingKey(settings: Settings): JsonWebKey {
  const stored = settings.read(KEY)
  if (stored !== undefined) return JSON.parse(stored) as JsonWebKey
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const signingJwk = {
    ...privateKey.export({ format: 'jwk' }),
    kid: randomBytes(8).toString('hex'),
    alg: 'RS256',
    use: 'sig',
  }
  settings.write(KEY, JSON.stringify(signingJwk))
  return signingJwk
}

interface ProviderOptions {
  readonly issuer: string
  readonly people: OpenIdPeople
  readonly settings: Settings
  readonly faultOf: (request: IncomingMessage) => Fault | undefined
}

/** Largest number of groups in a token of Entra ID. */
const MOST_GROUPS = 200

/** Source: https://learn.microsoft.com/entra/identity-platform/access-token-claims-reference#groups-overage-claim */
const groupClaims = (groups: readonly string[], issuer: string) =>
  groups.length <= MOST_GROUPS
    ? { groups }
    : { _claim_names: { groups: 'src1' }, _claim_sources: { src1: { endpoint: `${issuer}/getMemberObjects` } } }

const plainPage = (content: string): string =>
  `<!doctype html><html lang="en"><head><title>Emulator</title></head><body><main>${content}</main></body></html>`

/** Creates the OpenID provider. The library is imported only on first use, because most runs never need it. */
export async function createProvider({ issuer, people, settings, faultOf }: ProviderOptions): Promise<Provider> {
  const { default: OpenIdProvider } = await import('oidc-provider')
  const key = signingKey(settings)
  const provider = new OpenIdProvider(issuer, {
    adapter: openIdStorage(),
    clients: CLIENTS,
    jwks: { keys: [key] },
    cookies: { keys: [randomBytes(32).toString('hex')] },
    claims: { openid: ['sub', 'amr'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    // Claims are included in the ID token, as in tokens from Entra ID and Google.
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 3600, IdToken: 3600, Interaction: 600, Session: 3600 },
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: {
        logoutSource(ctx, form) {
          ctx.body = plainPage(
            `<h1>Sign out here too?</h1>${form}<button form="op.logoutForm" name="logout" value="yes">Sign out</button>`,
          )
        },
        postLogoutSuccessSource(ctx) {
          ctx.body = plainPage('<h1>You are signed out</h1>')
        },
      },
    },
    renderError(ctx, { error, error_description }) {
      ctx.type = 'text/plain'
      ctx.body = `${error}: ${error_description ?? ''}\n`
    },
    interactions: { url: (_ctx, { uid }) => `/openid/choose/${uid}` },
    async loadExistingGrant({ oidc }: KoaContextWithOIDC) {
      const grant = new oidc.provider.Grant({ clientId: oidc.client!.clientId, accountId: oidc.session!.accountId! })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
    findAccount(_ctx, subject) {
      const person = people.find(subject)
      if (person === undefined) return undefined
      const { email, name, groups, emailVerified } = person
      return {
        accountId: subject,
        claims: () => ({
          sub: subject,
          email,
          name,
          ...groupClaims(groups, issuer),
          ...(emailVerified === null ? {} : { email_verified: emailVerified }),
        }),
      }
    },
  })
  provider.use(async (ctx, next) => {
    await next()
    const fault = faultOf(ctx.req)
    const body = ctx.body as Record<string, unknown> | undefined
    if (fault === undefined || typeof body !== 'object') return
    if (typeof body['id_token'] === 'string')
      ctx.body = { ...body, id_token: faultyToken(body['id_token'], fault, key) }
    else if (fault.kind === 'wrongIssuer') ctx.body = { ...body, issuer: 'https://issuer.evil.test' }
  })
  return provider
}
