import { type HandlersOf, prepared } from '../../../core/handler.ts'
import { notFound, Problem } from '../../../core/errors.ts'
import type { TextRecords } from '../../../providers/text-records.ts'
import { holdOrganisation, organisationInScope } from '../organisation/scope.ts'
import { attemptOf, keepAttempt, newToken, redirectUriOf } from './attempt.ts'
import { addDomain, recordOf, refuseUnnamed, refuseUnpublished, removeDomain, verifyDomain } from './domains.ts'
import { providerOf } from './provider.ts'
import { refuseWithoutPasswords, removeProvider, saveProvider, settingsOf } from './settings.ts'
import { sentenceOf, type SignInParts } from './sign-in-http.ts'

export const identityProviderHandlers = ({
  seal,
  openId,
  publicUrl,
  texts,
}: SignInParts & { readonly texts: TextRecords }): HandlersOf<'identityProvider'> => ({
  async show(db, { actor, query }) {
    const { id } = await organisationInScope(db, actor, query.organization)
    return { redirectUri: redirectUriOf(publicUrl), ...(await settingsOf(db, seal, id)) }
  },

  async save(tx, { actor, body: { organization, ...given } }) {
    const { id } = await organisationInScope(tx, actor, organization)
    const refusal = openId.refusalOf(given.issuer)
    if (refusal !== null) throw new Problem('malformed', `issuer: ${refusal}`)
    await holdOrganisation(tx, id, 'use')
    await saveProvider(tx, seal, id, given)
    return { message: 'The sign-in is saved. Test it before your people use it.' }
  },

  async remove(tx, { actor, body }) {
    const { id } = await organisationInScope(tx, actor, body.organization)
    await removeProvider(tx, id)
    return { message: 'The sign-in is taken away. Your people log in with passwords.' }
  },

  test: prepared({
    async prepare(db, { actor, body }) {
      const { id } = await organisationInScope(db, actor, body.organization)
      const provider = await providerOf(db, seal, id)
      if (provider === null) throw notFound('identity provider')
      const token = newToken()
      const attempt = attemptOf(seal, token, publicUrl)
      try {
        const found = await openId.look(provider.client)
        const hint = { email: null, groups: provider.groupClaim !== null }
        const address = await openId.addressOf(provider.client, attempt, hint)
        return { id, token, reply: { found: [...found], problem: null, address } }
      } catch (error) {
        return { id, token, reply: { found: [], problem: sentenceOf(error), address: null } }
      }
    },
    async change(tx, { actor, setSignInCookie }, { id, token, reply }) {
      if (reply.address === null) return reply
      await keepAttempt(tx, token, { organisation: id, testedBy: actor.id })
      setSignInCookie(token)
      return reply
    },
  }),

  async addDomain(tx, { actor, body }) {
    const { id } = await organisationInScope(tx, actor, body.organization)
    await holdOrganisation(tx, id, 'use')
    await addDomain(tx, id, body.domain)
    return { message: `${body.domain} is named. It counts once it is verified.` }
  },

  verifyDomain: prepared({
    async prepare(db, { actor, body }) {
      const { id } = await organisationInScope(db, actor, body.organization)
      await refuseUnnamed(db, id, body.domain)
      await refuseUnpublished(texts, body.domain, recordOf(seal, id, body.domain))
      return id
    },
    async change(tx, { body }, id) {
      await verifyDomain(tx, id, body.domain, 'dns')
      return { message: `${body.domain} is verified.` }
    },
  }),

  async confirmDomain(tx, { actor, body }) {
    const { id } = await organisationInScope(tx, actor, body.organization)
    await refuseUnnamed(tx, id, body.domain)
    await verifyDomain(tx, id, body.domain, 'superadmin')
    return { message: `${body.domain} is verified.` }
  },

  async removeDomain(tx, { actor, body }) {
    const { id } = await organisationInScope(tx, actor, body.organization)
    if (await removeDomain(tx, id, body.domain)) await refuseWithoutPasswords(tx, id)
    return { message: `${body.domain} is taken away.` }
  },
})
