import { describe, expect, it } from 'vitest'
import { groupsIn, providerChanges, formValuesOfProvider, type Provider } from './provider-form.ts'

const provider: Provider = {
  issuer: 'https://accounts.google.com',
  clientId: 'client',
  groupClaim: null,
  groups: [{ group: 'lab = leads', role: 'admin' }],
  signsOutThere: false,
  adminsNeedSecondFactor: false,
  workedAt: null,
}

describe('provider form', () => {
  it('has no changes while nothing was edited', () => {
    expect(providerChanges(provider, formValuesOfProvider(provider))).toEqual({})
  })

  it('sends no secret if none was entered', () => {
    const changes = providerChanges(provider, { ...formValuesOfProvider(provider), groupClaim: ' groups ' })
    expect(changes?.given).toEqual({
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
    expect(providerChanges(provider, entered)).toBeNull()
    expect(providerChanges(provider, { ...entered, clientSecret: 'secret' })?.given).toMatchObject({
      clientSecret: 'secret',
    })
  })

  it.each(['admins', 'admins = superadmin', '= admin', 'a = user\nb'])('reads no groups from %j', (text) => {
    expect(groupsIn(text)).toBeNull()
  })
})
