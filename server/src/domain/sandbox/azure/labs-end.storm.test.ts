import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CloudError } from '../../../providers/errors.ts'
import { driveLabs } from '#test/lab-driver.ts'
import type { LabUser } from '#test/lab-environment.ts'
import { sharedLabEnvironment } from '#test/shared.ts'

/** A call fails in one of these ways the first time: refused, lost on the way there or back, or its worker killed. */
const FAILURES = ['refused', 'never arrived', 'answer lost', 'killed before', 'killed after'] as const
type Failure = (typeof FAILURES)[number]

let number = 0

const env = await sharedLabEnvironment()

/** Each different call fails once, in the way that comes next. */
function failing(failures: readonly Failure[]) {
  const failed = new Set<string>()
  return driveLabs(env, {
    labs: (labs, kill) => {
      const brittle = <Port extends object>(port: Port): Port =>
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
              if (failure === 'never arrived') throw new CloudError('unreachable', 'No answer.')
              await work(...given)
              if (failure === 'killed after') return kill()
              throw new CloudError('unreachable', 'No answer.')
            },
        })
      return { identity: brittle(labs.identity), groups: brittle(labs.groups) }
    },
  })
}

/** Ways in: signing in at the provider, a role in a group, a session here, the link of the email. */
async function waysIn(user: LabUser): Promise<string[]> {
  const { users, resourceGroups } = await env.labTruth()
  const theirs = users.filter(({ mailNickname }) => mailNickname === user.id)
  const session = await user.ask('GET', '/sandbox/azure')
  const accounts = await env.db.selectFrom('portal_user').select('id').where('email', '=', user.email).execute()
  return [
    ...theirs.filter(({ canSignIn }) => canSignIn).map(() => 'signs in at the provider'),
    ...theirs.flatMap(({ roles }) => roles.map(({ group, role }) => `is ${role} of ${group}`)),
    ...(session.status === 401 ? [] : [`a session answers ${session.status}`]),
    ...accounts.map(() => 'an account here'),
    ...resourceGroups.filter(({ name }) => name.startsWith(user.id.slice(0, 8))).map(({ name }) => `${name} stands`),
  ]
}

const life = fc.record({
  failures: fc.array(fc.constantFrom(...FAILURES), { minLength: 1, maxLength: 12 }),
  /** Seconds that the lab user and the sandbox live before the end. */
  lives: fc.integer({ min: 0, max: 900 }),
  end: fc.constantFrom('removed', 'days over', 'sandbox first'),
  machine: fc.boolean(),
})

test('whatever fails, and whenever the end comes, no way in is left', async () => {
  await fc.assert(
    fc.asyncProperty(life, async ({ failures, lives, end, machine }) => {
      const driver = await failing(failures)
      const user = await env.labUser(`end${(number += 1)}`)
      await user.create('one')
      await driver.run(lives)
      // Nobody asks whether it could be put there: at times there is no group yet, and no role.
      if (machine) await env.putMachine(user.email, user.group('one'), { name: `e${number}` })
      if (end === 'sandbox first') await user.ask('DELETE', '/sandbox/azure', { resourceGroupName: user.group('one') })
      if (end === 'days over') {
        await env.db.updateTable('azure_user').set({ end_at: env.now() }).where('id', '=', user.id).execute()
      } else {
        await env.superadmin('DELETE', '/sandbox/user', { email: user.email })
      }
      await driver.run(900)
      expect(await waysIn(user)).toEqual([])
      expect((await env.userRow(user.email)).ended_at).not.toBeNull()
      expect(driver.bugs).toEqual([])
    }),
    { numRuns: process.env['STORM'] === 'long' ? 100 : 6, endOnFailure: true },
  )
}, 600_000)
