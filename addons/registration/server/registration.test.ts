/** @module-tag full */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { deactivateUserOf } from '@trainyard/platform/test/role.ts'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { RegistrationLink, registration, registrationLink } from '../contract/registration.ts'
import { REGISTRATION } from '../contract/registration-words.ts'
import { brokenInvariants } from '@trainyard/platform/server/invariants/check.ts'
import type { Caller } from '@trainyard/platform/test/caller.ts'
import { send } from '@trainyard/platform/test/caller.ts'
import { machinesOf, order, TEMPLATE } from '@trainyard/platform/test/orders.ts'
import { type Deviation, softwareAuthenticator } from '@trainyard/second-factor/test/authenticator.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { until } from '@trainyard/platform/test/until.ts'

type Links = ReplyOf<typeof registrationLink.list>
type OwnSeat = ReplyOf<typeof registration.takeSeat>

const PASSWORD = 'correct horse battery staple'
const env = await sharedEnvironment()
const PASSKEYS_AT = env.portal.url.replace('127.0.0.1', 'localhost')
const acme = await env.organisation('Acme Learning')
const globex = await env.organisation('Globex Academy')
const admin = await env.signIn('admin', 'admin@acme.test', acme)
const otherUser = await env.signIn('user', 'stranger@globex.test', globex)
await env.db.updateTable('organisation').set({ pseudonyms_allowed: true }).where('id', '=', acme).execute()
await env.worker()

const sendAnonymously: Caller = (method, path, body, headers) =>
  send(method, `${env.portal.url}/api${path}`, body, headers)

let trainings = 0
/** Creates a training with one machine. */
async function newTraining(): Promise<string> {
  const name = `Course ${++trainings}`
  const { status, body } = await admin('POST', '/azure/machines', order(name, [`first${trainings}@acme.test`]))
  if (status !== 200) throw new Error(JSON.stringify(body))
  return name
}
const MACHINE = { templateName: TEMPLATE, allocatedHours: 600, guacamole: true }
async function newLink(trainingName: string, overrides: object = {}, as = admin): Promise<RegistrationLink> {
  const link = {
    name: 'Mondays',
    seats: 2,
    opensAt: null,
    closesAt: null,
    domains: [],
    needsApproval: false,
    machine: null,
  }
  const { status, body } = await as('POST', '/azure/registrationLinks', { trainingName, ...link, ...overrides })
  if (status !== 200) throw new Error(JSON.stringify([status, body]))
  return (await linksOf(trainingName, as)).find(({ _id }) => _id === body._id)!
}
async function linksOf(trainingName: string, as = admin): Promise<RegistrationLink[]> {
  const { status, body } = await as('GET', `/azure/registrationLinks?trainingName=${encodeURIComponent(trainingName)}`)
  if (status !== 200) throw new Error(JSON.stringify([status, body]))
  return (body as Links).links
}
const learner = (email: string, organisation = acme) => env.signIn('user', email, organisation)
const register = (as: Caller, code: string | null, overrides: object = {}) =>
  as('POST', '/registration/seat', { code, ...overrides }) as Promise<{
    status: number
    body: OwnSeat & { message: string }
  }>
const registeredAt = async ({ _id }: RegistrationLink): Promise<Record<string, string>> => {
  const { body } = await admin('GET', `/azure/registrations?link=${_id}`)
  return Object.fromEntries(
    body.registrations.map(({ email, state }: { email: string; state: string }) => [email, state]),
  )
}
const liveMachines = async (training: string) => (await machinesOf(admin, training)).filter(({ isAlive }) => isAlive)
const mailsTo = async (email: string) =>
  ((await env.truth()) as unknown as { mails: { to: string[]; subject: string; text: string }[] }).mails.filter(
    ({ to }) => to.includes(email),
  )
const mailTo = (email: string) =>
  until(
    `a mail to ${email}`,
    async () => (await mailsTo(email)).at(-1) ?? null,
    (mail) => mail !== null,
  )
const requestMail = (code: string | null, email: string) =>
  sendAnonymously('POST', '/registration/account', { code, email })
const tokenIn = (text: string) => /#confirm=(\S+)/.exec(text)![1]!
const auditOf = async (call: string) =>
  env.db
    .selectFrom('audit')
    .select(['actor_email', 'refused', 'detail', 'after'])
    .where('call', '=', call)
    .orderBy('id')
    .execute()

