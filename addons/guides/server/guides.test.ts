import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { ProofId } from '@trainyard/platform/contract/words/ids.ts'
import { order, TEMPLATE } from '@trainyard/platform/test/orders.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { until } from '@trainyard/platform/test/until.ts'
import type { guide as guideCalls } from '../contract/guide.ts'
import { GUIDE } from '../contract/guide-words.ts'
import type { Proofs } from '../contract/proof.ts'
import foreignGuides from '../test/foreign-guides.json' with { type: 'json' }
import { exampleFiles } from '../test/example-guides.ts'
import { minimalGuide } from '../test/minimal-guide.ts'
import { zipOfFiles } from './format/zip-of.ts'

const env = await sharedEnvironment()
const acme = await env.organisation('Acme')
const globex = await env.organisation('Globex')
const admin = await env.signIn('admin', 'admin@acme.test', acme)
const foreign = await env.signIn('admin', 'admin@globex.test', globex)
const superadmin = await env.signIn('superadmin', 'super@portal.test', null)
const TRAINING = 'Linux basics'
await admin('POST', '/azure/machines', order(TRAINING, ['one@acme.test']))
const learner = await env.signIn('user', 'one@acme.test', acme)

type Listed = ReplyOf<typeof guideCalls.list>
const list = async (as = admin): Promise<Listed> =>
  (await as('GET', `/guides?trainingName=${encodeURIComponent(TRAINING)}`)).body
const bytesOf = (files: ReadonlyMap<string, Buffer>) => zipOfFiles(files).toString('base64')
const upload = (files: ReadonlyMap<string, Buffer>, as = admin) => as('POST', '/guides', { bytes: bytesOf(files) })
const edited = (text: string) => exampleFiles('linux-users').set('notes.txt', Buffer.from(text))
const attach = (number: number, templateName: string | null = null, as = admin) =>
  as('POST', '/guides/attach', { trainingName: TRAINING, guide: 'linux-users', number, templateName })
const publish = (number: number, as = admin) =>
  as('POST', '/guides/publish', { guide: 'linux-users', number, reason: 'Tried by hand.' })

const fault = {
  kind: 'not-green',
  step: 'accounts',
  task: 'account',
  script: 'exists',
  exit_status: 1,
  message: '',
  error_output: '',
} as const
/** Ends a proof as a worker does, without its machine. */
const endProof = (id: ProofId, state: 'proven' | 'faulty', step: string) =>
  env.db
    .updateTable('proof')
    .set({ state, step, phase: 'ended', reconcile_at: null, ended_at: sql<Date>`portal_now()` })
    .where('id', '=', id)
    .execute()

test('uploads are numbered drafts, and the same files are stored once', async () => {
  const first = await upload(exampleFiles('linux-users'))
  expect(first.status).toBe(200)
  expect(first.body).toMatchObject({ guide: 'linux-users', number: 1, findings: [] })
  expect((await upload(exampleFiles('linux-users'))).body).toMatchObject({ number: 1, message: GUIDE.sameFiles(1) })
  expect((await upload(edited('two'))).body).toMatchObject({ number: 2 })
  const { guides, attached } = await list()
  expect(
    guides.map(({ guide, versions }) => [guide, versions.map(({ number, state }) => `${number} ${state}`)]),
  ).toEqual([['linux-users', ['2 draft', '1 draft']]])
  expect(guides[0]!.versions[0]).toMatchObject({ tasks: 6, points: 95, steps: 4, madeBy: 'admin@acme.test' })
  expect(attached).toEqual([])
  const { count } = await env.db
    .selectFrom('guide_file')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  expect(count).toBe(exampleFiles('linux-users').size + 1)
})

