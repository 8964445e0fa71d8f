import { expect, test } from 'vitest'
import type { Role } from '@trainyard/platform/contract/words/role.ts'
import { PEOPLE } from '@trainyard/platform/test/world.ts'
import { createSubjects, type Subject } from '../world.ts'
import { sharedPortal } from '@trainyard/platform/test/shared.ts'

const portal = await sharedPortal()
const { own } = await createSubjects(portal)

const text = expect.any(String)
const number = expect.any(Number)
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)
const some = (item: unknown) => expect.arrayContaining([item])
const ofOrganisation = ({ organization }: Subject) => ({ organization })
const ofTraining = ({ trainingName }: Subject) => ({ trainingName })

type Read = readonly [path: string, role: Role, fields: unknown, query?: (subject: Subject) => object]

/** Response of each read, field by field, as section 3 of the specification lists them. */
const READS: readonly Read[] = [
  [
    '/user/me',
    'admin',
    expect.objectContaining({ email: text, organization: text, userType: 'admin', abilities: some('machine.order') }),
  ],
  [
    '/admin/dashboard',
    'superadmin',
    {
      organization: 2,
      users: number,
      azureTraining: number,
      gcpTraining: 0,
      templates: 2,
      virtualMachines: 2,
      invoicePending: 0,
      azureQuotaExceeded: number,
      projects: 0,
      gcpQuotaExceeded: 0,
      azureSandbox: 2,
      awsSandbox: number,
    },
  ],
  ['/azure/trainingName', 'user', { trainingNames: [text] }, ofOrganisation],
  ['/admin/organization', 'superadmin', { organization: some('own school') }],
  [
    '/azure/machines',
    'user',
    [
      expect.objectContaining({
        _id: text,
        name: text,
        resourceGroup: 'own-group',
        os: text,
        osType: 'Linux',
        adminUsername: 'own',
        adminPass: text,
        publicIp: 'own',
        isAlive: true,
        isRunning: true,
        guacamole: true,
        quota: { consumed: number, total: 60 },
      }),
    ],
    ofTraining,
  ],
  [
    '/azure/billing',
    'user',
    expect.objectContaining({ Amount: number, Duration: number, Status: { online: 1, offline: 0 } }),
    ofTraining,
  ],
  [
    '/azure/templates',
    'admin',
    {
      templates: [
        expect.objectContaining({
          name: 'own template',
          rate: 10,
          display: {
            cpu: 'own cpu',
            memory: 'own memory',
            os: 'Linux',
            storage: 'own storage',
            disk: 'own disk',
          },
          creation: { licence: 'none', os: 'Linux', vmSize: 'Standard_D2s_v3' },
        }),
      ],
    },
    ofOrganisation,
  ],
  ['/admin/assignTemplate', 'superadmin', { assigned: some({ organization: 'own school', template: 'own template' }) }],
  [
    '/admin/users',
    'superadmin',
    {
      users: some(expect.objectContaining({ email: 'admin@own.test', organization: 'own school', userType: 'admin' })),
    },
  ],
  ['/azure/vmnames', 'user', { vmList: [text], learners: [text] }, ofTraining],
  [
    '/azure/logs',
    'user',
    expect.objectContaining({ logs: [{ start: instant, stop: null, duration: number }] }),
    ({ machine }) => ({ vmName: machine.name }),
  ],
  ['/azure/ports', 'admin', expect.objectContaining({ ports: [8080] }), ofTraining],
  [
    '/azure/schedules',
    'admin',
    expect.objectContaining({
      schedules: [
        expect.objectContaining({ _id: text, date: '2099-12-31', action: 'Start', time: '09:30', status: 'Pending' }),
      ],
    }),
    ofTraining,
  ],
  ['/admin/myuser', 'user', expect.objectContaining({ loginStart: null, loginStop: null }), ofTraining],
  ['/admin/quota', 'superadmin', { total: 60, consumed: number }, ofTraining],
  [
    '/sandbox/azure',
    'sandboxuser',
    expect.objectContaining({
      email: text,
      userId: text,
      credits: { total: number, consumed: number },
      sandbox: [
        expect.objectContaining({ _id: text, resourceGroupName: text, createdTime: instant, deleteTime: instant }),
      ],
    }),
  ],
  [
    '/sandbox/user',
    'superadmin',
    {
      users: some(
        expect.objectContaining({
          _id: text,
          email: text,
          userId: text,
          duration: 5,
          credits: { total: number, consumed: number },
          startDate: instant,
          endDate: instant,
          sandbox: [expect.objectContaining({ resourceGroupName: text })],
        }),
      ),
    },
  ],
  [
    '/aws/user',
    'superadmin',
    {
      users: some(
        expect.objectContaining({
          _id: text,
          email: text,
          userId: text,
          duration: number,
          startDate: instant,
          endDate: instant,
        }),
      ),
    },
  ],
  [
    '/sandbox/aws',
    'awssandboxuser',
    expect.objectContaining({ email: text, userId: text, startDate: instant, endDate: instant }),
  ],
  [
    '/admin/ledger',
    'superadmin',
    {
      totalInvoice: 26.4,
      totalPayment: 26.4,
      totalBalance: 0,
      ledger: some({ name: text, organization: 'own school', invoice: 13.2, payment: 13.2, balance: 0 }),
    },
  ],
  [
    '/admin/organization/settings',
    'admin',
    {
      name: 'own school',
      logo: 'https://own.test/logo.png',
      timeZone: 'Asia/Kolkata',
      gst: '29AAAOW1111A1ZD',
      creditLimit: 0,
      azureTags: {},
      pseudonymsAllowed: false,
      managementSources: null,
      helpEmail: null,
      security: {
        passwordChangeRequired: false,
        secondFactor: null,
        secondFactorSince: null,
        idleMinutes: null,
        passwordsAllowed: true,
      },
    },
  ],
  [
    '/admin/ledger/accounts',
    'admin',
    expect.objectContaining({
      legal: { name: text, gst: '29AAAOW1111A1ZD', balance: 0, limit: number },
      transactions: some(
        expect.objectContaining({
          date: '2026-01-31',
          particular: text,
          invoice: null,
          payment: 1,
          id: 'pay_own',
        }),
      ),
    }),
  ],
]