test('gives exactly the seats of a link to users who register concurrently, each with a machine', async () => {
  const training = await newTraining()
  const { code, _id } = await newLink(training, { seats: 12, machine: MACHINE })
  const people = await Promise.all(Array.from({ length: 60 }, (_, i) => learner(`crowd${i}@acme.test`)))
  // Some users register twice at the same time.
  const visits = [...people, ...people.slice(0, 12)]
  const replies = await Promise.all(visits.map(async (person) => ({ person, ...(await register(person, code)) })))
  const accepted = replies.filter(({ status }) => status === 200)
  const rejections = replies.filter(({ status, body }) => status === 409 && body.message === REGISTRATION.full)
  expect([new Set(accepted.map(({ person }) => person)).size, accepted.length + rejections.length]).toEqual([12, 72])
  expect(await liveMachines(training)).toHaveLength(13)
  expect(await linksOf(training)).toMatchObject([{ _id, seats: 12, taken: 12, state: 'full' }])
  const { rows } = await sql<{
    seat: number
  }>`select seat from registration where link_id = ${_id} order by seat`.execute(env.db)
  expect(rows.map(({ seat }) => seat)).toEqual(Array.from({ length: 12 }, (_, i) => i + 1))
  const machines = (await liveMachines(training)).filter(({ email }) => email.startsWith('crowd'))
  expect(machines.every(({ quota, guacamole }) => quota.total === 600 && guacamole)).toBe(true)
})

test('refuses a user beyond the seats in the database itself', async () => {
  const { _id } = await newLink(await newTraining(), { seats: 1 })
  const place = (seat: number, seats: number) =>
    sql`
    insert into registration (link_id, organisation_id, user_id, state, seat, link_seats, is_pseudonym)
    select ${_id}, ${acme}, id, 'seated', ${seat}, ${seats}, false from portal_user where email = 'admin@acme.test'`.execute(
      env.db,
    )
  await expect(place(2, 1)).rejects.toThrow('registration_check')
  await expect(place(2, 2)).rejects.toThrow('foreign key')
})

test('orders no second machine for a learner who has a machine in the training', async () => {
  const training = await newTraining()
  const [one, two] = [await newLink(training, { machine: MACHINE }), await newLink(training, { machine: MACHINE })]
  const first = await learner(`first${trainings}@acme.test`)
  const other = await learner('twice@acme.test')
  await Promise.all([register(first, one.code), register(other, one.code), register(other, two.code)])
  expect((await liveMachines(training)).map(({ email }) => email).toSorted()).toEqual([
    `first${trainings}@acme.test`,
    'twice@acme.test',
  ])
})

test('replies equally to unknown, rotated and revoked codes, and assigns each seat once', async () => {
  const training = await newTraining()
  const link = await newLink(training)
  const old = link.code!
  const person = await learner('replay@acme.test')
  const read = (code: string) => sendAnonymously('GET', `/registration?code=${code}`)
  expect((await read(old.toUpperCase().replaceAll('0', 'O').replaceAll('-', ' '))).body).toMatchObject({
    organization: 'Acme Learning',
    trainingName: training,
    state: 'open',
  })
  expect((await register(person, old)).body).toMatchObject({ state: 'seated', trainingName: training })
  expect((await register(person, old)).body).toMatchObject({ state: 'seated' })
  expect((await linksOf(training))[0]).toMatchObject({ taken: 1 })
  expect((await admin('POST', '/azure/registrationLinks/rotate', { link: link._id })).status).toBe(200)
  const [rotated] = await linksOf(training)
  expect(rotated!.code).not.toBe(old)
  const latecomer = await learner('late@acme.test')
  const deleted = await Promise.all([
    read(old),
    read('0000-0000-0000'),
    read('x'),
    register(latecomer, old),
    requestMail(old, 'late@acme.test'),
  ])
  expect((await read(rotated!.code!)).status).toBe(200)
  await admin('POST', '/azure/registrationLinks/revoke', { link: link._id })
  deleted.push(await read(rotated!.code!), await register(latecomer, rotated!.code))
  expect(deleted.map(({ status, body }) => [status, body.message])).toEqual(
    deleted.map(() => [404, REGISTRATION.notValid]),
  )
  expect(await registeredAt(link)).toEqual({ 'replay@acme.test': 'seated' })
  expect((await admin('PATCH', '/azure/registrationLinks', { link: link._id, seats: 5 })).status).toBe(409)
})

test('refuses users of another organisation and addresses of another domain', async () => {
  const training = await newTraining()
  const { code } = await newLink(training, { domains: ['acme.test'] })
  const refused = await register(otherUser, code)
  expect([refused.status, refused.body.message]).toEqual([403, REGISTRATION.otherOrganisation('stranger@globex.test')])
  expect((await otherUser('GET', `/registration/mine?code=${code}`)).status).toBe(403)
  const { rows } = await sql<{ organisation_id: string }>`
    select organisation_id from portal_user where email = 'stranger@globex.test'`.execute(env.db)
  expect(rows).toEqual([{ organisation_id: globex }])
  const private_ = await register(await learner('someone@mail.test'), code)
  expect([private_.status, private_.body.message]).toEqual([
    403,
    REGISTRATION.otherDomain('someone@mail.test', ['acme.test']),
  ])
  expect((await requestMail(code, 'new@mail.test')).status).toBe(403)
  expect((await register(admin, code)).status).toBe(403)
  expect((await register(await learner('pupil@acme.test'), code)).status).toBe(200)
})