test('a guide with errors is refused with all of them, and leaves no row and no content in the audit', async () => {
  const files = exampleFiles('linux-users')
  files.delete('checks/account.sh')
  files.set('key.pem', Buffer.from('-----BEGIN PRIVATE KEY-----'))
  const { status, body } = await upload(files)
  expect(status).toBe(400)
  expect(body.findings).toMatchObject([
    { file: 'key.pem', line: null, at: '', sentence: 'The file contains a private key. A learner could read it.' },
    { file: 'guide.yaml', line: expect.any(Number), at: 'steps.0.tasks.0.checks.0.run', isError: true },
  ])
  expect((await admin('POST', '/guides', { bytes: 'no archive' })).body.message).toBe(GUIDE.notBase64)
  expect((await admin('POST', '/guides', { bytes: 'bm90' })).body.message).toBe('zip: The file is not a zip archive.')
  expect((await list()).guides[0]!.versions).toHaveLength(2)
  const audit = await env.db.selectFrom('audit').select('detail').where('call', '=', 'guide.upload').execute()
  expect(JSON.stringify(audit)).not.toContain('UEsDB')
})

test('a guide of another product is converted and stored with a report, or refused with its errors', async () => {
  const zipOfSample = (name: keyof typeof foreignGuides, folder = '') =>
    zipOfFiles(
      new Map(Object.entries(foreignGuides[name].files).map(([path, text]) => [path, Buffer.from(text)])),
      folder,
    ).toString('base64')
  const { status, body } = await admin('POST', '/guides', { bytes: zipOfSample('killercoda', 'notes-main/') })
  expect(status).toBe(200)
  expect(body).toMatchObject({ guide: 'notes-on-a-server', number: 1, imported: { format: 'killercoda' } })
  expect(body.imported.counts).toMatchObject({ steps: 3, tasks: 2, run: 3 })
  expect(body.imported.notes).toContainEqual({
    file: 'step2/text.md',
    line: 8,
    kind: 'variable',
    sentence: '{{TRAFFIC_SELECTOR}} is a value of the foreign portal.',
  })
  const refused = await admin('POST', '/guides', { bytes: zipOfSample('instruqt-track') })
  expect(refused.status).toBe(400)
  expect(refused.body).toMatchObject({
    message: 'guide.yaml: machines: Guides with several machines are not supported yet.',
    imported: { format: 'instruqt-track', counts: { checks: 2 } },
  })
})

test('only a published version is attached, and a retired one is kept by its trainings', async () => {
  expect((await attach(1)).body.message).toBe(GUIDE.notPublished)
  expect((await publish(1)).status).toBe(200)
  expect((await publish(1)).body.message).toBe(GUIDE.isPublished)
  expect((await publish(7)).status).toBe(404)
  expect((await attach(1)).status).toBe(200)
  expect((await attach(1, TEMPLATE)).status).toBe(200)
  expect((await attach(1, 'No such template')).status).toBe(404)
  expect((await admin('POST', '/guides/retire', { guide: 'linux-users', number: 1 })).status).toBe(200)
  expect((await attach(1)).body.message).toBe(GUIDE.isRetired)
  const title = 'Users and permissions on Linux'
  expect((await list()).attached).toEqual([
    { trainingName: TRAINING, guide: 'linux-users', number: 1, title, templateName: TEMPLATE },
    { trainingName: TRAINING, guide: 'linux-users', number: 1, title, templateName: null },
  ])
  const detach = (templateName: string | null) =>
    admin('POST', '/guides/detach', { trainingName: TRAINING, templateName })
  expect((await detach(TEMPLATE)).status).toBe(200)
  expect((await detach(TEMPLATE)).body.message).toBe(GUIDE.notAttached)
  expect((await list()).attached).toHaveLength(1)
})

