import { expect, test } from 'vitest'
import { machinesOf, order } from '@trainyard/platform/test/orders.ts'
import { openEventStream } from '@trainyard/platform/test/event-stream.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { until } from '@trainyard/platform/test/until.ts'
import type { GuideResult, GuideRunView } from '../../contract/guide.ts'
import { GUIDE } from '../../contract/guide-words.ts'
import { guideOf } from '../../test/guide-of.ts'
import { zipOfFiles } from '../format/zip-of.ts'
import { openGuide } from './own-run.ts'
import { pointsOfLearners } from './points.ts'
import { storeSolve } from './solve.ts'

const TRAINING = 'Two steps'
const env = await sharedEnvironment()
const acme = await env.organisation('Acme')
const admin = await env.signIn('admin', 'admin@acme.test', acme)
await admin('POST', '/azure/machines', order(TRAINING, ['one@acme.test']))
const learner = await env.signIn('user', 'one@acme.test', acme)
const task = { check: 'exit 1', solve: 'true', fields: ', points: 10' }
const FILES = guideOf('two-steps', {
  one: { tasks: { first: task } },
  two: { tasks: { second: { ...task, needs: 'first' } } },
})
await admin('POST', '/guides', { bytes: zipOfFiles(FILES).toString('base64') })
await admin('POST', '/guides/publish', { guide: 'two-steps', number: 1, reason: 'A test.' })
await admin('POST', '/guides/attach', { trainingName: TRAINING, guide: 'two-steps', number: 1, templateName: null })
const [machine] = await machinesOf(learner, TRAINING)
const vmName = machine!.name

const change = (step: string, fields: { isHidden?: boolean; note?: string }) =>
  admin('POST', '/guides/step', {
    trainingName: TRAINING,
    guide: 'two-steps',
    step,
    isHidden: false,
    note: '',
    ...fields,
  })
const open = async (step: string | null): Promise<GuideRunView> =>
  (await learner('POST', '/guideRun/step', { vmName, step })).body.run
const view = async (): Promise<GuideRunView> => (await learner('GET', `/guideRun?vmName=${vmName}`)).body.run
const result = async () => (await admin('GET', `/guides/results?trainingName=${encodeURIComponent(TRAINING)}`)).body
const scores = async () => {
  const { id } = await env.db.selectFrom('training').select('id').where('name', '=', TRAINING).executeTakeFirstOrThrow()
  return (await pointsOfLearners(env.parts.db, id)).get('one@acme.test')
}

test('a hidden step and its points do not count, and count again when it is shown', async () => {
  await open('one')
  const { id: run_id, organisation_id } = await env.db.selectFrom('guide_run').selectAll().executeTakeFirstOrThrow()
  const { points, maximum } = (await view()).steps.flatMap(({ tasks }) => tasks)[0]!
  expect([points, maximum]).toEqual([0, 10])
  await env.db
    .insertInto('task_result')
    .values({ run_id, organisation_id, task: 'first', state: 'green', points: 8, hints: 1 })
    .execute()
  expect(await view()).toMatchObject({ step: 'one', points: 8, maximum: 20 })
  expect(await scores()).toEqual({ given: 8, maximum: 20, comment: '8 of 20 points, 1 hint' })

  expect((await change('one', { isHidden: true })).body.message).toBe(GUIDE.stepHidden('Step one'))
  const hidden = await view()
  expect(hidden).toMatchObject({ step: 'two', points: 0, maximum: 10 })
  expect(hidden.steps.map(({ id }) => id)).toEqual(['two'])
  // The task that it needed can no longer be done.
  expect(hidden.steps[0]!.tasks[0]!.needs).toEqual([])
  expect((await learner('POST', '/guideRun/skip', { vmName, task: 'first' })).body.message).toBe(GUIDE.noTask)
  expect((await learner('POST', '/guideRun/step', { vmName, step: 'one' })).body.message).toBe(GUIDE.noStep)
  const { guides, results } = await result()
  expect(guides[0]).toMatchObject({ maximum: 10, steps: [{ step: 'one', isHidden: true }, { isHidden: false }] })
  expect(results[0]).toMatchObject({ step: 'two', tasksDone: 0, points: 0, tasks: [] } satisfies Partial<GuideResult>)
  expect(await scores()).toEqual({ given: 0, maximum: 10, comment: '0 of 10 points' })

  expect((await change('one', {})).body.message).toBe(GUIDE.stepShown('Step one'))
  expect(await view()).toMatchObject({ step: 'one', points: 8, maximum: 20 })
  expect((await result()).results[0]).toMatchObject({ step: 'one', tasksDone: 1, points: 8 })
})

test('a learner whose last open step is hidden has completed the guide, once', async () => {
  const completed = async () =>
    (await env.db.selectFrom('webhook_event').select('data').where('type', '=', 'guide.completed').execute()).map(
      ({ data }) => data,
    )
  // Events are stored if a webhook receives them.
  await admin('POST', '/webhooks', { url: `${env.emulator.url}/webhooks/receive`, description: '', events: [] })
  // The learner has done the first step only.
  await change('one', { isHidden: true })
  await change('one', { isHidden: false })
  expect(await completed()).toEqual([])
  await change('two', { isHidden: true, note: 'Not today.' })
  await change('two', { isHidden: true, note: 'Tomorrow.' })
  expect(await completed()).toMatchObject([
    { guide: 'two-steps', number: 1, learner: 'one@acme.test', points: 8, training: { name: TRAINING } },
  ])
  await change('two', {})
  await change('two', { isHidden: true })
  await change('two', {})
  // The learner does the step that was hidden.
  const { id } = await env.db
    .selectFrom('portal_user')
    .select('id')
    .where('email', '=', 'one@acme.test')
    .executeTakeFirstOrThrow()
  const organisation = { id: acme, name: 'Acme', timeZone: 'UTC', logo: null }
  await env.parts.db.transaction().execute(async (tx) => {
    const own = await openGuide(tx, { id, email: 'one@acme.test', role: 'user', organisation }, vmName)
    await storeSolve(tx, own, 'second', [])
  })
  expect((await view()).steps[1]!.tasks[0]!.state).toBe('solved')
  expect(await completed()).toHaveLength(1)
})