test('states when a link opens or has closed, and offers the waiting list', async () => {
  const training = await newTraining()
  const inHours = (hours: number) => new Date(env.now().getTime() + hours * 3_600_000).toISOString()
  const link = await newLink(training, { opensAt: inHours(1), closesAt: inHours(3), machine: MACHINE })
  const person = await learner('early@acme.test')
  const early = await register(person, link.code, { wait: true })
  expect([early.status, early.body.message]).toEqual([409, REGISTRATION.notOpen])
  await env.step(2 * 3_600)
  expect((await register(person, link.code)).body.state).toBe('seated')
  await env.step(2 * 3_600)
  const other = await learner('afterwards@acme.test')
  expect((await register(other, link.code)).body.message).toBe(REGISTRATION.closed)
  const waits = await register(other, link.code, { wait: true })
  expect(waits.body).toMatchObject({ state: 'waiting', place: 1, message: REGISTRATION.waiting(1) })
  // After the link is opened again, the waiting user gets the seat with its machine, and an e-mail.
  await admin('PATCH', '/azure/registrationLinks', { link: link._id, closesAt: inHours(3) })
  await until(
    'the seat',
    () => registeredAt(link),
    (found) => found['afterwards@acme.test'] === 'seated',
    20_000,
  )
  expect((await mailTo('afterwards@acme.test'))!.subject).toBe(`You have a seat in ${training}`)
  expect((await liveMachines(training)).map(({ email }) => email)).toContain('afterwards@acme.test')
})

test('fills free seats from the waiting list in its order, before new users', async () => {
  const training = await newTraining()
  const link = await newLink(training, { seats: 1 })
  const [a, b, c, d] = await Promise.all(['a', 'b', 'c', 'd'].map((name) => learner(`queue-${name}@acme.test`)))
  await register(a!, link.code)
  expect((await register(b!, link.code, { wait: true })).body).toMatchObject({ place: 1 })
  expect((await register(c!, link.code, { wait: true })).body).toMatchObject({ place: 2 })
  await admin('POST', '/azure/registrations/decline', { link: link._id, emails: ['queue-a@acme.test'] })
  expect((await register(d!, link.code)).body.message).toBe(REGISTRATION.full)
  await until(
    'the seat of b',
    () => registeredAt(link),
    (found) => found['queue-b@acme.test'] === 'seated',
    20_000,
  )
  expect(await registeredAt(link)).toEqual({
    'queue-a@acme.test': 'declined',
    'queue-b@acme.test': 'seated',
    'queue-c@acme.test': 'waiting',
  })
  const again = await register(a!, link.code, { wait: true })
  expect(again.body).toMatchObject({ state: 'declined', message: REGISTRATION.declined })
  expect((await mailTo('queue-a@acme.test'))!.text).toContain('was declined')
})

test('gives no seat, machine or user to an address whose domain the link no longer allows', async () => {
  const training = await newTraining()
  const link = await newLink(training, { seats: 1, machine: MACHINE })
  await register(await learner('narrow-a@acme.test'), link.code)
  await register(await learner('outsider@leaked.test'), link.code, { wait: true })
  await register(await learner('narrow-b@acme.test'), link.code, { wait: true })
  await requestMail(link.code, 'late@leaked.test')
  const token = tokenIn((await mailTo('late@leaked.test'))!.text)
  await admin('PATCH', '/azure/registrationLinks', { link: link._id, domains: ['acme.test'], seats: 3 })
  await until(
    'the seat of b',
    () => registeredAt(link),
    (found) => found['narrow-b@acme.test'] === 'seated',
    20_000,
  )
  expect(await registeredAt(link)).toMatchObject({ 'outsider@leaked.test': 'declined' })
  const emails = ['outsider@leaked.test']
  const approved = await admin('POST', '/azure/registrations/approve', { link: link._id, emails })
  expect([approved.status, approved.body.message]).toEqual([
    403,
    REGISTRATION.otherDomain('outsider@leaked.test', ['acme.test']),
  ])
  expect((await liveMachines(training)).filter(({ email }) => email.endsWith('@leaked.test'))).toEqual([])
  expect((await sendAnonymously('POST', '/registration/confirm', { token, password: PASSWORD })).status).toBe(403)
})

test('creates no user from the e-mail of a link that opens later now', async () => {
  const link = await newLink(await newTraining())
  await requestMail(link.code, 'postponed@acme.test')
  const token = tokenIn((await mailTo('postponed@acme.test'))!.text)
  const opensAt = new Date(env.now().getTime() + 86_400_000).toISOString()
  await admin('PATCH', '/azure/registrationLinks', { link: link._id, opensAt })
  const { status, body } = await sendAnonymously('POST', '/registration/confirm', { token, password: PASSWORD })
  expect([status, body.message]).toEqual([409, REGISTRATION.notOpen])
})