test('an admin lists the guides of the organisation, and learners who have not started are among the results', async () => {
  const { guides, attached } = (await admin('GET', '/guides')).body as Listed
  expect(guides.map(({ guide }) => guide)).toEqual(['linux-users', 'notes-on-a-server'])
  expect(attached).toEqual((await list()).attached)
  expect(attached).toHaveLength(1)
  expect((await foreign('GET', '/guides')).body).toMatchObject({ guides: [], attached: [], size: 0 })
  const training = `trainingName=${encodeURIComponent(TRAINING)}`
  expect((await admin('GET', `/guides/attached?${training}`)).body).toMatchObject({
    attached,
    proofs: [{ state: null }],
  })
  const { results } = (await admin('GET', `/guides/results?${training}`)).body
  expect(results).toMatchObject([
    { email: 'one@acme.test', guide: 'linux-users', step: null, isCurrent: true, tasks: [] },
  ])
  expect(
    (await admin('POST', '/guides/check', { trainingName: TRAINING, vmName: results[0].vmName })).body.message,
  ).toBe(GUIDE.notStartedBy('one@acme.test'))
})

test('a version is read with its texts and files', async () => {
  const { body } = await admin('GET', '/guides/version?guide=linux-users&number=1')
  expect(body.contents).toHaveLength(4)
  expect(body.files).toContainEqual({
    path: 'checks/account.sh',
    bytes: exampleFiles('linux-users').get('checks/account.sh')!.length,
  })
})

test('a stored version cannot be changed', async () => {
  await expect(env.parts.db.updateTable('guide_version').set({ title: 'other' }).execute()).rejects.toThrow(
    'permission denied',
  )
})

test('the list contains the last versions of a guide', async () => {
  await sql`
    insert into guide_version (guide_id, organisation_id, number, title, hash, content, texts, findings, made_by)
    select guide_id, organisation_id, n, title, hash, content, texts, findings, made_by
    from guide_version, generate_series(3, 40) n where organisation_id = ${acme} and number = 1`.execute(env.db)
  expect((await list()).guides[0]!.versions.map(({ number }) => number)).toEqual([
    40, 39, 38, 37, 36, 35, 34, 33, 32, 31,
  ])
  await env.db.deleteFrom('guide_version').where('number', '>', 2).execute()
})

test('the guides of an organisation have a maximum size', async () => {
  await sql`
    insert into guide_file (organisation_id, hash, content)
    select ${acme}, sha256(n::text::bytea), convert_to(repeat('x', 5242880), 'UTF8') from generate_series(1, 40) n`.execute(
    env.db,
  )
  const refused = await upload(edited('three'))
  expect([refused.status, refused.body.message]).toEqual([409, GUIDE.full])
  expect((await upload(edited('two'))).body.message).toBe(GUIDE.sameFiles(2))
  await env.db
    .deleteFrom('guide_file')
    .where(sql<boolean>`octet_length(content) = 5242880`)
    .execute()
  expect((await list()).guides[0]!.versions).toHaveLength(2)
})

test('a version that nothing uses is deleted with its files, and its number is not used again', async () => {
  const remove = (number: number) => admin('DELETE', `/guides/version?guide=linux-users&number=${number}`)
  const contents = () =>
    env.db
      .selectFrom('guide_file')
      .select('hash')
      .where('organisation_id', '=', acme)
      .execute()
      .then((rows) => rows.length)
  expect((await remove(1)).body.message).toBe(GUIDE.isAttached)
  const before = await contents()
  expect((await upload(edited('three'))).body.number).toBe(3)
  expect(await contents()).toBe(before + 1)
  const { size } = await list()
  const { id } = (await admin('POST', '/guides/proofs', { guide: 'linux-users', number: 3, templateName: TEMPLATE }))
    .body
  expect((await list()).guides[0]!.versions[0]!.proof).toMatchObject({
    state: 'running',
    phase: 'waiting',
    step: 0,
    templateName: TEMPLATE,
  })
  expect((await remove(3)).body.message).toBe(GUIDE.isBeingProven)
  await endProof(id, 'faulty', 'accounts')
  await env.db
    .insertInto('proof_fault')
    .values({ ...fault, proof_id: id, organisation_id: acme })
    .execute()
  expect((await list()).guides[0]!.versions[0]!.proof).toMatchObject({ state: 'faulty', faults: 1, step: 1 })
  expect((await remove(3)).body.message).toBe(GUIDE.deleted('Users and permissions on Linux', 3))
  expect((await remove(3)).status).toBe(404)
  expect(await contents()).toBe(before)
  expect((await list()).size).toBeLessThan(size)
  expect((await upload(edited('four'))).body.number).toBe(4)
  expect((await remove(4)).status).toBe(200)
})

