import { describe, expect, test } from 'vitest'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import { identityOf } from './identity.ts'
import type { IdentityProvider } from './provider.ts'
import { describeTestSignIn } from './sign-in-test.ts'

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
  identityOf({ iss: issuer, sub: 'subject', email: 'Asha@Acme.test', ...claims }, provider(issuer))

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
    expect(() => personFrom(issuer, claims)).toThrow('does not confirm that the e-mail asha@acme.test is verified')
  })
})

describe('e-mail from Google with email_verified', () => {
  test('is accepted for a user of the organisation', () => {
    expect(personFrom(GOOGLE, { email_verified: true, hd: 'acme.test' }).email).toBe('asha@acme.test')
  })

  test.each([
    ['a private account', {}],
    ['an account of another organisation', { hd: 'other.test' }],
  ])('is rejected for %s', (_whose, claims) => {
    expect(() => personFrom(GOOGLE, { email_verified: true, ...claims })).toThrow('private Google account')
  })
})

test.each([[true], ['true'], ['TRUE'], [1], ['1']])('accepts email_verified %j', (email_verified) => {
  expect(personFrom('https://id.acme.test', { email_verified }).email).toBe('asha@acme.test')
})

test.each([[null], [''], ['false'], [0], ['yes'], [2], [['false']], [{ true: true }]])(
  'rejects email_verified %j',
  (email_verified) => {
    expect(() => personFrom('https://id.acme.test', { email_verified })).toThrow('is verified')
    expect(() => personFrom(TENANT, { email_verified })).toThrow('is verified')
  },
)

test.each([
  [['staff'], 'user'],
  [['staff', 'leads'], 'admin'],
  ['leads', 'admin'],
  ['["staff","leads"]', 'admin'],
  ['["staff",', null],
  ['staff leads', null],
  [['["leads"]'], null],
  [['superadmin', 'admin', 'strangers'], null],
  [{ staff: true }, null],
  [[['leads'], 7], null],
  [undefined, null],
])('groups %j give the role %s', (groups, role) => {
  expect(personFrom('https://id.acme.test', { email_verified: true, groups }).role).toBe(role)
})

test.each([
  [{ groups: 'src1' }, undefined, true],
  [{ groups: 'src1' }, ['leads'], false],
  [{ roles: 'src1' }, undefined, false],
  ['groups', undefined, false],
  [null, undefined, false],
  [undefined, undefined, false],
])('with _claim_names %j and groups %j, refusal for too many groups is %j', (_claim_names, groups, refused) => {
  const claims = {
    email_verified: true,
    groups,
    _claim_names,
    _claim_sources: { src1: { endpoint: 'https://x.test' } },
  }
  const refusal = () => {
    try {
      personFrom('https://id.acme.test', claims)
      return ''
    } catch (error) {
      return (error as Error).message
    }
  }
  expect(refusal().includes('too many groups')).toBe(refused)
})

test('accepts a user with too many groups if no group gives a role', () => {
  const claims = { iss: TENANT, sub: 'subject', email: 'asha@acme.test', _claim_names: { groups: 'src1' } }
  expect(identityOf(claims, { ...provider(TENANT), roles: new Map() }).role).toBeNull()
})

describe('test sign-in', () => {
  const claims = { iss: GOOGLE, sub: 'subject', email: 'asha@acme.test', email_verified: true, hd: 'acme.test' }
  const tryProvider = (overrides: object, groupClaim: string | null = 'groups') =>
    describeTestSignIn({ ...claims, ...overrides }, { ...provider(GOOGLE), groupClaim })
  const VALID_TOKEN = "The provider's ID token is valid. Its subject is subject."
  const oneFactor = 'The provider does not confirm a second factor (mfa in the claim amr).'

  test('reports the groups and the role that the user would get', () => {
    expect(tryProvider({ groups: ['strangers', 'leads'] })).toEqual({
      works: true,
      found: [
        VALID_TOKEN,
        'The claim groups contains strangers, leads.',
        oneFactor,
        'asha@acme.test signs in as admin, based on their groups.',
      ],
    })
    const EXISTING_ACCOUNT = 'asha@acme.test signs in with the role of the existing account, or as user if it is new.'
    expect(tryProvider({})).toEqual({
      works: true,
      found: [VALID_TOKEN, 'The claim groups contains no groups.', oneFactor, EXISTING_ACCOUNT],
    })
    expect(tryProvider({ groups: ['leads'] }, null)).toEqual({
      works: true,
      found: [VALID_TOKEN, oneFactor, EXISTING_ACCOUNT],
    })
  })

  test('reports whether a second factor was used, and rejects admins without a required second factor', () => {
    const requiringSecondFactor = { ...provider(GOOGLE), adminsNeedSecondFactor: true }
    const as = (group: string, amr?: unknown) =>
      describeTestSignIn({ ...claims, groups: [group], amr }, requiringSecondFactor)
    expect(as('leads', ['pwd', 'mfa'])).toMatchObject({
      works: true,
      found: { 2: 'The provider confirms a second factor (mfa in the claim amr).' },
    })
    for (const amr of [undefined, null, 'pwd', 'no-mfa', ['pwd'], [['mfa']], { mfa: true }]) {
      const { works, found } = as('leads', amr)
      expect([works, found[2], found[3]]).toEqual([
        false,
        expect.stringContaining('admins cannot sign in like this'),
        expect.stringContaining('the claim amr must contain mfa'),
      ])
      expect(as('staff', amr).works).toBe(true)
    }
  })

  test('says that groups must be assigned to the application if the user has too many', () => {
    const { works, found } = tryProvider({ _claim_names: { groups: 'src1' }, _claim_sources: {} })
    expect([works, found[1], found.at(-1)]).toEqual([
      false,
      'The user is in too many groups, so the provider does not send the claim groups: assign groups to the application, and choose to send only those.',
      expect.stringContaining('Ask your administrator to assign groups'),
    ])
  })

  test('lists at most twenty groups', () => {
    const groups = Array.from({ length: 21 }, (_, index) => `g${index}`)
    expect(tryProvider({ groups }).found[1]).toBe(`The claim groups contains ${groups.slice(0, 20).join(', ')}.`)
  })

  test('reports why the sign-in would be rejected, or the provider’s error', () => {
    const { works, found } = tryProvider({ hd: 'other.test' })
    expect([works, found]).toEqual([
      false,
      [
        VALID_TOKEN,
        'The claim groups contains no groups.',
        oneFactor,
        expect.stringContaining('private Google account'),
      ],
    ])
    expect(describeTestSignIn('The provider did not answer.', provider(GOOGLE))).toEqual({
      works: false,
      found: ['The provider did not answer.'],
    })
  })
})
