import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CloudError } from '@trainyard/platform/server/providers/errors.ts'
import { driveLabs } from '@trainyard/platform/test/lab-driver.ts'
import type { LabUser } from '@trainyard/platform/test/lab-environment.ts'
import { sharedLabEnvironment } from '@trainyard/platform/test/shared.ts'

const FAILURES = ['refused', 'request lost', 'reply lost', 'killed before', 'killed after'] as const
type Failure = (typeof FAILURES)[number]

let number = 0

const env = await sharedLabEnvironment()

/** Returns a wrapper in which each different call fails once. The failures are used one after the other. */
function failing(failures: readonly Failure[]) {
  const failed = new Set<string>()
  return driveLabs(env, {
    labs: (labs, kill) => {
      const failOnce = <Port extends object>(port: Port): Port =>
        new Proxy(port, {
          get:
            (target, name) =>
            async (...given: unknown[]) => {
              const work = (target as Record<string | symbol, (...all: unknown[]) => Promise<unknown>>)[name]!
              const call = `${String(name)} ${JSON.stringify(given.slice(0, -1))}`
              if (failed.has(call)) return work(...given)
              const failure = failures[failed.size % failures.length]!
              failed.add(call)
              if (failure === 'killed before') return kill()
              if (failure === 'refused') throw new CloudError('throttled', 'Not now.', 7)
              if (failure === 'request lost') throw new CloudError('unreachable', 'No answer.')
              await work(...given)
              if (failure === 'killed after') return kill()
              throw new CloudError('unreachable', 'No answer.')
            },
        })
      return { identity: failOnce(labs.identity), groups: failOnce(labs.groups) }
    },
  })
}

/** Returns all access that is left: sign-in at the provider, roles, sessions and accounts here, existing groups. */
async function accessLeft(user: LabUser): Promise<string[]> {
  const { users, resourceGroups } = await env.labTruth()
  const directoryUsers = users.filter(({ mailNickname }) => mailNickname === user.id)
  const session = await user.call('GET', '/sandbox/azure')
  const accounts = await env.db.selectFrom('portal_user').select('id').where('email', '=', user.email).execute()
  return [
    ...directoryUsers.filter(({ canSignIn }) => canSignIn).map(() => 'signs in at the provider'),
    ...directoryUsers.flatMap(({ roles }) => roles.map(({ group, role }) => `is ${role} of ${group}`)),
    ...(session.status === 401 ? [] : [`a session gets ${session.status}`]),
    ...accounts.map(() => 'an account here'),
    ...resourceGroups.filter(({ name }) => name.startsWith(user.id.slice(0, 8))).map(({ name }) => `${name} exists`),
  ]
}

const lifetime = fc.record({
  failures: fc.array(fc.constantFrom(...FAILURES), { minLength: 1, maxLength: 12 }),
  lifeSeconds: fc.integer({ min: 0, max: 900 }),
  end: fc.constantFrom('removed', 'expired', 'sandbox first'),
  machine: fc.boolean(),
})

test('no access is left, whatever fails and whenever the end comes', async () => {
  await fc.assert(
    fc.asyncProperty(lifetime, async ({ failures, lifeSeconds, end, machine }) => {
      const driver = await failing(failures)
      const user = await env.labUser(`end${(number += 1)}`)
      await user.create('one')
      await driver.run(lifeSeconds)
      // May fail: at some times there is no group or no role yet.
      if (machine) await env.putMachine(user.email, user.group('one'), { name: `e${number}` })
      if (end === 'sandbox first') await user.call('DELETE', '/sandbox/azure', { resourceGroupName: user.group('one') })
      if (end === 'expired') {
        await env.db.updateTable('azure_user').set({ end_at: env.now() }).where('id', '=', user.id).execute()
      } else {
        await env.superadmin('DELETE', '/sandbox/user', { email: user.email })
      }
      await driver.run(900)
      expect(await accessLeft(user)).toEqual([])
      expect((await env.userRow(user.email)).ended_at).not.toBeNull()
      expect(driver.bugs).toEqual([])
    }),
    { numRuns: process.env['STORM'] === 'long' ? 100 : 6, endOnFailure: true },
  )
}, 600_000)