test('lets an instructor approve all selected registrations or none, and shows no price', async () => {
  const training = await newTraining()
  await admin('POST', '/azure/class/instructors', { trainingName: training, email: 'teacher@acme.test' })
  const teacher = await learner('teacher@acme.test')
  const link = await newLink(training, { seats: 2, needsApproval: true, machine: MACHINE })
  const names = ['x', 'y', 'z'].map((name) => `asks-${name}@acme.test`)
  for (const [i, email] of names.entries()) {
    const reply = await register(await learner(email), link.code, i === 0 ? { name: 'The Fox', isPseudonym: true } : {})
    expect(reply.body).toMatchObject({ state: 'pending', message: REGISTRATION.pending })
  }
  expect(await liveMachines(training)).toHaveLength(1)
  const approve = (emails: string[], as = teacher) =>
    as('POST', '/azure/registrations/approve', { link: link._id, emails })
  const tooMany = await approve(names)
  expect([tooMany.status, tooMany.body.message]).toEqual([409, expect.stringContaining('Only 2 seats are free')])
  expect(await liveMachines(training)).toHaveLength(1)
  expect((await approve(['nobody@acme.test'])).status).toBe(409)
  expect((await approve(names.slice(0, 2))).body.message).toBe('2 learners have a seat now.')
  expect((await approve(names.slice(0, 2))).body.message).toBe('All of them have a seat already.')
  expect((await liveMachines(training)).map(({ email }) => email)).toEqual(expect.arrayContaining(names.slice(0, 2)))
  expect((await mailTo(names[0]!))!.text).toContain('Hello The Fox,')
  const { body } = await teacher('GET', `/azure/registrationLinks?trainingName=${encodeURIComponent(training)}`)
  expect(JSON.stringify(body)).not.toMatch(/rate|price|paise|₹|12\.5/i)
  expect((await teacher('GET', `/azure/registrations?link=${link._id}`)).body.registrations[0]).toMatchObject({
    name: 'The Fox',
    isPseudonym: true,
    decidedBy: 'teacher@acme.test',
  })
  const other = await learner('other-teacher@acme.test')
  const otherTraining = await newTraining()
  await admin('POST', '/azure/class/instructors', { trainingName: otherTraining, email: 'other-teacher@acme.test' })
  expect((await approve(names.slice(2), other)).status).toBe(404)
})

test("lets an instructor create links without machines, but order no machine with an admin's link", async () => {
  const training = await newTraining()
  await admin('POST', '/azure/class/instructors', { trainingName: training, email: 'orders-not@acme.test' })
  const teacher = await learner('orders-not@acme.test')
  const link = {
    trainingName: training,
    name: 'Own',
    seats: 9,
    opensAt: null,
    closesAt: null,
    domains: [],
    needsApproval: false,
  }
  const refusal = {
    status: 403,
    body: {
      message:
        'Each seat with a machine is an order, and instructors do not order. Ask an admin to choose the machine and the seats.',
    },
  }
  expect(await teacher('POST', '/azure/registrationLinks', { ...link, machine: MACHINE })).toMatchObject(refusal)
  expect(await linksOf(training)).toEqual([])
  const own = await newLink(training, { seats: 9 }, teacher)
  const ordered = await newLink(training, { seats: 2, machine: MACHINE })
  const change = (of: RegistrationLink, settings: object, as = teacher) =>
    as('PATCH', '/azure/registrationLinks', { link: of._id, ...settings })
  for (const [of, settings] of [
    [own, { machine: MACHINE }],
    [ordered, { seats: 3 }],
    [ordered, { machine: null }],
    [ordered, { machine: { ...MACHINE, allocatedHours: null } }],
    [ordered, { machine: { ...MACHINE, guacamole: false } }],
  ] as const) {
    expect(await change(of, settings)).toMatchObject(refusal)
  }
  // More learners could register and get a machine.
  const inHours = (hours: number) => new Date(env.now().getTime() + hours * 3_600_000).toISOString()
  const limits = { domains: ['acme.test'], needsApproval: true, opensAt: inHours(1), closesAt: inHours(2) }
  const opened = await newTraining()
  await admin('POST', '/azure/class/instructors', { trainingName: opened, email: 'orders-not@acme.test' })
  const limited = await newLink(opened, { machine: MACHINE, ...limits })
  for (const wider of [
    { domains: [] },
    { domains: ['acme.test', 'other.test'] },
    { needsApproval: false },
    { opensAt: null },
    { opensAt: inHours(0) },
    { closesAt: null },
    { closesAt: inHours(3) },
  ])
    expect([wider, (await change(limited, wider)).status]).toEqual([wider, 403])
  expect(await linksOf(opened)).toMatchObject([limits])
  expect((await change(limited, { ...limits, opensAt: inHours(1.5), closesAt: inHours(1.6) })).status).toBe(200)
  expect(await linksOf(training)).toMatchObject([
    { seats: 9, machine: null },
    { seats: 2, machine: MACHINE },
  ])
  const closesAt = env.now().toISOString()
  const { status } = await change(ordered, { name: 'Closed', seats: 1, closesAt, machine: MACHINE })
  expect([status, (await change(own, { seats: 20 })).status]).toEqual([200, 200])
  expect(await linksOf(training)).toMatchObject([{ seats: 20 }, { name: 'Closed', seats: 1, state: 'closed' }])
  expect((await change(ordered, { seats: 3 }, admin)).status).toBe(200)
})

