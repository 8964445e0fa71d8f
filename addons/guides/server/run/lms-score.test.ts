import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { sendDueScores } from '@trainyard/lti/server/scores.ts'
import { connectEmulatedLms } from '@trainyard/lti/test/emulated-lms.ts'
import { order } from '@trainyard/platform/test/orders.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { exampleFiles } from '../../test/example-guides.ts'
import type { Guide } from '../format/schema.ts'
import { zipOfFiles } from '../format/zip-of.ts'

const env = await sharedEnvironment()
const admin = await env.signIn('admin', 'admin@campus.test', await env.organisation('Campus'))
const lms = await connectEmulatedLms(env, admin)
const link = await lms.addLink('Lab', { maximum: 50 })
await admin('POST', '/azure/machines', order('Linux', ['direct@campus.test']))
await lms.launch('3', link.id)
const course = async () => (await admin('GET', '/admin/lms')).body.platforms[0].courses[0]
await admin('POST', '/admin/lms/courses', { id: (await course()).id, trainingName: 'Linux' })
const { email } = await lms.enter('5', link.id)
await admin('POST', '/guides', { bytes: zipOfFiles(exampleFiles('linux-users')).toString('base64') })

/** Stores the work of the learner after a number of resets of the machine. */
const work = (resets: number, task: string, points: number, hints: number) =>
  sql`
    with run as (
      insert into guide_run (organisation_id, machine_id, version_id, email, reset_count, variables, step)
      select m.organisation_id, m.id, v.id, ${email}, ${resets}, '{}', 'accounts' from machine m, guide_version v
      where m.email = 'direct@campus.test' returning id, organisation_id)
    insert into task_result (run_id, organisation_id, task, state, points, hints)
    select id, organisation_id, ${task}, 'green', ${points}, ${hints} from run`.execute(env.db)
const { id } = (await course()).activities[0]
const setScore = (body: object) => admin('POST', '/admin/lms/scores', { id, minutes: null, ...body })
const send = async () => {
  await env.step(660)
  await sendDueScores(env.parts)(new AbortController().signal)
  const { body } = await env.control('GET', '/_lti/grades/CS101')
  return (body as { label: string; scores: object[] }[]).find(({ label }) => label === 'Lab')!.scores
}

test('sends the points of the guide with a comment, the best of several runs, and nothing without work', async () => {
  expect((await setScore({ minutes: 10, points: true })).status).toBe(400)
  expect((await setScore({ points: true })).body.message).toBe('Lab: the points of the lab guide give the score.')
  expect(await send()).toEqual([])
  await work(0, 'unit', 14, 2)
  expect(await send()).toMatchObject([
    { user: '5', given: 14, maximum: 95, comment: '14 of 95 points, 2 hints', activity: 'InProgress' },
  ])
  await work(1, 'unit', 5, 0)
  expect(await send()).toMatchObject([{ given: 14 }])
  await work(2, 'unit', 95, 1)
  expect(await send()).toMatchObject([{ given: 95, comment: '95 of 95 points, 1 hint', activity: 'Completed' }])
  expect((await course()).activities[0]).toMatchObject({
    scoreBy: 'points',
    scoreMinutes: null,
    scores: 1,
  })
})

test('hiding the steps with points keeps the score that the LMS has', async () => {
  const rows = await env.db.selectFrom('guide_version').select(['guide_id', 'organisation_id', 'content']).execute()
  const { guide_id, organisation_id, content } = rows[0]!
  const { id: training_id } = await env.db
    .selectFrom('training')
    .select('id')
    .where('name', '=', 'Linux')
    .executeTakeFirstOrThrow()
  const hidden = { training_id, organisation_id, guide_id, hidden: true, note: '', changed_by: 'admin@campus.test' }
  await env.db
    .insertInto('training_guide_step')
    .values((content as Guide).steps.map(({ id: step }) => ({ ...hidden, step, changed_at: sql<Date>`portal_now()` })))
    .execute()
  expect(await send()).toMatchObject([{ given: 95, maximum: 95, activity: 'Completed' }])
})