test('a version that is deleted meanwhile is neither published nor retired', async () => {
  for (const call of ['publish', 'retire']) {
    const { number } = (await upload(edited(`deleted before ${call}`))).body
    const answer = await env.db.transaction().execute(async (tx) => {
      await tx.deleteFrom('guide_version').where('organisation_id', '=', acme).where('number', '=', number).execute()
      const body = { guide: 'linux-users', number, ...(call === 'publish' && { reason: 'A test.' }) }
      const asked = admin('POST', `/guides/${call}`, body)
      await until(
        'the call waits',
        () => sql`select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`.execute(tx),
        ({ rows }) => rows.length > 0,
      )
      return { asked }
    })
    expect((await answer.asked).status).toBe(404)
  }
})

test('a version with which learners have worked is kept', async () => {
  const { vmName } = (await admin('GET', `/guides/results?trainingName=${encodeURIComponent(TRAINING)}`)).body
    .results[0]
  const opened = await learner('POST', '/guideRun/step', { vmName, step: null })
  expect([opened.status, opened.body.message]).toEqual([200, opened.body.message])
  await admin('POST', '/guides/detach', { trainingName: TRAINING, templateName: null })
  const { body } = await admin('DELETE', '/guides/version?guide=linux-users&number=1')
  expect(body.message).toBe(GUIDE.wasUsed)
})

test('a proof lists the files that have changed since the last one without a fault', async () => {
  const prove = async (number: number): Promise<ProofId> =>
    (await admin('POST', '/guides/proofs', { guide: 'linux-users', number, templateName: TEMPLATE })).body.id
  const addPackages = (id: ProofId, packages: object) =>
    env.db
      .updateTable('proof')
      .set({ packages: JSON.stringify(packages) })
      .where('id', '=', id)
      .execute()
  const [green, red] = [await prove(1), await prove(2)]
  await endProof(green, 'proven', '')
  await addPackages(green, { acl: '2.3.1-3', bash: '5.2.15-2', sudo: '1.9.13', vim: '9.0' })
  await env.step(60)
  await endProof(red, 'faulty', 'accounts')
  await addPackages(red, { acl: '2.3.2-1', bash: '5.2.15-2', nano: '7.2', sudo: '1.9.13' })
  const packages = ['acl 2.3.1-3 → 2.3.2-1', 'nano 7.2', 'vim 9.0 → removed']
  const { proofs } = (await admin('GET', '/guides/proofs?guide=linux-users')).body as Proofs
  expect(proofs.map(({ since }) => since)).toMatchObject([
    { number: 1, version: true, template: false, image: false, files: ['notes.txt'], packages },
    null,
  ])
})