const named = READS.map(([path, role, fields, query]) => ({ path, role, fields, query }))

test.each(named)('GET $path returns $role the fields of the specification', async ({ path, role, fields, query }) => {
  const uid = await portal.sessionOf(PEOPLE[role])
  const reply = await portal.request('GET', path, { uid, ...(query && { query: query(own) }) })
  expect(reply.status).toBe(200)
  expect(await reply.json()).toEqual(fields)
})

const FORM = {
  name: 'official template',
  rate: 10.5,
  resourceGroup: 'group',
  vmSize: 'Standard_D16ds_v4',
  imageId: 'a:b:c:latest',
  location: 'southindia',
  os: 'Windows',
  vnet: 'net',
  licence: 'Windows_Server',
  isOfficial: true,
  planPublisher: 'publisher',
  product: 'product',
  version: '1.0',
  cpu: '16',
  memory: '64 GiB',
  storage: 'SSD',
  disk: '128 GiB',
}

test("accepts the form's fields, requires a plan only if it is official, and rejects malformed values", async () => {
  const uid = await portal.sessionOf(PEOPLE.superadmin)
  const create = async (change: object) =>
    (await portal.request('POST', '/admin/template', { uid, body: { ...FORM, ...change } })).status
  expect(await create({})).toBe(200)
  const { planPublisher: _publisher, product: _product, version: _version, ...plain } = FORM
  expect((await portal.request('POST', '/admin/template', { uid, body: { ...plain, name: 'no plan' } })).status).toBe(
    400,
  )
  const body = { ...plain, name: 'plain template', isOfficial: false }
  expect((await portal.request('POST', '/admin/template', { uid, body })).status).toBe(200)
  expect(await create({ name: 'another size', vmSize: 'Standard_NC4as_T4_v3' })).toBe(200)
  for (const invalid of [{ vmSize: 'D2s v3' }, { os: 'macOS' }, { licence: 'other' }])
    expect(await create({ name: 'wrong', ...invalid })).toBe(400)
})
