import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { connectEmulatedLms } from '../test/emulated-lms.ts'
import { order } from '@trainyard/platform/test/orders.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { scoresOf } from './score.ts'
import { sendDueScores } from './scores.ts'

const env = await sharedEnvironment()
const admin = await env.signIn('admin', 'admin@campus.test', await env.organisation('Campus'))
const otherAdmin = await env.signIn('admin', 'admin@other.test', await env.organisation('Other'))
await admin('POST', '/azure/machines', order('Networks', ['direct@campus.test']))
const lms = await connectEmulatedLms(env, admin)
const link = await lms.addLink('Lab', { maximum: 50 })
const reading = await lms.addLink('Reading')
await lms.launch('3', link.id)
const { id: course } = (await admin('GET', '/admin/lms')).body.platforms[0].courses[0]
await admin('POST', '/admin/lms/courses', { id: course, trainingName: 'Networks' })

interface Activity {
  readonly id: string
  readonly title: string
  readonly scores: number
  readonly problem: string | null
}
const activity = async (title = 'Lab'): Promise<Activity> =>
  (await admin('GET', '/admin/lms')).body.platforms[0].courses[0].activities.find((a: Activity) => a.title === title)
const setScore = async (minutes: number | null, as = admin) =>
  (await as('POST', '/admin/lms/scores', { id: (await activity()).id, minutes })).status
const grades = async () => {
  const { body } = await env.control('GET', '/_lti/grades/CS101')
  return (body as { label: string; scores: { user: string }[] }[]).find(({ label }) => label === 'Lab')!.scores
}
const send = async (seconds = 660) => {
  await env.step(seconds)
  await sendDueScores(env.parts)(new AbortController().signal)
  return grades()
}
/** Stores a connection of a user with input in the last `minutes` minutes of the connection. */
const work = async (email: string, minutes: number) => {
  await sql`
    with session as (
      insert into remote_session (session_hash, email, machine_id, organisation_id, opened_at, seen_at, closed_at, ended)
      select '', ${email}, id, organisation_id, portal_now() - make_interval(mins => ${minutes}), portal_now(),
        portal_now(), 'Closed.'
      from machine where email = 'direct@campus.test' returning id, organisation_id, opened_at, closed_at)
    insert into remote_input (remote_session_id, organisation_id, began_at, ended_at)
    select id, organisation_id, opened_at, closed_at from session`.execute(env.db)
}

test('sends no score until an admin sets the minutes for the full score', async () => {
  const { email } = await lms.enter('5', link.id)
  await work(email!, 20)
  await work('direct@campus.test', 20)
  expect(await activity()).toMatchObject({ hasColumn: true, scoreMinutes: null, scores: 0, sentAt: null })
  expect(await send()).toEqual([])
  expect(await setScore(60)).toBe(200)
})

test('sends the active minutes of learners who opened the activity as a fraction of the full score', async () => {
  await lms.enter('3', link.id)
  await lms.enter('6', link.id)
  const sent = await send()
  // Excludes the teacher, a learner without active minutes, and a user who has never opened the activity.
  expect(sent).toEqual([
    {
      item: link.item,
      user: '5',
      given: 20,
      maximum: 60,
      activity: 'InProgress',
      grading: 'FullyGraded',
      comment: '20 of 60 minutes active on the machine',
      at: expect.any(String),
    },
  ])
  expect(await activity()).toMatchObject({ scores: 1, sentAt: expect.any(String), problem: null })
})

test('sends a score again only after a change, and never more than the full score', async () => {
  const [before] = await grades()
  expect(await send()).toEqual([before])
  await work((await lms.enter('5', link.id))['email']!, 90)
  expect(await send()).toMatchObject([{ user: '5', given: 60, maximum: 60, activity: 'Completed' }])
  expect(await setScore(200)).toBe(200)
  expect(await send()).toMatchObject([{ given: 90, maximum: 200, activity: 'InProgress' }])
})