test('a machine that an admin orders for a declined learner takes no seat', async () => {
  const training = await newTraining()
  const link = await newLink(training, { seats: 1, machine: MACHINE, needsApproval: true })
  const email = 'declined-ordered@acme.test'
  await register(await learner(email), link.code)
  const declined = await admin('POST', '/azure/registrations/decline', { link: link._id, emails: [email] })
  expect(declined.status).toBe(200)
  expect((await admin('POST', '/azure/machines', order(training, [email]))).status).toBe(200)
  expect((await register(await learner('declined-other@acme.test'), link.code)).body.state).toBe('pending')
})

test('gives the seat of a declined learner to the next one only after its machine was deleted', async () => {
  const training = await newTraining()
  await admin('POST', '/azure/class/instructors', { trainingName: training, email: 'declines@acme.test' })
  const teacher = await learner('declines@acme.test')
  const link = await newLink(training, { seats: 1, machine: MACHINE })
  const decide = (what: 'approve' | 'decline', email: string) =>
    teacher('POST', `/azure/registrations/${what}`, { link: link._id, emails: [email] })
  const first = 'declined-first@acme.test'
  await register(await learner(first), link.code)
  expect((await decide('decline', first)).status).toBe(200)
  const next = await learner('declined-next@acme.test')
  expect((await register(next, link.code)).body.message).toBe(REGISTRATION.full)
  expect((await register(next, link.code, { wait: true })).body.state).toBe('waiting')
  expect((await decide('approve', 'declined-next@acme.test')).status).toBe(409)
  // The learner who has the machine can get the seat again.
  expect((await decide('approve', first)).status).toBe(200)
  expect((await decide('decline', first)).status).toBe(200)
  expect((await liveMachines(training)).map(({ email }) => email)).toEqual(
    expect.not.arrayContaining(['declined-next@acme.test']),
  )
  const { name, resourceGroup } = (await liveMachines(training)).find(({ email }) => email === first)!
  expect((await admin('DELETE', '/azure/machines', [{ name, resourceGroup }])).status).toBe(200)
  await until(
    'the seat of the next learner',
    () => registeredAt(link),
    (found) => found['declined-next@acme.test'] === 'seated',
    20_000,
  )
})

test('allows pseudonyms only if the organisation allows them, and requires a name otherwise', async () => {
  const training = await newTraining()
  const { code } = await newLink(training, { seats: 5 })
  await env.db.updateTable('organisation').set({ pseudonyms_allowed: false }).where('id', '=', acme).execute()
  const person = await learner('unnamed@acme.test')
  expect((await register(person, code)).body.message).toBe(REGISTRATION.nameMissing)
  expect((await register(person, code, { name: 'The Owl', isPseudonym: true })).body.message).toBe(
    REGISTRATION.pseudonymNotAllowed,
  )
  expect((await register(person, code, { name: 'Uma Rao' })).body.state).toBe('seated')
  expect((await admin('PATCH', '/admin/organization/profile', { pseudonymsAllowed: true })).status).toBe(200)
  expect((await admin('GET', '/admin/organization/settings')).body.pseudonymsAllowed).toBe(true)
  expect((await register(await learner('the-owl@acme.test'), code, { isPseudonym: true })).body.state).toBe('seated')
})

test(
  "takes no seat if the training's budget is used up, for a visitor and for the waiting list",
  { tags: ['storm'] },
  async () => {
    const training = await newTraining()
    const link = await newLink(training, { seats: 1, machine: MACHINE })
    await register(await learner('spender@acme.test'), link.code)
    await register(await learner('saver@acme.test'), link.code, { wait: true })
    await env.step(3_600)
    await sql`insert into budget (organisation_id, training_id, amount_paise, spending_cap, set_by)
    select organisation_id, id, 1, true, 'admin' from training where name = ${training}`.execute(env.db)
    const isCapped = async () =>
      (await sql<{ capped: boolean }>`select cap_reached_at is not null as capped from budget`.execute(env.db)).rows[0]!
    await until('the spending cap', isCapped, ({ capped }) => capped)
    await admin('PATCH', '/azure/registrationLinks', { link: link._id, seats: 3 })
    await until(
      'the reason',
      () => linksOf(training),
      ([found]) => found!.problem !== null,
      20_000,
    )
    expect((await linksOf(training))[0]).toMatchObject({
      taken: 1,
      waiting: 1,
      problem: expect.stringContaining('budget of Course'),
    })
    const late = await register(await learner('too-late@acme.test'), link.code)
    expect([late.status, late.body.message]).toEqual([409, expect.stringContaining('budget of Course')])
    expect(await registeredAt(link)).toEqual({ 'spender@acme.test': 'seated', 'saver@acme.test': 'waiting' })
    await sql`delete from budget where set_by = 'admin'`.execute(env.db)
    await until(
      'the seat',
      () => registeredAt(link),
      (found) => found['saver@acme.test'] === 'seated',
      20_000,
    )
    expect((await linksOf(training))[0]).toMatchObject({ problem: null })
  },
)

