import { expect, test } from 'vitest'
import { connectEmulatedLms } from '../test/emulated-lms.ts'
import { INSTRUCTOR } from '../test/lms-platform.ts'
import { order } from '@trainyard/platform/test/orders.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { readDueCourses } from './course-members.ts'

const LEARNERS = 4_000
const PAGE = 200

const env = await sharedEnvironment()
const admin = await env.signIn('admin', 'admin@campus.test', await env.organisation('Campus'))
await admin('POST', '/azure/machines', order('Networks', ['learner@campus.test']))
const lms = await connectEmulatedLms(env, admin)
const link = await lms.addLink('Lab')

const listed = (count: number) => [
  { id: 'teacher', name: 'Ravi Menon', roles: [INSTRUCTOR] },
  ...Array.from({ length: count }, (_, n) => ({
    id: `learner-${n}`,
    name: [`Learner ${n}`, 'आशा वर्मा', 'محمد علي', null][n % 4]!,
    email: n % 3 === 0 ? null : `same@campus.test`,
  })),
]
const setMembers = (count: number) => env.control('POST', '/_lti/members', { course: 'CS101', members: listed(count) })
const courseOf = async () => (await admin('GET', '/admin/lms')).body.platforms[0].courses[0]
const read = async () => {
  await env.step(3_700)
  await readDueCourses(env.parts)(new AbortController().signal)
  return (await courseOf()).roster
}
const rosterOf = async () => (await admin('GET', '/azure/roster?trainingName=Networks')).body.roster

test('reads a course with 4,000 learners in pages, and applies the changes to the roster', async () => {
  await setMembers(LEARNERS)
  await env.control('POST', '/_lti/page-size', { size: PAGE })
  await lms.launch('teacher', link.id)
  const { id } = await courseOf()
  await admin('POST', '/admin/lms/courses', { id, trainingName: 'Networks' })
  expect(await read()).toMatchObject({ members: LEARNERS + 1, problem: null })
  const rules = { templateName: null, allottedMinutes: null, guacamole: true, seats: null, graceDays: 14 }
  const source = { kind: 'lti_course', key: id }
  const body = { trainingName: 'Networks', source, rules: { machineRule: 'none', ...rules } }
  expect((await admin('POST', '/azure/roster', body)).status).toBe(200)
  const { members } = await rosterOf()
  expect(new Set(members.map(({ email }: { email: string }) => email)).size).toBe(LEARNERS + 1)
  await setMembers(LEARNERS - 10)
  await read()
  const after = await rosterOf()
  expect(after.members.filter(({ state }: { state: string }) => state === 'left')).toHaveLength(10)
  expect(after.pendingRemoval).toBeNull()
})
