import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { ReplyOf } from '@trainyard/contract/call.ts'
import type { RegistrationLink, registration, registrationLink } from '@trainyard/contract/calls/registration.ts'
import { REGISTRATION } from '@trainyard/contract/words/registration.ts'
import { brokenInvariants } from '../../../invariants/check.ts'
import type { Caller } from '#test/caller.ts'
import { send } from '#test/caller.ts'
import { machinesOf, order, TEMPLATE } from '#test/orders.ts'
import { type Deviation, softwareAuthenticator } from '#test/authenticator.ts'
import { sharedEnvironment } from '#test/shared.ts'
import { until } from '#test/until.ts'

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


test('waiting list after the domains were narrowed', async () => {
  const training = await newTraining()
  const link = await newLink(training, { seats: 1, machine: MACHINE })
  const one = await learner('one@acme.test')
  await register(one, link.code)
  const bad = await learner('bad@leaked.test')
  console.log((await register(bad, link.code, { wait: true })).body)
  console.log((await admin('PATCH', '/azure/registrationLinks', { link: link._id, domains: ['acme.test'], seats: 3 })).body)
  await until('seated', () => registeredAt(link), (r) => r['bad@leaked.test'] !== 'waiting', 8000).catch(() => null)
  console.log(await registeredAt(link))
  const { body } = await admin('POST', '/azure/registrations/approve', { link: link._id, emails: ['bad@leaked.test'] })
  console.log(body)
})
test('confirmation after narrowing', async () => {
  const training = await newTraining()
  const link = await newLink(training, { seats: 1 })
  await requestMail(link.code, 'late@leaked.test')
  const token = tokenIn((await mailTo('late@leaked.test'))!.text)
  await admin('PATCH', '/azure/registrationLinks', { link: link._id, domains: ['acme.test'] })
  const made = await sendAnonymously('POST', '/registration/confirm', { token, password: PASSWORD })
  console.log('confirm', made.status, made.body)
})
test('confirmation after the closing date moved', async () => {
  const training = await newTraining()
  const link = await newLink(training, { seats: 1 })
  await requestMail(link.code, 'late2@leaked.test')
  const token = tokenIn((await mailTo('late2@leaked.test'))!.text)
  await admin('PATCH', '/azure/registrationLinks', { link: link._id, opensAt: '2030-01-01T00:00:00.000Z' })
  const made = await sendAnonymously('POST', '/registration/confirm', { token, password: PASSWORD })
  console.log('notOpen', made.status, made.body)
})
