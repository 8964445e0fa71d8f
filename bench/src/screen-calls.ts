import type { Api } from './api-process.ts'
import { adminEmail, organisationName, type Size, SUPERADMIN, trainingName } from './seed/size.ts'

export type RoundCall = (round: number) => Promise<{ ms: number; bytes: number }>

interface Call {
  readonly name: string
  prepare(portal: Api, size: Size): Promise<RoundCall>
}

type Reader = Awaited<ReturnType<Api['as']>>

/** Number of organisations that each call visits. The number is the same at each size, so that caches are equally warm. */
export const ORGANISATIONS_PER_CALL = 20
const organisations = ({ busy: all }: Size) =>
  Array.from({ length: ORGANISATIONS_PER_CALL }, (_, i) => 1 + Math.floor((i * all) / ORGANISATIONS_PER_CALL))

const asSuperadmin =
  (path: (organisation: number) => string): Call['prepare'] =>
  async (portal, size) => {
    const read = await portal.as(SUPERADMIN)
    const organisationNumbers = organisations(size)
    return (round) => read(path(organisationNumbers[round % ORGANISATIONS_PER_CALL]!))
  }

const asAdmin =
  (prepare: (read: Reader, organisation: number) => string | Promise<string>): Call['prepare'] =>
  async (portal, size) => {
    const requests: { read: Reader; path: string }[] = []
    for (const organisation of organisations(size)) {
      const read = await portal.as(adminEmail(organisation))
      requests.push({ read, path: await prepare(read, organisation) })
    }
    return alternating(requests)
  }

const asLearner =
  (path: string): Call['prepare'] =>
  async (portal, size) => {
    const requests: { read: Reader; path: string }[] = []
    for (const organisation of organisations(size)) {
      const { email } = await firstMachine(await portal.as(adminEmail(organisation)))
      requests.push({ read: await portal.as(email), path })
    }
    return alternating(requests)
  }

const alternating =
  (requests: readonly { readonly read: Reader; readonly path: string }[]): RoundCall =>
  (round) => {
    const { read, path } = requests[round % requests.length]!
    return read(path)
  }

const inTraining = (path: string, training = 1) =>
  `${path}?${new URLSearchParams({ trainingName: trainingName(training) }).toString()}`
const inOrganisation = (path: string) => (organisation: number) =>
  `${path}?${new URLSearchParams({ organization: organisationName(organisation) }).toString()}`

async function firstMachine(read: Reader): Promise<{ name: string; email: string }> {
  const { body } = await read(inTraining('/azure/machines'))
  return (body as { name: string; email: string }[])[0]!
}

export const calls: readonly Call[] = [
  { name: 'ledger', prepare: asSuperadmin(() => '/admin/ledger') },
  { name: 'account', prepare: asAdmin(() => '/admin/ledger/accounts') },
  {
    name: 'account, an older page',
    prepare: asAdmin(async (read) => {
      const { body } = await read('/admin/ledger/accounts')
      return `/admin/ledger/accounts?before=${(body as { earlier: string }).earlier}`
    }),
  },
  { name: 'account of another organisation', prepare: asSuperadmin(inOrganisation('/admin/ledger/accounts')) },
  { name: 'billing', prepare: asAdmin(() => inTraining('/azure/billing')) },
  { name: 'billing with lines', prepare: asAdmin(() => `${inTraining('/azure/billing')}&lines=yes`) },
  {
    name: 'billing: runs of a machine',
    prepare: asAdmin(async (read) => `/azure/billing/runs?vmName=${(await firstMachine(read)).name}`),
  },
  {
    name: 'billing of a learner',
    prepare: asLearner(inTraining('/azure/billing')),
  },
  { name: 'daily usage, 30 days', prepare: asAdmin(() => `${inTraining('/azure/usage')}&days=30`) },
  { name: 'logs', prepare: asAdmin(async (read) => `/azure/logs?vmName=${(await firstMachine(read)).name}`) },
  {
    name: 'console: list of trainings',
    prepare: asAdmin((_, organisation) => inOrganisation('/azure/trainingName')(organisation)),
  },
  { name: 'console: machines', prepare: asAdmin(() => inTraining('/azure/machines')) },
  { name: 'console of a learner', prepare: asLearner(inTraining('/azure/machines')) },
  { name: 'console: machine names', prepare: asAdmin(() => inTraining('/azure/vmnames')) },
  { name: 'Control Center', prepare: asSuperadmin(() => '/admin/dashboard') },
  { name: 'Home of a superadmin', prepare: asSuperadmin(() => '/admin/attention') },
  { name: 'Home of an admin', prepare: asAdmin((_, organisation) => inOrganisation('/admin/home')(organisation)) },
  { name: 'Home of an admin, opened by a superadmin', prepare: asSuperadmin(inOrganisation('/admin/home')) },
  {
    name: 'quota',
    prepare: asSuperadmin(
      (o) => `${inOrganisation('/admin/quota')(o)}&trainingName=${encodeURIComponent(trainingName(1))}`,
    ),
  },
]
