/** @module-tag full */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { labImport } from '../contract/lab-import.ts'
import { labImportKind } from './step.ts'
import { brokenInvariants } from '@trainyard/platform/server/invariants/check.ts'
import { demoLabs } from './lab-services.ts'
import { machinesOf, TEMPLATE } from '@trainyard/platform/test/orders.ts'
import { pdfText } from '@trainyard/platform/test/pdf.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { until } from '@trainyard/platform/test/until.ts'

type List = ReplyOf<typeof labImport.list>
type Plan = ReplyOf<typeof labImport.plan>

const env = await sharedEnvironment()
const acme = await env.organisation('Acme Learning')
const globex = await env.organisation('Globex Academy')
const admin = await env.signIn('admin', 'admin@acme.test', acme)
const superadmin = await env.signIn('superadmin', 'root@portal.test', null)
const foreignAdmin = await env.signIn('admin', 'admin@globex.test', globex)
await env.signIn('user', 'zoya.khan@school.test', globex)
const SUBSCRIPTION = env.portal.app.config.azure.subscriptionId
const PRINCIPAL = {
  tenantId: '00000000-0000-4000-8000-0000000000aa',
  clientId: '00000000-0000-4000-8000-0000000000bb',
  clientSecret: 'the secret of the school',
}
const GROUP = `/subscriptions/${SUBSCRIPTION}/resourceGroups/school-labs/providers/Microsoft.LabServices/labs`
/** Users with a role at the lab in Azure. The cut-over makes them instructors. */
const STAFF = { 'owner ira.bose@school.test': 'create', 'owner tom.alvares@school.test': 'create' }
/** Private network of the machines of one template. */
const NETWORK = { name: 'Corporate network', route: 'peering', ranges: ['10.20.0.0/16'] }
const seeded = demoLabs(SUBSCRIPTION, env.now())
const seed = () => env.control('POST', '/_labs', seeded)
await seed()
await env.worker()

