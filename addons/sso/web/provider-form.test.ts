import { describe, expect, it } from 'vitest'
import { problemsIn } from '@trainyard/platform/web/forms/problems.ts'
import { identityProvider } from '../contract/identity-provider.ts'
import { providerChanges, formValuesOfProvider, type Provider } from './provider-form.ts'

const provider: Provider = {
  issuer: 'https://accounts.google.com',
  clientId: 'client',
  groupClaim: null,
  groups: [{ group: 'lab = leads', role: 'admin' }],
  signsOutThere: false,
  adminsNeedSecondFactor: false,
  workedAt: null,
}

const problemsOf = (changes: object) => problemsIn(identityProvider.save.body, changes)

describe('provider form', () => {
  it('has no changes while nothing was edited', () => {
    expect(providerChanges(provider, formValuesOfProvider(provider))).toEqual({})
  })

  it('sends no secret if none was entered', () => {
    const changes = providerChanges(provider, { ...formValuesOfProvider(provider), groupClaim: ' groups ' })
    expect(changes).toEqual({
      issuer: 'https://accounts.google.com',
      clientId: 'client',
      groupClaim: 'groups',
      groups: [{ group: 'lab = leads', role: 'admin' }],
      signsOutThere: false,
      adminsNeedSecondFactor: false,
    })
  })

  it('requires a secret for another issuer or client', () => {
    const entered = { ...formValuesOfProvider(provider), issuer: 'https://id.acme.test' }
    expect(problemsOf(providerChanges(provider, entered))).toEqual({ clientSecret: 'Must not be empty.' })
    const changes = providerChanges(provider, { ...entered, clientSecret: 'secret' })
    expect([changes.clientSecret, problemsOf(changes)]).toEqual(['secret', {}])
  })

  it.each(['admins', 'admins = superadmin', '= admin', 'a = user\nb'])('refuses the groups %j', (groups) => {
    const changes = providerChanges(provider, { ...formValuesOfProvider(provider), groups })
    expect(Object.keys(problemsOf(changes)).filter((field) => !field.includes('.'))).toEqual(['groups'])
  })
})
