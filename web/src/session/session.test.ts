import { describe, expect, it } from 'vitest'
import { readSession, safeNext, storeSession } from './session.ts'

function storage(): Pick<Storage, 'getItem' | 'setItem'> {
  const stored = new Map<string, string>()
  return { getItem: (key) => stored.get(key) ?? null, setItem: (key, value) => void stored.set(key, value) }
}

describe('the session in storage', () => {
  it('is null while no uid is stored', () => {
    expect(readSession(storage())).toBeNull()
  })

  // @covers R4.1 R5.1
  it('reads back what a login answered, under the keys of the specification', () => {
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

  // @covers R4.1 R4.2
  it("says 'Unknown' for a missing organization and email, and user for any other marker", () => {
    const store = storage()
    storeSession({ uid: 'u', email: null, organization: null, session: 'something else' }, store)
    expect(readSession(store)).toEqual({ uid: 'u', email: 'Unknown', organization: 'Unknown', role: 'user' })
  })
})

describe('where a login leads', () => {
  const origin = 'https://portal.test'
  // @covers A1
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
  ])('%j leads to %s of the portal itself', (next, expected) => {
    const address = safeNext(next, origin)
    expect(address).toBe(origin + expected)
    // Parsed once more, as a browser does, it is still an address of ours.
    expect(new URL(address, origin).origin).toBe(origin)
  })
})