const arm = async (method: string, path: string, body: unknown) => {
  const reply = await fetch(`${env.emulator.url}${GROUP}/${path}?api-version=2023-06-07`, {
    method,
    headers: { authorization: 'Bearer of-a-test', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!reply.ok) throw new Error(`${reply.status} ${await reply.text()}`)
}

const list = async (as = admin): Promise<List> => {
  const { status, body } = await as('GET', '/labImports')
  if (status !== 200) throw new Error(JSON.stringify([body, String(env.bugs[0])]))
  return body
}
const isRead = async () => {
  const found = await list()
  return found.imports.every(({ isReading }) => !isReading) && found.imports.length > 0
}
const eventually = (read: () => Promise<boolean>) => until('the condition is true', read, (value) => value)
const reading = () => eventually(isRead)
const labNamed = async (title: string) => (await list()).labs.find((lab) => lab.title === title)!
const planOf = async (title: string): Promise<Plan> =>
  (await admin('GET', `/labImports/plan?lab=${(await labNamed(title))._id}`)).body
const states = async (title: string) =>
  Object.fromEntries(
    (await planOf(title)).items
      .filter(({ state }) => !['same', 'differs'].includes(state))
      .map(({ id, state }) => [id, state]),
  )
const apply = async (title: string, ticked: string[] = []) =>
  admin('POST', '/labImports/apply', { labs: [{ lab: (await labNamed(title))._id, ticked }] })
const { token } = await env.credentials('admin@acme.test')
const reportFile = async (lab: string, format: 'csv' | 'pdf') =>
  env.portal.request('POST', '/labImports/report', { body: { lab, format }, uid: token })
const report = async (lab: string, format: 'csv') => (await reportFile(lab, format)).text()
const counts = async () => {
  const { rows } = await sql<{ tables: object }>`
    select jsonb_build_object('training', (select count(*) from training), 'schedule', (select count(*) from schedule),
      'user', (select count(*) from portal_user), 'machine', (select count(*) from machine)) as tables`.execute(env.db)
  return rows[0]!.tables
}

test('lets admins read labs only with an app registration, whose secret is encrypted until deletion', async () => {
  const own = await admin('POST', '/labImports', { subscriptionId: SUBSCRIPTION, principal: null })
  expect([own.status, own.body.message]).toEqual([
    400,
    'principal must be given: an app registration that may read the labs.',
  ])
  const started = await admin('POST', '/labImports', { subscriptionId: SUBSCRIPTION, principal: PRINCIPAL })
  expect(started.status).toBe(200)
  const { rows } = await sql<{ secret: Buffer }>`select client_secret as secret from lab_import`.execute(env.db)
  expect(rows[0]!.secret.toString('latin1')).not.toContain(PRINCIPAL.clientSecret)
  const audit = await sql<{ detail: unknown }>`select detail from audit where call = 'labImport.connect'`.execute(
    env.db,
  )
  expect(JSON.stringify(audit.rows)).not.toContain(PRINCIPAL.clientSecret)
  await reading()
  const { imports, labs } = await list()
  expect(imports).toMatchObject([{ kind: 'azure', labsFound: 3, labsRead: 3, hasSecret: true, error: null }])
  expect(
    labs.map(({ title, learners, machines, schedules, template: name }) => [
      title,
      learners,
      machines,
      schedules,
      name,
    ]),
  ).toEqual([
    ['Data Science', 1, 0, 0, TEMPLATE],
    ['Networks 101', 3, 3, 1, TEMPLATE],
    ['Office Basics', 2, 4, 1, null],
  ])
  expect(await list(foreignAdmin)).toMatchObject({ imports: [], labs: [] })
})

test('lists everything in the dry run and changes nothing', async () => {
  const before = await counts()
  expect(await states('Networks 101')).toEqual({
    'training Networks 101': 'create',
    'idle stop Stop idle machines': 'create',
    'schedule mondays': 'create',
    'learner meera.pillai@school.test': 'create',
    'learner arjun.sethi@school.test': 'create',
    'learner zoya.khan@school.test': 'blocked',
    ...STAFF,
  })
  const { items } = await planOf('Networks 101')
  const toOf = (id: string) => items.find((item) => item.id === id)?.to
  expect(toOf('learner meera.pillai@school.test')).toBe('6.5 h')
  expect(toOf('learner arjun.sethi@school.test')).toBe('35 h')
  const owners = items.filter(({ kind }) => kind === 'owner')
  expect(owners.map(({ name, from, to }) => [name, from, to])).toEqual([
    ['ira.bose@school.test', 'Owner', 'instructor'],
    ['tom.alvares@school.test', 'Lab Assistant', 'instructor'],
  ])
  expect(await states('Office Basics')).toMatchObject({ 'template Classic_Fsv2_4_8GB_128_S_SSD': 'blocked' })
  expect(await counts()).toEqual(before)
})

test('imports a lab, then finds only later changes in the portal or in Lab Services', async () => {
  const first = await apply('Networks 101')
  expect([first.status, first.body.message]).toEqual([200, 'One lab is imported: 5 changes.'])
  const training = await env.db
    .selectFrom('training')
    .selectAll()
    .where('name', '=', 'Networks 101')
    .executeTakeFirstOrThrow()
  expect(training.idle_stop_minutes).toBe(30)
  const people =
    await sql`select from portal_user where email like '%@school.test' and organisation_id = ${acme}`.execute(env.db)
  expect(people.rows, 'invitations wait for the cut-over').toEqual([])
  const { rows: planned } = await sql<{ action: string; weekdays: number[]; zone: string; runs: number }>`
    select r.action, r.weekdays, r.time_zone as zone, (select count(*)::int from schedule s where s.recurrence_id = r.id) as runs
    from recurrence r where training_id = ${training.id} order by action`.execute(env.db)
  expect(planned).toMatchObject([
    { action: 'Start', weekdays: [1, 3], zone: 'Asia/Kolkata' },
    { action: 'Stop', weekdays: [1, 3] },
  ])
  expect(planned.every(({ runs }) => runs > 90)).toBe(true)
  const settled = { 'learner zoya.khan@school.test': 'blocked', ...STAFF }
  expect(await states('Networks 101')).toEqual(settled)
  const before = await counts()
  const again = await apply('Networks 101')
  expect(again.body.message).toBe('Nothing has changed since the last import.')
  expect(await counts()).toEqual(before)

  // The source changes one value, and the portal changes another value.
  await arm('PATCH', 'networks-101/users/user-2', { properties: { additionalUsageQuota: 'PT2H' } })
  await env.db.updateTable('training').set({ idle_stop_minutes: 60 }).where('id', '=', training.id).execute()
  await admin('POST', '/labImports/refresh', { _id: (await list()).imports[0]!._id })
  await reading()
  expect(await states('Networks 101')).toEqual({
    ...settled,
    'learner arjun.sethi@school.test': 'change',
    'idle stop Stop idle machines': 'kept',
  })
  expect((await planOf('Networks 101')).items.find(({ kind }) => kind === 'idle stop')).toMatchObject({
    from: 'after 30 minutes without use',
    to: 'after 60 minutes without use',
  })
  expect((await apply('Networks 101')).body.message).toBe('One lab is imported: one change.')
  const idle = () =>
    env.db.selectFrom('training').select('idle_stop_minutes').where('id', '=', training.id).executeTakeFirstOrThrow()
  expect(await idle()).toEqual({ idle_stop_minutes: 60 })

  // Source and portal change this value. It is overwritten only if the user selects it.
  const { autoShutdownProfile } = seeded.labs[0]!.properties
  await arm('PATCH', 'networks-101', {
    properties: { autoShutdownProfile: { ...autoShutdownProfile, idleDelay: 'PT45M' } },
  })
  await admin('POST', '/labImports/refresh', { _id: (await list()).imports[0]!._id })
  await reading()
  expect(await states('Networks 101')).toMatchObject({ 'idle stop Stop idle machines': 'conflict' })
  await apply('Networks 101')
  expect(await idle()).toEqual({ idle_stop_minutes: 60 })
  await apply('Networks 101', ['idle stop Stop idle machines'])
  expect(await idle()).toEqual({ idle_stop_minutes: 45 })
  expect(await states('Networks 101')).toEqual(settled)
})

test('proposes another name if a training has the title, and continues a throttled reading', async () => {
  await env.db.insertInto('training').values({ organisation_id: acme, name: 'Data Science' }).execute()
  expect((await labNamed('Data Science')).trainingName).toBe('Data Science 2')
  const id = (await labNamed('Data Science'))._id
  const nameConflict = await admin('PATCH', '/labImports/lab', { lab: id, trainingName: 'data science' })
  expect(nameConflict.status).toBe(409)
  expect((await admin('PATCH', '/labImports/lab', { lab: id, trainingName: 'Data Science II' })).status).toBe(200)
  expect((await labNamed('Data Science')).trainingName).toBe('Data Science II')
  const fault = { kind: 'throttle', operation: 'LabServices_Users_ListByLab', times: 1, retryAfter: 1 }
  await env.control('POST', '/_faults', fault)
  await admin('POST', '/labImports/refresh', { _id: (await list()).imports[0]!._id })
  await reading()
  expect((await list()).imports[0]).toMatchObject({ labsRead: 3, error: null })
})

test("orders machines at the cut-over, with each learner's hours and e-mail, and reports the move", async () => {
  const lab = (await labNamed('Networks 101'))._id
  const readyBy = { date: new Date(env.now().getTime() + 3 * 86_400_000).toISOString().slice(0, 10), time: '09:00' }
  const earlyCutOver = await admin('POST', '/labImports/cutOver', {
    lab: (await labNamed('Office Basics'))._id,
    readyBy,
    guacamole: true,
  })
  expect([earlyCutOver.status, earlyCutOver.body.message]).toEqual([409, 'Import Office Basics first.'])
  const moved = await admin('POST', '/labImports/cutOver', { lab, readyBy, guacamole: true })
  expect([moved.status, moved.body.message]).toEqual([
    200,
    'Networks 101 has moved. 2 machines are ordered, ready at 09:00.',
  ])
  const machines = await machinesOf(admin, 'Networks 101')
  expect(Object.fromEntries(machines.map(({ email, quota }) => [email, quota.total]))).toEqual({
    'arjun.sethi@school.test': 720,
    'meera.pillai@school.test': 390,
  })
  const subjects = async () => {
    const { mails } = (await (await fetch(`${env.emulator.url}/_truth?part=mails`)).json()) as {
      mails: { subject: string }[]
    }
    return mails.map(({ subject }) => subject)
  }
  await eventually(
    async () => (await subjects()).filter((each) => each === 'Networks 101: your machine has moved').length === 2,
  )
  const csv = await report(lab, 'csv')
  expect(csv).toContain('Left behind,Learner,zoya.khan@school.test')
  expect(csv).toContain('Moved,Schedule,mondays')
  expect(csv).toMatch(/Moved,Instructor,tom\.alvares@school\.test,instructor/)
  const { body: ledTrainings } = await admin('GET', '/azure/class/instructors?trainingName=Networks%20101')
  expect(ledTrainings.instructors.map(({ email }: { email: string }) => email).toSorted()).toEqual([
    'ira.bose@school.test',
    'tom.alvares@school.test',
  ])
  expect((await admin('POST', '/labImports/cutOver', { lab, readyBy, guacamole: true })).status).toBe(409)
  expect((await apply('Networks 101')).status).toBe(409)
  await admin('POST', '/labImports/refresh', { _id: (await list()).imports[0]!._id })
  await reading()
  expect((await list()).imports[0], 'a moved lab counts as read').toMatchObject({ labsFound: 3, labsRead: 3 })
})

test('removes only unused parts in a rollback', async () => {
  const lab = (await labNamed('Networks 101'))._id
  const machines = await machinesOf(admin, 'Networks 101')
  const used = machines.find(({ email }) => email === 'meera.pillai@school.test')!
  await sql`
    insert into remote_session (session_hash, email, machine_id, organisation_id, closed_at, ended)
    select '\\x00', email, id, organisation_id, portal_now(), 'closed' from machine where name = ${used.name}`.execute(
    env.db,
  )
  const { status, body } = await admin('POST', '/labImports/rollBack', { lab })
  const stays = [
    `The machine ${used.name} of meera.pillai@school.test was used.`,
    'The training Networks 101 has machines.',
  ]
  expect([status, body.stays]).toEqual([200, stays])
  expect(body.message).toBe(`Networks 101 is rolled back. Not removed: ${stays.join(' ')}`)
  const people = await sql<{ email: string }>`
    select email from portal_user where email like '%@school.test' and organisation_id = ${acme}`.execute(env.db)
  expect(people.rows).toEqual([{ email: 'meera.pillai@school.test' }])
  await eventually(
    async () => (await machinesOf(admin, 'Networks 101')).filter(({ status: s }) => s !== 'Terminated').length === 1,
  )
  const { rows: remaining } = await sql`
    select from schedule s join training t on t.id = s.training_id
    where t.name = 'Networks 101' and s.removed_at is null and s.completed_at is null`.execute(env.db)
  expect(remaining).toEqual([])
  expect(await brokenInvariants(env.db, { quiet: false })).toEqual([])
})

test('creates a template for a size, and deletes the import with its secret', async () => {
  const office = await labNamed('Office Basics')
  const { newTemplate } = await planOf('Office Basics')
  expect(newTemplate).toMatchObject({ os: 'Windows', vmSize: 'Standard_DS3_v2', location: 'southindia' })
  const template = {
    lab: office._id,
    name: 'Windows medium',
    rate: 30,
    resourceGroup: 'labs',
    vnet: 'labs-net',
    imageId: newTemplate.imageId,
  }
  expect((await admin('POST', '/labImports/template', template)).status).toBe(403)
  expect((await superadmin('POST', '/labImports/template', template)).status).toBe(200)
  expect((await labNamed('Office Basics')).template).toBe('Windows medium')
  const premium = { ...template, lab: (await labNamed('Data Science'))._id, name: 'Premium medium' }
  expect((await superadmin('POST', '/labImports/template', premium)).status).toBe(200)
  const { rows: disks } = await sql`
    select size ->> 'disk' as disk from template where name in ('Premium medium', 'Windows medium') order by name`.execute(
    env.db,
  )
  expect(disks).toEqual([{ disk: 'Premium_LRS' }, { disk: 'StandardSSD_LRS' }])
  const { imports } = await list()
  expect((await admin('DELETE', '/labImports', { _id: imports[0]!._id })).status).toBe(200)
  expect(await list()).toMatchObject({ imports: [], labs: [] })
  expect(await sql`select client_secret from lab_import`.execute(env.db)).toMatchObject({
    rows: [{ client_secret: null }],
  })
  expect(env.bugs).toEqual([])
})

test('reads files, reports line and reason of problems, and never stores or audits their passwords', async () => {
  const head = 'LabName,Size,UsageQuota,Emails,Password,LabOwnerEmails'
  const bad = await admin('POST', '/labImports/files', {
    files: [{ name: 'labs.csv', csv: `${head}\none,Huge,10,,pw,` }],
  })
  expect(bad.body).toMatchObject({ _id: null, problems: [{ file: 'labs.csv', line: 2 }] })
  const validRows = `${head}\none,Basic,10,a@school.test,TopSecret-77,teacher@school.test;late@globex.test`
  expect((await admin('POST', '/labImports/files', { files: [{ name: 'labs.csv', csv: validRows }] })).status).toBe(200)
  const { labs } = await list()
  expect(labs).toMatchObject([{ title: 'one', learners: 1, machines: 0 }])
  const { rows } = await sql<{ text: string }>`
    select source::text as text from imported_lab union all select detail::text from audit`.execute(env.db)
  expect(rows.map(({ text }) => text).join()).not.toContain('TopSecret-77')
  const pdf = await pdfText(Buffer.from(await (await reportFile(labs[0]!._id, 'pdf')).arrayBuffer()))
  expect(pdf).toContain('Move of one')

  // Owners lead the class from the cut-over until a rollback.
  const lab = labs[0]!._id
  await admin('POST', '/labImports/apply', { labs: [{ lab, ticked: [] }] })
  // An unused account of another organisation, newer than the cut-over.
  await sql`
    insert into portal_user (email, role, organisation_id, created_at)
    values ('late@globex.test', 'user', ${globex}, portal_now() + interval '1 hour')`.execute(env.db)
  const readyBy = { date: new Date(env.now().getTime() + 3 * 86_400_000).toISOString().slice(0, 10), time: '09:00' }
  const cutOver = async () => admin('POST', '/labImports/cutOver', { lab, readyBy, guacamole: false })
  const setLearners = async (learners: object) =>
    sql`update imported_lab set applied = jsonb_set(applied, '{learners}', ${JSON.stringify(learners)}::jsonb)`.execute(
      env.db,
    )
  const learners = { 'a@school.test': 600 }
  const others = Array.from({ length: 999 }, (_, number) => [`u${number}@school.test`, 60])
  await setLearners({ ...learners, ...Object.fromEntries(others) })
  const large = await cutOver()
  expect([large.status, large.body.message]).toEqual([
    409,
    'one has 1001 learners and owners. At most 1000 can move at once: remove some from the lab and import it again.',
  ])
  await setLearners(learners)
  expect((await cutOver()).status).toBe(200)
  const owners = async () =>
    (
      await sql<{ email: string }>`
      select email from portal_user join training_instructor on user_id = id`.execute(env.db)
    ).rows
  expect(await owners()).toEqual([{ email: 'teacher@school.test' }])
  expect((await admin('POST', '/labImports/rollBack', { lab })).body.stays).toEqual([])
  expect(await owners()).toEqual([])
  const { rows: remaining } =
    await sql`select email from portal_user where email in ('teacher@school.test', 'a@school.test', 'late@globex.test')`.execute(
      env.db,
    )
  expect(remaining).toEqual([{ email: 'late@globex.test' }])
})

test("never reads a deleted import, because the portal's own credentials would then be used", async () => {
  const connected: string[] = []
  const { step } = labImportKind({
    db: env.db,
    seal: env.portal.app.seal,
    connectLabServices(subscription) {
      connected.push(subscription)
      throw new Error('It must not connect.')
    },
  })
  const row = await env.db
    .selectFrom('lab_import')
    .selectAll()
    .where('removed_at', 'is not', null)
    .executeTakeFirstOrThrow()
  for (const listed of [true, false]) {
    expect(await step({ ...row, listed }, new AbortController().signal)).toEqual({ next: null })
  }
  expect(connected).toEqual([])
})

test('creates a registration link for the free machines at the cut-over, and revokes it in a rollback', async () => {
  await admin('POST', '/labImports', { subscriptionId: SUBSCRIPTION, principal: PRINCIPAL })
  await reading()
  const lab = await labNamed('Office Basics')
  expect((await planOf('Office Basics')).items.find(({ kind }) => kind === 'link')).toMatchObject({
    state: 'create',
    to: '2 seats',
  })
  const full = (await planOf('Data Science')).items.find(({ kind }) => kind === 'link')
  expect(full).toMatchObject({
    state: 'differs',
    reason: expect.stringContaining('Every machine of the lab has a user'),
  })
  const network = await superadmin('POST', '/admin/networks', NETWORK)
  expect([network.status, network.body.message]).toEqual([200, expect.any(String)])
  const created = await superadmin('POST', '/labImports/template', {
    lab: lab._id,
    name: 'Office in the corporate network',
    rate: 20,
    resourceGroup: 'labs',
    vnet: 'labs-net',
    privateNetwork: NETWORK.name,
    imageId: 'microsoftwindowsdesktop:windows-11:win11-23h2-pro:latest',
  })
  expect(created.body.message).toContain('created and assigned')
  const { rows: templates } = await sql<{ name: string }>`
    select n.name from template t join private_network n on n.id = t.private_network_id
    where t.name = 'Office in the corporate network'`.execute(env.db)
  expect(templates).toEqual([{ name: NETWORK.name }])
  await apply('Office Basics')
  const readyBy = { date: new Date(env.now().getTime() + 3 * 86_400_000).toISOString().slice(0, 10), time: '09:00' }
  const moved = await admin('POST', '/labImports/cutOver', { lab: lab._id, readyBy, guacamole: true })
  expect(moved.body.message).toContain('Office Basics has moved.')
  const links = async () => (await admin('GET', '/azure/registrationLinks?trainingName=Office%20Basics')).body.links
  expect(await links()).toMatchObject([
    {
      name: 'From Azure Lab Services',
      seats: 2,
      state: 'open',
      needsApproval: false,
      machine: { templateName: 'Office in the corporate network', allocatedHours: 600, guacamole: true },
    },
  ])
  expect((await planOf('Office Basics')).items.find(({ kind }) => kind === 'link')).toMatchObject({ state: 'same' })
  const newLearner = await env.signIn('user', 'comer@school.test', acme)
  const [{ code }] = await links()
  expect((await newLearner('POST', '/registration/seat', { code, name: 'Late Comer' })).body).toMatchObject({
    state: 'seated',
  })
  const rollback = await admin('POST', '/labImports/rollBack', { lab: lab._id })
  expect(rollback.body.stays).toContain('The registration link was used. It is revoked.')
  expect(await links()).toMatchObject([{ state: 'revoked', taken: 1 }])
})
