import { describe, expect, test } from 'vitest'
import type { OrganisationId } from '@trainyard/contract/words/ids.ts'
import { personOf } from './person.ts'
import type { IdentityProvider } from './provider.ts'
import { tested } from './tested.ts'

const TENANT = 'https://login.microsoftonline.com/11111111-2222-3333-4444-555555555555/v2.0'
const GOOGLE = 'https://accounts.google.com'

const provider = (issuer: string): IdentityProvider => ({
  organisation: 'organisation' as OrganisationId,
  client: { issuer, clientId: 'client', clientSecret: 'secret' },
  groupClaim: 'groups',
  roles: new Map([
    ['staff', 'user'],
    ['leads', 'admin'],
  ]),
  signsOutThere: false,
  adminsNeedSecondFactor: false,
  passwordsAllowed: true,
  domains: new Set(['acme.test']),
})

const personFrom = (issuer: string, claims: object) =>
  personOf({ iss: issuer, sub: 'subject', email: 'Asha@Acme.test', ...claims }, provider(issuer))

describe('e-mail from Entra ID without email_verified', () => {
  test.each([
    ['of its own tenant', {}],
    ['of the tenant, named as who authenticated', { idp: TENANT }],
    ['of a guest whose domain Entra knows the owner of', { idp: 'https://sts.windows.net/other/', xms_edov: true }],
    ['with a domain owner told as a number', { xms_edov: 1 }],
  ])('is accepted %s', (_whose, claims) => {
    expect(personFrom(TENANT, claims).email).toBe('asha@acme.test')
  })

  test.each([
    ['of a guest', TENANT, { idp: 'https://sts.windows.net/other/' }],
    ['with an owner of the domain who is not known', TENANT, { xms_edov: false }],
    ['with a word against it', TENANT, { email_verified: false, xms_edov: true }],
    ['of every tenant', 'https://login.microsoftonline.com/common/v2.0', {}],
    ['of a host that is named alike', TENANT.replace('login.', 'login.evil.'), {}],
    ['of the older endpoint', TENANT.replace('/v2.0', '/'), {}],
  ])('is rejected %s', (_whose, issuer, claims) => {
    expect(() => personFrom(issuer, claims)).toThrow('does not say that the e-mail asha@acme.test is verified')
  })
})

describe('e-mail from Google with email_verified', () => {
  test('is accepted for an account of the organisation', () => {
    expect(personFrom(GOOGLE, { email_verified: true, hd: 'acme.test' }).email).toBe('asha@acme.test')
  })

  test.each([
    ['a private account', {}],
    ['an account of another organisation', { hd: 'other.test' }],
  ])('is rejected for %s', (_whose, claims) => {
    expect(() => personFrom(GOOGLE, { email_verified: true, ...claims })).toThrow('private Google account')
  })
})

test.each([['true'], [1], [null], ['false']])(
  'rejects email_verified %j',
  (email_verified) => {
    expect(() => personFrom('https://id.acme.test', { email_verified })).toThrow('is verified')
  },
)

// @covers R15.3
test.each([
  [['staff'], 'user'],
  [['staff', 'leads'], 'admin'],
  ['leads', 'admin'],
  [['superadmin', 'admin', 'strangers'], null],
  [{ staff: true }, null],
  [[['leads'], 7], null],
  [undefined, null],
])('groups %j give the role %s', (groups, role) => {
  expect(personFrom('https://id.acme.test', { email_verified: true, groups }).role).toBe(role)
})

describe('test sign-in', () => {
  const claims = { iss: GOOGLE, sub: 'subject', email: 'asha@acme.test', email_verified: true, hd: 'acme.test' }
  const triedBy = (more: object, groupClaim: string | null = 'groups') =>
    tested({ ...claims, ...more }, { ...provider(GOOGLE), groupClaim })
  const genuine = "The provider's answer is genuine. It calls the person subject."
  const oneFactor = 'It says nothing of a second factor (mfa in the claim amr).'

  test('reports the groups and the role that the user would get', () => {
    expect(triedBy({ groups: ['strangers', 'leads'] })).toEqual({
      works: true,
      found: [
        genuine,
        'The claim groups lists strangers, leads.',
        oneFactor,
        'asha@acme.test comes in as admin, by their groups.',
      ],
    })
    const known = 'asha@acme.test comes in with the role that their account has, user if it is new.'
    expect(triedBy({})).toEqual({
      works: true,
      found: [genuine, 'The claim groups lists no groups.', oneFactor, known],
    })
    expect(triedBy({ groups: ['leads'] }, null)).toEqual({ works: true, found: [genuine, oneFactor, known] })
  })

  // @covers R15.4
  test('reports whether a second factor was used, and rejects admins without one where it is required', () => {
    const strict = { ...provider(GOOGLE), adminsNeedSecondFactor: true }
    const as = (group: string, amr?: unknown) => tested({ ...claims, groups: [group], amr }, strict)
    expect(as('leads', ['pwd', 'mfa'])).toMatchObject({
      works: true,
      found: { 2: 'It says that a second factor was proved (mfa in the claim amr).' },
    })
    for (const amr of [undefined, null, 'mfa', ['pwd'], { mfa: true }]) {
      const { works, found } = as('leads', amr)
      expect([works, found[2], found[3]]).toEqual([
        false,
        expect.stringContaining('no admin comes in like this'),
        expect.stringContaining('the claim amr must list mfa'),
      ])
      expect(as('staff', amr).works).toBe(true)
    }
  })

  test('lists at most twenty groups', () => {
    const groups = Array.from({ length: 21 }, (_, index) => `g${index}`)
    expect(triedBy({ groups }).found[1]).toBe(`The claim groups lists ${groups.slice(0, 20).join(', ')}.`)
  })

  test('reports why the sign-in would be rejected, or the provider’s error', () => {
    const { works, found } = triedBy({ hd: 'other.test' })
    expect([works, found]).toEqual([
      false,
      [genuine, 'The claim groups lists no groups.', oneFactor, expect.stringContaining('private Google account')],
    ])
    expect(tested('The provider did not answer.', provider(GOOGLE))).toEqual({
      works: false,
      found: ['The provider did not answer.'],
    })
  })
})