test('creates a user only after proof of access to the mailbox, and replies equally to all addresses', async () => {
  const training = await newTraining()
  const { code } = await newLink(training, { seats: 5 })
  await learner('known@acme.test')
  const replies = await Promise.all(
    ['new@acme.test', 'known@acme.test', 'stranger@globex.test'].map((email) => requestMail(code, email)),
  )
  expect(replies.map(({ status, body }) => [status, body])).toEqual(
    replies.map(() => [200, { message: REGISTRATION.emailSent }]),
  )
  expect((await mailTo('known@acme.test'))!.text).toContain(`/login?next=${encodeURIComponent(`/join/${code}`)}`)
  expect((await mailTo('stranger@globex.test'))!.text).toContain('belongs to another organisation')
  const token = tokenIn((await mailTo('new@acme.test'))!.text)
  const accounts = () =>
    env.db
      .selectFrom('portal_user')
      .select(['role', 'organisation_id', 'password_given'])
      .where('email', '=', 'new@acme.test')
      .execute()
  expect(await accounts()).toEqual([])
  const read = await sendAnonymously('POST', '/registration/confirmation', { token })
  expect(read.body).toEqual({ email: 'new@acme.test', organization: 'Acme Learning', passkeysAt: PASSKEYS_AT })
  const confirm = (password: string, of = token) =>
    sendAnonymously('POST', '/registration/confirm', { token: of, password })
  expect((await confirm('Acme Learning')).status).toBe(400)
  expect(
    (
      await confirm(
        PASSWORD,
        token.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
      )
    ).status,
  ).toBe(404)
  const both = await Promise.all([confirm(PASSWORD), confirm(PASSWORD)])
  expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 404]))
  expect((await confirm(PASSWORD)).status).toBe(404)
  expect(await accounts()).toEqual([{ role: 'user', organisation_id: acme, password_given: false }])
  const { uid } = both.find(({ status }) => status === 200)!.body
  const seat = await sendAnonymously(
    'POST',
    '/registration/seat',
    { code, name: 'New Learner' },
    { authorization: `Bearer ${uid}` },
  )
  expect(seat.body).toMatchObject({ state: 'seated', trainingName: training })
  const rows = await auditOf('registration.takeSeat')
  expect(rows.at(-1)).toMatchObject({
    actor_email: 'new@acme.test',
    refused: null,
    after: { link: 'Mondays', trainingName: training, state: 'seated' },
  })
  expect(JSON.stringify([rows, await auditOf('registration.createAccount')])).not.toContain(code!)
  expect(JSON.stringify(await auditOf('registration.createAccount'))).not.toContain(token)
})

const withToken =
  (token: string): Caller =>
  (method, path, body) =>
    sendAnonymously(method, path, body, { authorization: `Bearer ${token}` })

/** Requests an e-mailed link for a new account. Returns the token of the link. */
async function tokenFor(code: string | null, email: string): Promise<string> {
  await requestMail(code, email)
  return tokenIn((await mailTo(email))!.text)
}

/** Starts to create a passkey with the token of an e-mailed link. */
async function beginPasskey(token: string) {
  const { status, body } = await sendAnonymously('POST', '/registration/passkey', { token })
  expect(status).toBe(200)
  const device = softwareAuthenticator(PASSKEYS_AT)
  const create = (deviation: Deviation = {}) => ({
    challenge: body.challenge,
    attestation: device.create(body.options, deviation),
  })
  return { device, create }
}

test('creates one user with a passkey instead of a password, and one user with both', async () => {
  const { code } = await newLink(await newTraining(), { seats: 5 })
  const confirm = (body: object) => sendAnonymously('POST', '/registration/confirm', body)
  const logIn = async ({ device }: Awaited<ReturnType<typeof beginPasskey>>) => {
    const { body } = await sendAnonymously('POST', '/user/login/passkey/challenge')
    const assertion = device.get(body.options)
    return sendAnonymously('POST', '/user/login/passkey', { challenge: body.challenge, assertion })
  }
  const token = await tokenFor(code, 'passkey@acme.test')
  expect((await confirm({ token })).body.message).toContain('password must be given, or a passkey')
  // After an interrupted attempt the e-mailed link can still be used.
  await beginPasskey(token)
  const first = await beginPasskey(token)
  const passkey = first.create()
  const { status, body } = await confirm({ token, passkey })
  expect([status, body.recoveryCodes.length]).toEqual([200, 10])
  expect((await register(withToken(body.uid), code, { name: 'Pass Key' })).body.state).toBe('seated')
  expect((await confirm({ token, passkey })).status).toBe(404)
  expect((await logIn(first)).body).toMatchObject({ email: 'passkey@acme.test', session: 'user' })
  const password = (email: string) => sendAnonymously('POST', '/user/login', { email, password: PASSWORD })
  expect((await password('passkey@acme.test')).status).toBe(401)

  const both = await tokenFor(code, 'both@acme.test')
  const second = await beginPasskey(both)
  expect((await confirm({ token: both, password: PASSWORD, passkey: second.create() })).status).toBe(200)
  expect((await logIn(second)).body).toMatchObject({ email: 'both@acme.test' })
  expect((await password('both@acme.test')).body).toMatchObject({ ways: ['passkey', 'recovery'] })
  const created = (await auditOf('registration.createAccount')).filter(({ refused }) => refused === null)
  expect(created.slice(-2)).toMatchObject([
    { actor_email: 'passkey@acme.test', after: { methods: ['passkey'] } },
    { actor_email: 'both@acme.test', after: { methods: ['password', 'passkey'] } },
  ])
})