test('open pages of learners are told of a hidden step and a note at once, and of nothing else', async () => {
  const stream = await openEventStream<{ mark: string }>(
    await env.credentials('one@acme.test'),
    `/guideRun/events?vmName=${vmName}`,
  )
  const reaches = (count: number) =>
    until(
      `${count} marks`,
      async () => stream.events.length,
      (length) => length >= count,
    )
  await reaches(1)
  await change('two', { note: 'Use port 8081.' })
  await reaches(2)
  await change('two', { isHidden: true, note: 'Use port 8081.' })
  await reaches(3)
  await learner('POST', '/azure/class/hand', { trainingName: TRAINING })
  // Another guide of the training is changed.
  const training = await env.db
    .selectFrom('training')
    .select(['id', 'organisation_id'])
    .where('name', '=', TRAINING)
    .executeTakeFirstOrThrow()
  const { organisation_id } = training
  const other = await env.db
    .insertInto('guide')
    .values({ organisation_id, slug: 'not-of-this-machine' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await env.db
    .insertInto('training_guide_step')
    .values({
      training_id: training.id,
      organisation_id,
      guide_id: other.id,
      step: 'one',
      hidden: true,
      note: '',
      changed_by: 'admin@acme.test',
    })
    .execute()
  await change('two', {})
  await reaches(4)
  expect(stream.events).toHaveLength(4)
  expect(stream.events[3]).toEqual(stream.events[0])
  stream.close()
})

test('a step stays visible, and only steps of an attached guide can be changed', async () => {
  await change('one', { isHidden: true })
  expect((await change('two', { isHidden: true })).body.message).toBe(GUIDE.lastStep)
  await change('one', {})
  expect((await change('three', {})).body.message).toBe(GUIDE.noStep)
  const other = { trainingName: TRAINING, guide: 'other', step: 'one', isHidden: true, note: '' }
  expect((await admin('POST', '/guides/step', other)).body.message).toBe(GUIDE.notAttached)
})

test('a note is shown as text without HTML, is in the audit, and is kept for the next version', async () => {
  const note = 'Use **port 8081**. <img src=x onerror=alert(1)>'
  expect((await change('one', { note })).body.message).toBe(GUIDE.noteSaved('Step one'))
  const [step] = (await view()).steps
  expect(step!.note).toMatchObject([
    {
      tag: 'paragraph',
      children: [
        { tag: 'text', text: 'Use ' },
        { tag: 'strong' },
        { tag: 'text', text: expect.stringContaining('. ') },
      ],
    },
  ])
  expect(JSON.stringify(step!.note)).not.toMatch(/"tag":"(?!paragraph|text|strong)/)
  const audit = await env.db
    .selectFrom('audit')
    .select('detail')
    .where('call', '=', 'guide.changeStep')
    .orderBy('at', 'desc')
    .executeTakeFirstOrThrow()
  expect(JSON.stringify(audit)).toContain('port 8081')
  FILES.set('notes.txt', Buffer.from('two'))
  await admin('POST', '/guides', { bytes: zipOfFiles(FILES).toString('base64') })
  await admin('POST', '/guides/publish', { guide: 'two-steps', number: 2, reason: 'A test.' })
  await admin('POST', '/guides/attach', { trainingName: TRAINING, guide: 'two-steps', number: 2, templateName: null })
  expect((await view()).steps[0]!.note).toHaveLength(1)
  expect((await change('one', {})).body.message).toBe(GUIDE.noteRemoved('Step one'))
  expect((await view()).steps[0]!.note).toEqual([])
})

test('two instructors who change the same step at once keep the change of each other', async () => {
  const fields = { trainingName: TRAINING, guide: 'two-steps', step: 'two' }
  await admin('POST', '/guides/step', { ...fields, note: 'Use port 8081.' })
  expect((await admin('POST', '/guides/step', { ...fields, isHidden: true })).body.message).toBe(
    GUIDE.stepHidden('Step two'),
  )
  const step = async () => (await result()).guides[0].steps[1]
  expect(await step()).toMatchObject({ isHidden: true, note: 'Use port 8081.' })
  expect((await admin('POST', '/guides/step', { ...fields, note: '' })).body.message).toBe(
    GUIDE.noteRemoved('Step two'),
  )
  expect(await step()).toMatchObject({ isHidden: true, note: '' })
  await change('two', {})
})

test('a version of which every step is hidden cannot be attached', async () => {
  await change('one', { isHidden: true })
  const files = guideOf('two-steps', { one: { tasks: { first: task } } })
  await admin('POST', '/guides', { bytes: zipOfFiles(files).toString('base64') })
  await admin('POST', '/guides/publish', { guide: 'two-steps', number: 3, reason: 'A test.' })
  const attach = () =>
    admin('POST', '/guides/attach', { trainingName: TRAINING, guide: 'two-steps', number: 3, templateName: null })
  const refused = await attach()
  expect([refused.status, refused.body.message]).toEqual([409, GUIDE.onlyHidden(['Step one'])])
  await change('one', {})
  expect((await attach()).status).toBe(200)
})