describe('a version that is edited in the portal', () => {
  const ID = 'edited'
  const save = (files: ReadonlyMap<string, Buffer>, edited: object, as = admin) =>
    as('POST', '/guides', { bytes: bytesOf(files), edited })
  const withText = (text: string) => minimalGuide(ID).set('notes.txt', Buffer.from(text))
  const numbers = async () =>
    (await list()).guides.find(({ guide }) => guide === ID)!.versions.map(({ number, state }) => `${number} ${state}`)
  const files = async (number: number, as = admin) => as('GET', `/guides/files?guide=${ID}&number=${number}`)

  test('a new guide is saved once, and its files are read again', async () => {
    const { status, body } = await save(minimalGuide(ID), { guide: null, newest: 0 })
    expect([status, body.message]).toEqual([200, GUIDE.saved(1)])
    const read = (await files(1)).body
    expect(read).toMatchObject({ title: `Guide ${ID}`, newest: 1 })
    expect(new Map(read.files.map((each: { path: string; bytes: string }) => [each.path, each.bytes]))).toEqual(
      new Map([...minimalGuide(ID)].map(([path, content]) => [path, content.toString('base64')])),
    )
    const taken = await save(withText('other'), { guide: null, newest: 0 })
    expect([taken.status, taken.body.message]).toEqual([409, GUIDE.idTaken(ID)])
    const renamed = await save(withText('other'), { guide: 'another', newest: 7 })
    expect(renamed.body.message).toBe(GUIDE.idTaken(ID))
  })

  test('of two authors at once, the second is refused, and can save after the first', async () => {
    const saves = await Promise.all(['a', 'b'].map((text) => save(withText(text), { guide: ID, newest: 1 })))
    expect(saves.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    const refused = saves.find(({ status }) => status === 409)!
    expect(refused.body).toMatchObject({ message: GUIDE.isNewer(2, 'admin@acme.test'), newest: 2 })
    expect((await save(withText('c'), { guide: ID, newest: 2 })).body.number).toBe(3)
    expect(await numbers()).toEqual(['3 draft', '2 draft', '1 draft'])
  })

  test('a save replaces the draft that the author saved before, but not another one', async () => {
    expect((await save(withText('d'), { guide: ID, newest: 3, replaces: 3 })).body.number).toBe(4)
    expect(await numbers()).toEqual(['4 draft', '2 draft', '1 draft'])
    await admin('POST', '/guides/publish', { guide: ID, number: 4, reason: 'Tried by hand.' })
    // It was published meanwhile.
    expect((await save(withText('e'), { guide: ID, newest: 4, replaces: 4 })).body.number).toBe(5)
    const other = await env.signIn('admin', 'second@acme.test', acme)
    expect((await save(withText('f'), { guide: ID, newest: 5, replaces: 5 }, other)).body.number).toBe(6)
    const { id } = (await other('POST', '/guides/proofs', { guide: ID, number: 6, templateName: TEMPLATE })).body
    await endProof(id, 'proven', 'one')
    expect((await save(withText('g'), { guide: ID, newest: 6, replaces: 6 }, other)).body.number).toBe(7)
    expect(await numbers()).toEqual(['7 draft', '6 draft', '5 draft', '4 published', '2 draft', '1 draft'])
  })

  test('a save under another id keeps what it stored, and replaces the draft of the id before', async () => {
    const listed = async (id: string) =>
      (await list()).guides.find(({ guide }) => guide === id)?.versions.map(({ number }) => number)
    const first = await save(minimalGuide('before'), { guide: null, newest: 0 })
    expect(first.body).toMatchObject({ guide: 'before', number: 1 })
    const renamed = await save(minimalGuide('after'), { guide: 'before', newest: 1, replaces: 1 })
    expect(renamed.body).toMatchObject({ guide: 'after', number: 1, message: GUIDE.saved(1) })
    expect([await listed('before'), await listed('after')]).toEqual([undefined, [1]])
    const more = minimalGuide('after').set('notes.txt', Buffer.from('more'))
    expect((await save(more, { guide: 'after', newest: 1, replaces: 1 })).body.number).toBe(2)
    expect(await listed('after')).toEqual([2])
  })

  test('is refused with its faults, and not converted', async () => {
    const broken = withText('h').set('guide.yaml', Buffer.from('format: 2\n'))
    const { status, body } = await save(broken, { guide: ID, newest: 7 })
    expect([status, body.findings[0].file]).toEqual([400, 'guide.yaml'])
    const killercoda = new Map(
      Object.entries(foreignGuides.killercoda.files).map(([path, text]) => [path, Buffer.from(text)]),
    )
    const converted = await save(killercoda, { guide: null, newest: 0 })
    expect([converted.status, converted.body.findings]).toMatchObject([
      400,
      [{ file: 'guide.yaml', at: '', sentence: 'The file is missing.' }],
    ])
    for (const path of ['../x', '.git/config', 'a/.GIT/x', 'a b'])
      expect((await save(withText('i').set(path, Buffer.from('x')), { guide: ID, newest: 7 })).status).toBe(400)
  })

  test('is previewed with tasks and faults by line, and stores nothing', async () => {
    const before = await numbers()
    const preview = async (of: ReadonlyMap<string, Buffer>, shown: string, as = admin) =>
      as('POST', '/guides/preview', { bytes: bytesOf(of), shown })
    const { body } = await preview(withText('j'), 'one.md')
    expect(body.findings).toEqual([])
    expect(body.text.map(({ tag, id = '' }: { tag: string; id?: string }) => `${tag} ${id}`)).toEqual([
      'paragraph ',
      'task task',
      'question question',
    ])
    const image = withText('j').set('one.md', Buffer.from('Look.\n\n::task{gone}\n'))
    expect((await preview(image, 'one.md')).body.findings).toMatchObject([
      { file: 'one.md', line: 3, isError: true, sentence: 'The step has no task gone.' },
      { isError: false, sentence: 'The text does not place ::task{task}. It is shown at the end.' },
      { isError: false, sentence: 'The text does not place ::question{question}. It is shown at the end.' },
    ])
    const yaml = minimalGuide(ID).get('guide.yaml')!.toString().replace('check.sh', 'gone.sh')
    expect((await preview(withText('j').set('guide.yaml', Buffer.from(yaml)), 'check.sh')).body).toMatchObject({
      text: null,
      findings: [{ file: 'guide.yaml', line: 12, sentence: 'The file gone.sh does not exist.' }],
    })
    // Warnings do not take the places of errors, and all are counted.
    const many = withText('j').set('one.md', Buffer.from(`${'<b>\n\n'.repeat(500)}::task{gone}\n`))
    const { findings, total } = (await preview(many, 'one.md')).body
    expect([findings.length, findings.filter((each: { isError: boolean }) => each.isError).length, total]).toEqual([
      200, 1, 503,
    ])
    const unknown = Array.from({ length: 300 }, (_, key) => `a${key}: 1\n`).join('')
    const refused = await save(withText('j').set('guide.yaml', Buffer.from(yaml + unknown)), { guide: ID, newest: 7 })
    expect([refused.body.findings.length, refused.body.errors]).toEqual([200, 301])
    expect((await preview(withText('j').set('guide.yaml', Buffer.from(': :')), 'one.md')).body.text).not.toBeNull()
    expect((await preview(withText('j'), 'one.md', learner)).status).toBe(403)
    const audited = env.db.selectFrom('audit').select('refused').where('call', '=', 'guide.preview')
    expect(await audited.execute()).toEqual([])
    expect(await numbers()).toEqual(before)
  })

  test('belongs to one organisation', async () => {
    expect((await files(1, foreign)).status).toBe(404)
    expect((await files(1, learner)).status).toBe(403)
    expect((await files(99)).status).toBe(404)
    expect((await save(withText('k'), { guide: ID, newest: 0 }, foreign)).body.number).toBe(1)
  })
})

test('guides belong to one organisation', async () => {
  expect((await foreign('GET', '/guides/version?guide=linux-users&number=1')).status).toBe(404)
  expect((await publish(2, foreign)).status).toBe(404)
  expect((await attach(1, null, foreign)).status).toBe(404)
  expect((await upload(exampleFiles('linux-users'), foreign)).body.number).toBe(1)
  expect((await superadmin('GET', '/guides/version?organization=Acme&guide=linux-users&number=2')).status).toBe(200)
  expect((await superadmin('GET', '/guides/version?guide=linux-users&number=2')).status).toBe(400)
  expect((await list(learner)).guides).toBeUndefined()
})