test('lets a user with a lost passkey set a password by e-mail, confirmed with a recovery code', async () => {
  const email = 'lost@acme.test'
  const { code } = await newLink(await newTraining())
  const token = await tokenFor(code, email)
  const passkey = (await beginPasskey(token)).create()
  const { recoveryCodes } = (await sendAnonymously('POST', '/registration/confirm', { token, passkey })).body
  await sendAnonymously('POST', '/user/forgot', { email })
  const link = await until(
    'the link to set a password',
    async () => /#token=(\S+)/.exec((await mailsTo(email)).map(({ text }) => text).join())?.[1] ?? null,
    (found) => found !== null,
  )
  expect((await sendAnonymously('POST', '/user/password', { token: link, password: PASSWORD })).status).toBe(200)
  const { body } = await sendAnonymously('POST', '/user/login', { email, password: PASSWORD })
  expect(body.ways).toEqual(['passkey', 'recovery'])
  const answer = { challenge: body.challenge, code: recoveryCodes[0] }
  expect((await sendAnonymously('POST', '/user/login/second', answer)).status).toBe(200)
})

test('refuses a passkey of another site or e-mailed link, or for the address of a user', async () => {
  const { code } = await newLink(await newTraining(), { seats: 5 })
  const confirm = async (token: string, passkey: object) =>
    (await sendAnonymously('POST', '/registration/confirm', { token, passkey })).status
  const [ownSession, other] = [await tokenFor(code, 'mine@acme.test'), await tokenFor(code, 'other@acme.test')]
  const foreign = await beginPasskey(ownSession)
  expect(await confirm(ownSession, foreign.create({ origin: 'https://evil.test' }))).toBe(400)
  expect(await confirm(ownSession, foreign.create({ verifies: false }))).toBe(400)
  expect(await confirm(other, foreign.create())).toBe(400)
  const added = withToken((await env.credentials('admin@acme.test')).token)
  const passkey = { name: 'Laptop', ...foreign.create() }
  expect((await added('POST', '/account/passkeys', passkey)).status).toBe(400)
  const attempts = await beginPasskey(other)
  await sendAnonymously('POST', '/registration/confirm', { token: other, password: PASSWORD })
  expect(await confirm(other, attempts.create())).toBe(404)
  expect((await sendAnonymously('POST', '/registration/passkey', { token: other })).status).toBe(404)
  // The address gets a password through another e-mailed link in the meantime.
  const again = await tokenFor(code, 'overtaken@acme.test')
  const late = await beginPasskey(again)
  await env.db
    .updateTable('portal_user')
    .set({ signed_in_at: new Date() })
    .where('email', '=', 'overtaken@acme.test')
    .execute()
  expect(await confirm(again, late.create())).toBe(409)
})

test('limits e-mails per mailbox, and ends their links after a time and with the registration link', async () => {
  const training = await newTraining()
  const link = await newLink(training)
  for (let i = 0; i < 5; i++) await requestMail(link.code, 'flooded@acme.test')
  await requestMail(link.code, 'last@acme.test')
  await mailTo('last@acme.test')
  await until(
    'all jobs',
    async () => (await mailsTo('flooded@acme.test')).length,
    (count) => count >= 3,
  )
  expect(await mailsTo('flooded@acme.test')).toHaveLength(3)
  const confirm = async (email: string) =>
    sendAnonymously('POST', '/registration/confirm', {
      token: tokenIn((await mailTo(email))!.text),
      password: PASSWORD,
    })
  await env.step(31 * 60)
  expect((await confirm('flooded@acme.test')).status).toBe(404)
  await requestMail(link.code, 'revoked@acme.test')
  await mailTo('revoked@acme.test')
  await admin('POST', '/azure/registrationLinks/revoke', { link: link._id })
  expect((await confirm('revoked@acme.test')).status).toBe(404)
})

