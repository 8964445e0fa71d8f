import { type HandlersOf, prepared } from '@trainyard/platform/server/core/handler.ts'
import { notFound, Problem } from '@trainyard/platform/server/core/errors.ts'
import type { TextRecords } from './text-records-provider.ts'
import { lockOrganisation, organisationInScope } from '@trainyard/organisations/server/scope.ts'
import { attemptOf, storeAttempt, newToken, redirectUriOf } from './attempt.ts'
import { addDomain, recordOf, requireDomain, requirePublishedRecord, removeDomain, verifyDomain } from './domains.ts'
import { providerOf } from './provider.ts'
import { requirePasswordsAllowed, removeProvider, saveProvider, providerSettingsOf } from './settings.ts'
import { messageOf, type SignInDependencies } from './sign-in-http.ts'

export const identityProviderHandlers = ({
  seal,
  openId,
  publicUrl,
  dnsTexts,
}: SignInDependencies & { readonly dnsTexts: TextRecords }): HandlersOf<'identityProvider'> => ({
  async show(db, { actor, query }) {
    const { id } = await organisationInScope(db, actor, query.organization)
    return { redirectUri: redirectUriOf(publicUrl), ...(await providerSettingsOf(db, seal, id)) }
  },

  async save(tx, { actor, sessionHash, body: { organization, ...given } }) {
    const { id } = await organisationInScope(tx, actor, organization)
    const refusal = openId.issuerRefusal(given.issuer)
    if (refusal !== null) throw new Problem('malformed', `issuer: ${refusal}`)
    await lockOrganisation(tx, id, 'use')
    await saveProvider(tx, seal, id, given, sessionHash)
    return { message: 'The identity provider was saved. Test it before your users sign in.' }
  },

  async remove(tx, { actor, sessionHash, body }) {
    const { id } = await organisationInScope(tx, actor, body.organization)
    await removeProvider(tx, id, sessionHash)
    return { message: 'The identity provider was removed. Your users log in with passwords.' }
  },

  test: prepared({
    async prepare(db, { actor, body }) {
      const { id } = await organisationInScope(db, actor, body.organization)
      const provider = await providerOf(db, seal, id)
      if (provider === null) throw notFound('identity provider')
      const token = newToken()
      const attempt = attemptOf(seal, token, publicUrl)
      try {
        const found = await openId.checkProvider(provider.client)
        const hint = { email: null, groups: provider.groupClaim !== null }
        const address = await openId.signInUrl(provider.client, attempt, hint)
        return { id, token, reply: { found: [...found], problem: null, address } }
      } catch (error) {
        return { id, token, reply: { found: [], problem: messageOf(error), address: null } }
      }
    },
    async change(tx, { actor, setSignInCookie }, { id, token, reply }) {
      if (reply.address === null) return reply
      await storeAttempt(tx, token, { organisation: id, testedBy: actor.id })
      setSignInCookie(token)
      return reply
    },
  }),

  async addDomain(tx, { actor, body }) {
    const { id } = await organisationInScope(tx, actor, body.organization)
    await lockOrganisation(tx, id, 'change')
    await addDomain(tx, id, body.domain)
    return { message: `${body.domain} was added. It takes effect once it is verified.` }
  },

  verifyDomain: prepared({
    async prepare(db, { actor, body }) {
      const { id } = await organisationInScope(db, actor, body.organization)
      await requireDomain(db, id, body.domain)
      await requirePublishedRecord(dnsTexts, body.domain, recordOf(seal, id, body.domain))
      return id
    },
    async change(tx, { body }, id) {
      await verifyDomain(tx, id, body.domain, 'dns')
      return { message: `${body.domain} is verified.` }
    },
  }),

  async confirmDomain(tx, { actor, body }) {
    const { id } = await organisationInScope(tx, actor, body.organization)
    await requireDomain(tx, id, body.domain)
    await verifyDomain(tx, id, body.domain, 'superadmin')
    return { message: `${body.domain} is verified.` }
  },

  async removeDomain(tx, { actor, sessionHash, body }) {
    const { id } = await organisationInScope(tx, actor, body.organization)
    if (await removeDomain(tx, id, body.domain, sessionHash)) await requirePasswordsAllowed(tx, id)
    return { message: `${body.domain} was removed.` }
  },
})
