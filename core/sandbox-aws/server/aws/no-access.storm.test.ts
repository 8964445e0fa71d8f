import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sharedAwsLabs } from '@trainyard/platform/test/shared.ts'

const labs = await sharedAwsLabs()

const LONG = process.env.STORM === 'long'

/** Every operation in the lifetime of a lab user without resources created outside the portal. */
const OPERATIONS = [
  'CreateUser',
  'PutUserPolicy',
  'PutUserPermissionsBoundary',
  'AttachUserPolicy',
  'CreateLoginProfile',
  'GetUser',
  'GetUserPolicy',
  'DeleteLoginProfile',
  'ListAccessKeys',
  'ListAttachedUserPolicies',
  'DetachUserPolicy',
  'ListGroupsForUser',
  'ListMFADevices',
  'ListSigningCertificates',
  'ListSSHPublicKeys',
  'ListServiceSpecificCredentials',
  'ListUserPolicies',
  'DeleteUserPolicy',
  'DeleteUser',
]
const KINDS = [
  'throttle',
  'refuseQuota',
  'refuseCapacity',
  'unauthorised',
  'serverError',
  'dropConnection',
  'malformed',
  'loseReply',
  'doneLate',
  'seenLate',
]

/**
 * Random lifetime of a lab user: how each operation fails once, and after how many seconds a superadmin deletes the
 * user (null: the user expires).
 */
const lifetime = fc.record({
  kinds: fc.array(fc.constantFrom(...KINDS), { minLength: OPERATIONS.length, maxLength: OPERATIONS.length }),
  removedAfter: fc.constantFrom(0, 10, 60, 200, null),
})

let created = 0

test(
  'fifteen minutes after its end no lab user has access and nothing remains, even if every call fails once',
  { timeout: LONG ? 900_000 : 120_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(lifetime, { minLength: 10, maxLength: 10 }), async (lifetimes) => {
        await labs.clearFaults()
        const users = lifetimes.map((each) => ({ ...each, name: `life-${created++}` }))
        for (const { name, kinds } of users) {
          await labs.add(name)
          for (const [n, kind] of kinds.entries()) {
            const operation = `IAM_${OPERATIONS[n]}`
            await labs.fault({ kind, operation, name, times: 1, retryAfter: 10, seconds: 40 })
          }
        }
        for (const [from, to] of [
          [0, 10],
          [10, 60],
          [60, 200],
          [200, 300],
        ] as const) {
          const ending = users.filter(({ removedAfter }) => removedAfter === from).map(({ name }) => name)
          await labs.remove(ending)
          await labs.advance(to - from)
        }
        const expectDeleted = async (names: readonly string[]) => {
          const { users: there } = await labs.truth()
          expect(there.filter(({ name, exists, hasAccess }) => names.includes(name) && (exists || hasAccess))).toEqual(
            [],
          )
        }
        await labs.advance(11 * 60)
        await expectDeleted(users.filter(({ removedAfter }) => removedAfter !== null).map(({ name }) => name))
        const ends = (await labs.rows()).map(({ end_at }) => end_at.getTime())
        await labs.skipTo(Math.max(...ends) + 1_000)
        const expectNoAccess = async () =>
          expect((await labs.truth()).users.filter(({ hasAccess }) => hasAccess)).toEqual([])
        await expectNoAccess()
        await labs.advance(15 * 60, expectNoAccess)
        const { users: left } = await labs.truth()
        expect(left.filter(({ exists, hasLogin }) => exists || hasLogin)).toEqual([])
        expect((await labs.rows()).filter(({ ended_at }) => ended_at === null)).toEqual([])
        expect(await labs.broken()).toEqual([])
        expect(labs.bugs).toEqual([])
      }),
      { numRuns: LONG ? 20 : 1, endOnFailure: true },
    )
  },
)