test("sets only the password of an invited account, and creates no account in another's domain", async () => {
  const training = await newTraining()
  const { code } = await newLink(training)
  await sql`insert into organisation_domain (organisation_id, domain, verified_at, verified_by)
    values (${globex}, 'globex.test', portal_now(), 'dns')`.execute(env.db)
  await requestMail(code, 'unknown@globex.test')
  expect((await mailTo('unknown@globex.test'))!.text).toContain('belongs to another organisation')
  await sql`insert into portal_user (email, role, organisation_id) values ('invited@acme.test', 'user', ${acme})`.execute(
    env.db,
  )
  await requestMail(code, 'invited@acme.test')
  const token = tokenIn((await mailTo('invited@acme.test'))!.text)
  // The account gets a password in the meantime. The link must not replace this password.
  await requestMail(code, 'meanwhile@acme.test')
  const oldToken = tokenIn((await mailTo('meanwhile@acme.test'))!.text)
  await learner('meanwhile@acme.test')
  const confirm = (of: string) => sendAnonymously('POST', '/registration/confirm', { token: of, password: PASSWORD })
  expect((await confirm(token)).status).toBe(200)
  expect((await confirm(oldToken)).status).toBe(409)
  const { rows } = await sql<{
    password_hash: string
  }>`select password_hash from portal_user where email = 'meanwhile@acme.test'`.execute(env.db)
  expect(rows).toEqual([{ password_hash: 'none' }])
})

test('ends links with their training, their template and their organisation', async () => {
  const training = await newTraining()
  const { code } = await newLink(training, { machine: MACHINE })
  const person = await learner('ends@acme.test')
  const read = async () => (await sendAnonymously('GET', `/registration?code=${code}`)).body
  await sql`delete from template_assignment where organisation_id = ${acme}`.execute(env.db)
  expect((await read()).state).toBe('broken')
  expect((await register(person, code)).body.message).toBe(REGISTRATION.broken)
  await sql`insert into template_assignment (template_id, organisation_id) select id, ${acme} from template`.execute(
    env.db,
  )
  expect((await read()).state).toBe('open')
  await sql`update training set removed_at = portal_now() where name = ${training}`.execute(env.db)
  expect((await register(person, code)).status).toBe(404)
  await sql`update training set removed_at = null where name = ${training}`.execute(env.db)
  await sql`update organisation set removed_at = portal_now() where id = ${acme}`.execute(env.db)
  expect([(await read()).message, (await requestMail(code, 'x@acme.test')).status]).toEqual([
    REGISTRATION.notValid,
    404,
  ])
  await sql`update organisation set removed_at = null where id = ${acme}`.execute(env.db)
  expect((await register(person, code)).body.state).toBe('seated')
})

test('frees the seat of a deleted user, and reduces seats only to the number of taken seats', async () => {
  const training = await newTraining()
  const link = await newLink(training, { seats: 3 })
  for (const name of ['p', 'q', 'r']) await register(await learner(`seat-${name}@acme.test`), link.code)
  await sql`delete from portal_user where email = 'seat-p@acme.test'`.execute(env.db)
  const change = (seats: number) => admin('PATCH', '/azure/registrationLinks', { link: link._id, seats })
  expect((await change(1)).body.message).toContain('2 seats are taken')
  expect((await change(2)).status).toBe(200)
  expect((await linksOf(training))[0]).toMatchObject({ seats: 2, taken: 2, state: 'full' })
})

test('gives no seat to a deactivated user and reserves none', async () => {
  const training = await newTraining()
  const link = await newLink(training, { seats: 1, machine: MACHINE })
  await register(await learner('seated-first@acme.test'), link.code)
  const deletedLearner = await learner('leaver@acme.test')
  expect((await register(deletedLearner, link.code, { wait: true })).body.state).toBe('waiting')
  expect((await register(await learner('next@acme.test'), link.code, { wait: true })).body.place).toBe(2)
  await deactivateUserOf(env.db, 'leaver@acme.test')
  expect((await register(deletedLearner, link.code, { wait: true })).status).toBe(401)
  await admin('PATCH', '/azure/registrationLinks', { link: link._id, seats: 2 })
  await until(
    'the next user has the seat',
    () => registeredAt(link),
    (found) => found['next@acme.test'] === 'seated',
    20_000,
  )
  expect(await registeredAt(link)).toEqual({ 'seated-first@acme.test': 'seated', 'next@acme.test': 'seated' })
  expect((await liveMachines(training)).map(({ email }) => email)).not.toContain('leaver@acme.test')
  const declined = { link: link._id, emails: ['next@acme.test'] }
  expect((await admin('POST', '/azure/registrations/decline', declined)).status).toBe(200)
  await deactivateUserOf(env.db, 'next@acme.test')
  expect((await admin('POST', '/azure/registrations/approve', declined)).status).toBe(409)
})

test('leaves every invariant intact', async () => {
  expect(await brokenInvariants(env.db, { quiet: false })).toEqual([])
  expect(env.bugs).toEqual([])
})
