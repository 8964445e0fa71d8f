import type { Api } from './api-process.ts'
import { adminEmail, organisationName, type Size, SUPERADMIN, trainingName } from './seed/size.ts'

export type RoundCall = (round: number) => Promise<{ ms: number; bytes: number }>

interface Call {
  readonly name: string
  of(portal: Api, size: Size): Promise<RoundCall>
}

type Reader = Awaited<ReturnType<Api['as']>>

/** Number of organisations that the calls iterate over, the same at each size, so that caches are equally warm. */
export const ORGANISATIONS_PER_CALL = 20
const organisations = ({ busy: all }: Size) =>
  Array.from({ length: ORGANISATIONS_PER_CALL }, (_, i) => 1 + Math.floor((i * all) / ORGANISATIONS_PER_CALL))

const ofSuperadmin =
  (path: (organisation: number) => string): Call['of'] =>
  async (portal, size) => {
    const read = await portal.as(SUPERADMIN)
    const about = organisations(size)
    return (round) => read(path(about[round % ORGANISATIONS_PER_CALL]!))
  }

const ofAdmin =
  (prepare: (read: Reader, organisation: number) => string | Promise<string>): Call['of'] =>
  async (portal, size) => {
    const asked: { read: Reader; path: string }[] = []
    for (const organisation of organisations(size)) {
      const read = await portal.as(adminEmail(organisation))
      asked.push({ read, path: await prepare(read, organisation) })
    }
    return inTurn(asked)
  }

const ofLearner =
  (path: string): Call['of'] =>
  async (portal, size) => {
    const asked: { read: Reader; path: string }[] = []
    for (const organisation of organisations(size)) {
      const { email } = await firstMachine(await portal.as(adminEmail(organisation)))
      asked.push({ read: await portal.as(email), path })
    }
    return inTurn(asked)
  }

const inTurn =
  (asked: readonly { readonly read: Reader; readonly path: string }[]): RoundCall =>
  (round) => {
    const { read, path } = asked[round % asked.length]!
    return read(path)
  }

const inTraining = (path: string, training = 1) =>
  `${path}?${new URLSearchParams({ trainingName: trainingName(training) }).toString()}`
const about = (path: string) => (organisation: number) =>
  `${path}?${new URLSearchParams({ organization: organisationName(organisation) }).toString()}`

async function firstMachine(read: Reader): Promise<{ name: string; email: string }> {
  const { body } = await read(inTraining('/azure/machines'))
  return (body as { name: string; email: string }[])[0]!
}

export const calls: readonly Call[] = [
  { name: 'ledger', of: ofSuperadmin(() => '/admin/ledger') },
  { name: 'account', of: ofAdmin(() => '/admin/ledger/accounts') },
  {
    name: 'account, an older page',
    of: ofAdmin(async (read) => {
      const { body } = await read('/admin/ledger/accounts')
      return `/admin/ledger/accounts?before=${(body as { earlier: string }).earlier}`
    }),
  },
  { name: 'account of another', of: ofSuperadmin(about('/admin/ledger/accounts')) },
  { name: 'billing', of: ofAdmin(() => inTraining('/azure/billing')) },
  { name: 'billing, its lines', of: ofAdmin(() => `${inTraining('/azure/billing')}&lines=yes`) },
  {
    name: "billing, a line's runs",
    of: ofAdmin(async (read) => `/azure/billing/runs?vmName=${(await firstMachine(read)).name}`),
  },
  {
    name: 'billing, of a learner',
    of: ofLearner(inTraining('/azure/billing')),
  },
  { name: 'daily usage, 30 days', of: ofAdmin(() => `${inTraining('/azure/usage')}&days=30`) },
  { name: 'logs', of: ofAdmin(async (read) => `/azure/logs?vmName=${(await firstMachine(read)).name}`) },
  {
    name: 'console: trainings',
    of: ofAdmin((_, organisation) => about('/azure/trainingName')(organisation)),
  },
  { name: 'console: machines', of: ofAdmin(() => inTraining('/azure/machines')) },
  { name: "console: a learner's", of: ofLearner(inTraining('/azure/machines')) },
  { name: 'console: machine names', of: ofAdmin(() => inTraining('/azure/vmnames')) },
  { name: 'Control Center', of: ofSuperadmin(() => '/admin/dashboard') },
  { name: 'Home of a superadmin', of: ofSuperadmin(() => '/admin/attention') },
  { name: 'Home of an admin', of: ofAdmin((_, organisation) => about('/admin/home')(organisation)) },
  { name: "Home: a customer's", of: ofSuperadmin(about('/admin/home')) },
  {
    name: 'quota',
    of: ofSuperadmin((o) => `${about('/admin/quota')(o)}&trainingName=${encodeURIComponent(trainingName(1))}`),
  },
]