test('retries after a failure, with longer pauses, and shows the reason', async () => {
  await work((await lms.enter('6', link.id))['email']!, 5)
  await env.emulator.fault({ kind: 'serverError', operation: 'Lti_Score', times: 2 })
  expect(await send()).toHaveLength(1)
  expect(await activity()).toMatchObject({
    problem: expect.stringMatching(/^127\.0\.0\.1:\d+ answers 500 to a score\.$/),
  })
  expect(await send(30)).toHaveLength(1)
  expect(await send(60)).toHaveLength(1)
  expect(await send(70)).toHaveLength(1)
  expect(await send(60)).toHaveLength(2)
  expect(await activity()).toMatchObject({ scores: 2, problem: null })
})

test('sends the scores of other learners if the LMS refuses one score', async () => {
  const { email } = await lms.enter('7', link.id)
  const { email: other } = await lms.enter('8', link.id)
  for (const each of [email!, other!]) await work(each, 10)
  const { body } = await env.control('GET', '/_lti/members/CS101')
  const members = body as { id: string }[]
  await env.control('POST', '/_lti/members', { course: 'CS101', members: members.filter(({ id }) => id !== '7') })
  expect((await send()).map(({ user }) => user)).toEqual(['5', '6', '8'])
  expect(await activity()).toMatchObject({
    scores: 3,
    problem: expect.stringMatching(/^1 learner.*answers 404 to a score/),
  })
  await env.control('POST', '/_lti/members', { course: 'CS101', members })
  expect(await send()).toHaveLength(4)
  expect(await activity()).toMatchObject({ scores: 4, problem: null })
})

test('continues a visit that reached its deadline, which is a failure only if the LMS accepted no score', async () => {
  const learners = ['5', '6', '7']
  for (const id of learners) await work((await lms.enter(id, link.id))['email']!, 3)
  /** Visits the LMS until it has received `count` scores, then reaches the deadline. Returns the learners. */
  const visit = async (count: number): Promise<string[]> => {
    const deadline = new AbortController()
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(deadline.signal)
    const sent: string[] = []
    const end = () => sent.length === count && deadline.abort()
    const sendScore: typeof env.parts.lms.sendScore = async (client, url, score) => {
      await env.parts.lms.sendScore(client, url, score)
      sent.push(score.subject)
      end()
    }
    end()
    await sendDueScores({ ...env.parts, lms: { ...env.parts.lms, sendScore } })(new AbortController().signal)
    timeout.mockRestore()
    return sent
  }
  await env.step(660)
  expect(await visit(0)).toEqual([])
  expect(await activity()).toMatchObject({ problem: 'The LMS did not accept all scores in time.' })
  await env.step(660)
  // A second visit sends the other scores.
  expect(await visit(1)).toEqual(['5', '6', '7'])
  expect(await activity()).toMatchObject({ problem: null })
})

test('sends nothing for an activity without a column, and lists this state', async () => {
  const { email } = await lms.enter('5', reading.id)
  await work(email!, 10)
  expect(await activity('Reading')).toMatchObject({ hasColumn: false })
})

describe('scores are refused or not sent', () => {
  test('for an activity of another organisation', async () => {
    expect(await setScore(1, otherAdmin)).toBe(404)
    expect(await activity()).toMatchObject({ scoreMinutes: 200 })
  })

  test('while the LMS is suspended, and after the course was disconnected or scores were disabled', async () => {
    const before = await grades()
    await work((await lms.enter('5', link.id))['email']!, 30)
    await admin('POST', '/admin/lms/suspension', { id: lms.id, suspended: true })
    expect(await send()).toEqual(before)
    await admin('POST', '/admin/lms/suspension', { id: lms.id, suspended: false })
    await admin('POST', '/admin/lms/courses', { id: course, trainingName: null })
    expect(await send()).toEqual(before)
    await admin('POST', '/admin/lms/courses', { id: course, trainingName: 'Networks' })
    expect(await setScore(null)).toBe(200)
    expect(await send()).toEqual(before)
    expect(await setScore(200)).toBe(200)
    expect(await send()).not.toEqual(before)
    expect(env.bugs).toEqual([])
  })
})

test.each([
  ['https://lms.test/items/2/lineitem?type_id=1', 'https://lms.test/items/2/lineitem/scores?type_id=1'],
  ['https://lms.test/items/2/', 'https://lms.test/items/2/scores'],
  ['not an address', undefined],
])('appends the path of scores to %s', (item, address) => {
  expect(scoresOf(item)?.href).toBe(address)
})
