import { describe, expect, it } from 'vitest'
import { readSession, safeNext, storeSession } from './session.ts'

function storage(): Pick<Storage, 'getItem' | 'setItem'> {
  const stored = new Map<string, string>()
  return { getItem: (key) => stored.get(key) ?? null, setItem: (key, value) => void stored.set(key, value) }
}

describe('stored session', () => {
  it('is null without a stored uid', () => {
    expect(readSession(storage())).toBeNull()
  })

  it("reads back a login's reply, stored under the keys of the specification", () => {
    const store = storage()
    storeSession({ uid: 'u', email: 'a@b.test', organization: 'Acme Learning', session: 'superadmin' }, store)
    expect(['uid', 'email', 'organization', 'session'].map((key) => store.getItem(key))).toEqual([
      'u',
      'a@b.test',
      'Acme Learning',
      'superadmin',
    ])
    expect(readSession(store)).toEqual({
      uid: 'u',
      email: 'a@b.test',
      organization: 'Acme Learning',
      role: 'superadmin',
    })
  })

  it("reads 'Unknown' for a missing organization and email, and user for an unknown marker", () => {
    const store = storage()
    storeSession({ uid: 'u', email: null, organization: null, session: 'something else' }, store)
    expect(readSession(store)).toEqual({ uid: 'u', email: 'Unknown', organization: 'Unknown', role: 'user' })
  })
})

describe('login redirect', () => {
  const origin = 'https://portal.test'
  it.each([
    ['/vm/logs?training=Linux+101', '/vm/logs?training=Linux+101'],
    [null, '/'],
    ['https://evil.test/', '/'],
    ['//evil.test/', '/'],
    ['/\\evil.test', '/'],
    ['/\t/evil.test', '/'],
    ['javascript:alert(1)', '/'],
    ['/logout', '/'],
    ['/api/user/me', '/'],
    ['/.//evil.test', '/'],
    ['/a/..//evil.test', '/'],
    ['/%2e//evil.test', '/'],
    ['/%2e%2e//evil.test', '/'],
    ['/.\\/evil.test', '/'],
    ['/.\t/\n/evil.test', '/'],
    ['/vm//evil.test', '/vm//evil.test'],
  ])('resolves %j to %s within the portal', (next, expected) => {
    const address = safeNext(next, origin)
    expect(address).toBe(origin + expected)
    // A browser parses the address again. It must still be an address of the portal.
    expect(new URL(address, origin).origin).toBe(origin)
  })
})
