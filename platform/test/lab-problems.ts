import { brokenInvariants } from '../server/invariants/check.ts'
import { labDifferences } from '@trainyard/lab-users/test/compare-labs.ts'
import type { LabCall, LabDriver } from './lab-driver.ts'
import type { LabUser, LabEnvironment } from './lab-environment.ts'

/** Returns a sentence for every inconsistency of a lab user once no work is due. */
export async function problemsOf(env: LabEnvironment, driver: LabDriver, user: LabUser): Promise<string[]> {
  const { users, resourceGroups } = await env.labTruth()
  const theirs = users.filter(({ mailNickname }) => mailNickname === user.id)
  const row = await env.userRow(user.email)
  const remaining = [
    ...(row.ended_at === null ? ['the user has not ended'] : []),
    ...theirs.filter(({ purgedAt }) => purgedAt === null).map(() => 'the user can still be restored'),
    ...theirs.filter(({ exists, roles }) => exists || roles.length > 0).map(() => 'the user still exists or has roles'),
    ...resourceGroups.filter(({ name }) => name === user.group('one')).map(({ name }) => `${name} still exists`),
  ]
  const truth = await env.control('GET', '/_truth?part=users,resourceGroups,history')
  return [
    ...(theirs.length === 1 ? [] : [`the user was created ${theirs.length} times`]),
    ...(row.desired === 'gone' ? remaining : []),
    ...(await brokenInvariants(env.db, { quiet: true })).map(({ name, description }) => `${name}: ${description}`),
    ...(await labDifferences(env.db, truth.body)),
    ...tooEarly(driver.calls),
    ...driver.bugs.map(String),
  ]
}

const subjectOf = (target: string) => /\/resourcegroups\/([^/]+)/i.exec(target)?.[1]?.toLowerCase() ?? 'the directory'

/** Returns the calls that were made before the end of a pause that the provider requested. */
function tooEarly(calls: readonly LabCall[]): string[] {
  return calls.flatMap((refused, index) => {
    if (refused.status !== 429 || refused.retryAfter === null) return []
    const until = refused.at.getTime() + refused.retryAfter * 1000
    return calls
      .slice(index + 1)
      .filter(({ target, at }) => subjectOf(target) === subjectOf(refused.target) && at.getTime() < until - 1_000)
      .map(({ target }) => `${target} was requested before the end of the pause`)
  })
}
