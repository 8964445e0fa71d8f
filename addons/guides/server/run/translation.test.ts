import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { machinesOf, order } from '@trainyard/platform/test/orders.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { GUIDE } from '../../contract/guide-words.ts'
import type { GuideRunView } from '../../contract/guide.ts'
import { exampleFiles } from '../../test/example-guides.ts'
import { minimalGuide } from '../../test/minimal-guide.ts'
import { zipOfFiles } from '../format/zip-of.ts'

const TRAINING = 'Git'
const env = await sharedEnvironment()
const acme = await env.organisation('Acme')
const admin = await env.signIn('admin', 'admin@acme.test', acme)
await admin('POST', '/azure/machines', order(TRAINING, ['one@acme.test']))
const learner = await env.signIn('user', 'one@acme.test', acme)
const files = exampleFiles('git-basics')
const upload = () => admin('POST', '/guides', { bytes: zipOfFiles(files).toString('base64') })
const [machine] = await machinesOf(learner, TRAINING)
const vmName = machine!.name
const view = async (): Promise<GuideRunView> => (await learner('GET', `/guideRun?vmName=${vmName}`)).body.run
const choose = (language: string) => learner('POST', '/guideRun/language', { vmName, language })

test('a translation with wrong values is refused, and one with unknown ids is reported', async () => {
  const german = files.get('i18n/de/guide.yaml')!
  files.set('i18n/de/guide.yaml', Buffer.from('steps: 1\n'))
  expect((await upload()).body.findings).toMatchObject([{ file: 'i18n/de/guide.yaml', at: 'steps' }])
  files.set('i18n/de/guide.yaml', Buffer.concat([german, Buffer.from('  - id: other\n')]))
  const { status, body } = await upload()
  expect([status, body.findings]).toMatchObject([
    200,
    [{ file: 'i18n/de/guide.yaml', at: '', sentence: 'The guide has no step other.' }],
  ])
})

test('a learner reads a guide in a language that it has, which is remembered, and otherwise in its own', async () => {
  await admin('POST', '/guides/publish', { guide: 'git-basics', number: 1, reason: 'A test.' })
  await admin('POST', '/guides/attach', { trainingName: TRAINING, guide: 'git-basics', number: 1, templateName: null })
  const english = await view()
  expect(english).toMatchObject({ language: 'en', languages: ['en', 'de'] })
  // Before the guide is started.
  expect((await choose('de')).body.run).toMatchObject({ language: 'de', title: 'Erste Schritte mit Git', step: null })
  await learner('POST', '/guideRun/step', { vmName, step: null })
  const german = await view()
  const [first, second] = german.steps
  expect(first).toMatchObject({ title: 'Eine Änderung festhalten', isTranslated: true })
  expect(JSON.stringify(first!.text)).toContain('Git hält fest, wer eine Änderung gemacht hat.')
  expect(first!.tasks[0]).toMatchObject({
    title: 'Git den eigenen Namen nennen',
    checks: [{ title: 'Name und E-Mail-Adresse sind gesetzt' }],
  })
  expect(second).toMatchObject({ title: english.steps[1]!.title, isTranslated: false })
  const { body } = await learner('POST', '/guideRun/hint', { vmName, task: 'first-commit' })
  expect(JSON.stringify(body.run.steps[0].tasks[1].hints)).toContain('Eine neue Datei muss vorgemerkt werden')
  expect((await choose('fr')).body.message).toBe(GUIDE.noLanguage)
  await choose('en')
  expect(await view()).toMatchObject({ language: 'en', title: english.title })
})

test('a learner gets the pictures of the texts, and no other file', async () => {
  const png = Buffer.from('iVBORw0KGgo=', 'base64')
  const yaml = minimalGuide('pictured').get('guide.yaml')!.toString()
  const pictured = minimalGuide('pictured')
    .set('guide.yaml', Buffer.from(`${yaml}  - {id: two, title: Two, text: two.md}\n`))
    .set('two.md', Buffer.from('![The door](images/d.png)'))
    .set('images/d.png', png)
    .set('one.md', Buffer.from('![The window](images/a.png)'))
    .set('images/a.png', png)
    .set('images/b.png', png)
    .set('images/c.png', png)
    .set('i18n/de/guide.yaml', Buffer.from('{steps: [{id: one, title: Eins}]}'))
    .set('i18n/de/one.md', Buffer.from('> ![Das Fenster](../../images/c.png)'))
  await admin('POST', '/guides', { bytes: zipOfFiles(pictured).toString('base64') })
  await admin('POST', '/guides/publish', { guide: 'pictured', number: 1, reason: 'A test.' })
  await admin('POST', '/guides/attach', { trainingName: TRAINING, guide: 'pictured', number: 1, templateName: null })
  const { token, url } = await env.credentials('one@acme.test')
  const { version } = await view()
  const picture = (path: string, headers: Record<string, string> = {}, of = version) =>
    fetch(`${url}/guideRun/picture?${new URLSearchParams({ vmName, version: of, path }).toString()}`, {
      headers: { cookie: `trainyard_session=${token}`, ...headers },
    })
  const refusal = async (reply: Promise<Response>) => ((await (await reply).json()) as { message: string }).message
  expect(await refusal(picture('images/a.png'))).toBe(GUIDE.notStarted)
  await learner('POST', '/guideRun/step', { vmName, step: null })
  const first = await picture('images/a.png')
  expect(Buffer.from(await first.arrayBuffer())).toEqual(png)
  expect(Object.fromEntries(first.headers)).toMatchObject({
    'content-type': 'image/png',
    'cache-control': 'private, no-cache',
  })
  const known = { 'if-none-match': first.headers.get('etag')! }
  const again = await picture('images/a.png', known)
  expect([again.status, again.headers.get('etag'), again.headers.get('cache-control')]).toEqual([
    304,
    first.headers.get('etag'),
    'private, no-cache',
  ])
  expect((await picture('images/d.png', known)).status).toBe(304)
  const hide = { trainingName: TRAINING, guide: 'pictured', step: 'two', isHidden: true, note: '' }
  expect((await admin('POST', '/guides/step', hide)).status).toBe(200)
  expect((await picture('images/d.png', known)).status).toBe(404)
  expect((await picture('images/c.png')).status).toBe(200)
  for (const path of ['images/b.png', 'check.sh', 'guide.yaml'])
    expect(await refusal(picture(path))).toBe(GUIDE.noPicture)
  for (const path of ['../images/a.png', 'images/a.png\0', ''])
    expect([(await picture(path)).status, (await picture(path, { cookie: '' })).status]).toEqual([400, 401])
  // The address of a version shows no other one.
  expect(await refusal(picture('images/a.png', {}, randomUUID()))).toBe(GUIDE.noPicture)
  await env.signIn('user', 'two@acme.test', acme)
  const other = { cookie: `trainyard_session=${(await env.credentials('two@acme.test')).token}` }
  expect((await picture('images/a.png', { ...other, ...known })).status).toBe(404)
  expect((await picture('images/a.png', { ...known, cookie: '' })).status).toBe(401)
  for (let round = 0; round < 42; round += 1) {
    const six = await Promise.all(Array.from({ length: 6 }, () => picture('images/a.png')))
    expect(six.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
  }
  const statuses = new Map<number, number>()
  for (let round = 0; round < 60; round += 1)
    for (const { status } of await Promise.all(Array.from({ length: 6 }, () => picture('images/a.png'))))
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
  expect(statuses.get(429)).toBeGreaterThan(0)
  expect((await picture('images/a.png', known)).status).toBe(304)
})

test('a large guide is shown at once in another language', async () => {
  const ids = Array.from({ length: 60 }, (_, step) => Array.from({ length: 10 }, (_each, task) => `t${step}-${task}`))
  const yamlOf = (task: (id: string) => string, step: string) =>
    `steps: [${ids.map((tasks, at) => `{id: s${at}, ${step} tasks: [${tasks.map(task).join(',')}]}`).join(',\n')}]\n`
  const head = '{format: 1, id: large, title: Large, summary: A test., language: en, minutes: 5,'
  const steps = yamlOf((id) => `{id: ${id}, title: A, checks: [{id: a, title: A, run: a.sh}]}`, 'title: A, text: a.md,')
  const large = new Map(
    [
      ['guide.yaml', `${head} machines: [{name: desk, os: linux}], ${steps}}`],
      ['i18n/de/guide.yaml', `{${yamlOf((id) => `{id: ${id}, title: B}`, 'title: B,')}}`],
      ['a.md', 'Text.'],
      ['a.sh', '#!/bin/bash\nexit 1\n'],
    ].map(([path, content]) => [path!, Buffer.from(content!)] as const),
  )
  expect((await admin('POST', '/guides', { bytes: zipOfFiles(large).toString('base64') })).status).toBe(200)
  await admin('POST', '/guides/publish', { guide: 'large', number: 1, reason: 'A test.' })
  await admin('POST', '/guides/attach', { trainingName: TRAINING, guide: 'large', number: 1, templateName: null })
  await choose('de')
  const before = performance.now()
  expect((await view()).steps[59]!.tasks[9]!.title).toBe('B')
  expect(performance.now() - before).toBeLessThan(2_000)
})

test('the guide of a deleted machine cannot be opened', async () => {
  await admin('DELETE', '/azure/machines', [{ name: vmName, resourceGroup: machine!.resourceGroup }])
  const opened = await learner('POST', '/guideRun/step', { vmName, step: null })
  expect([opened.status, opened.body.message]).toEqual([409, GUIDE.machineDeleted(vmName)])
})
