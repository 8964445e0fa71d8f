import { dirname } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readConfig } from '@trainyard/platform/server/config/config.ts'
import { networkOf } from '@trainyard/machines/server/operation/route.ts'
import { machinesOf, order } from '@trainyard/platform/test/orders.ts'
import { sharedEnvironment, sharedPortal } from '@trainyard/platform/test/shared.ts'
import { until } from '@trainyard/platform/test/until.ts'
import { standIn } from '../test/stand-in.ts'
import { workerOf } from '@trainyard/server/compose.ts'
import { templateCommand } from './operator.ts'

const daemon = await standIn()
afterAll(() => daemon.close())
const settings = { LXD_SOCKET: daemon.path, LXD_POOL: 'fast', LXD_SIZES: 'small=1:512:5,large=4:8192:40' }
const env = await sharedEnvironment({ settings })
const acme = await env.organisation('Acme Learning')
const admin = await env.signIn('admin', 'admin@acme.test', acme)
const root = await env.signIn('superadmin', 'root@demo.test', null)

const { config, secrets } = readConfig({ ...settings, TRAINYARD_DATA: dirname(daemon.path) })
const printed: string[] = []
const print = (line: string) => void printed.push(line)
const saveTemplate = async (...args: string[]) =>
  templateCommand({ config, secrets, args, print, printError: print, withDb: (_as, work) => work(env.db) })

const machine = async () => (await machinesOf(admin, 'Python'))[0]!
const own = () => [...daemon.instances.values()][0]
const power = async (operation: 0 | 1) => {
  const { name, resourceGroup } = await machine()
  expect((await admin('PATCH', '/azure/machines', [{ operation }, { name, resourceGroup }])).status).toBe(200)
}

test('saves a template of LXD, changes it, and keeps the templates of other providers', async () => {
  await saveTemplate('Debian 12', 'large', 'lab-ssh', '9')
  await saveTemplate('Debian 12', 'small', 'lab-ssh', '4.50')
  const row = await env.db.selectFrom('template').selectAll().where('name', '=', 'Debian 12').executeTakeFirstOrThrow()
  expect(row).toMatchObject({ provider: 'lxd', rate_paise: 450, size_name: 'small', memory: '512 MB', revision: 2 })
  await expect(saveTemplate('Ubuntu small', 'small', 'lab-ssh', '4.50')).rejects.toThrow('is a template of azure')
  await expect(saveTemplate('Debian 12', 'huge', 'lab-ssh', '4.50')).rejects.toThrow(
    'has no size huge, only small, large',
  )
  await expect(saveTemplate('Debian 12')).rejects.toThrow('Usage')
})

test('runs a machine of LXD from the order to the deletion, next to Azure', async () => {
  const body = { organization: 'Acme Learning', template: 'Debian 12' }
  expect((await root('POST', '/admin/assignTemplate', body)).status).toBe(200)
  const worker = await env.worker()
  const ordered = order('Python', ['learner@acme.test'], { templateName: 'Debian 12' })
  daemon.setAddress(null)
  expect((await admin('POST', '/azure/machines', ordered)).status).toBe(200)
  await until('it runs', machine, ({ status }) => status === 'Running')
  const reads = async () => daemon.requests.filter((each) => each === `GET /1.0/instances/${own()!.name}`).length
  const before = await reads()
  await until('it was read without an address', reads, (count) => count > before)
  daemon.setAddress('10.77.0.230')
  await until('it has an address', machine, ({ publicIp }) => publicIp === '10.77.0.230')
  const { name, adminUsername, adminPass } = await machine()
  expect([own()!.name, daemon.passwords.get(adminUsername)]).toEqual([name, adminPass])
  const { id } = await env.db.selectFrom('machine').select('id').where('name', '=', name).executeTakeFirstOrThrow()
  expect(await networkOf(env.db, id)).toEqual({ id: 'lxd', route: 'host', ranges: ['10.77.0.0/16'] })

  await power(0)
  await until('it is stopped', machine, ({ status }) => status === 'Stopped')
  expect((await admin('POST', '/admin/capture', { vm: name })).status).toBe(200)
  await until(
    'its image is ready',
    async () => [...daemon.aliases.keys()],
    (all) => all.some((each) => each.startsWith('trainyard-')),
  )
  await env.step(120)
  await power(1)
  await until('it runs again', machine, ({ status }) => status === 'Running')
  expect(own()!.status).toBe('Running')

  const removed = '/azure/killTraining?trainingName=Python&organization=Acme%20Learning'
  expect((await root('DELETE', removed)).status).toBe(200)
  await until(
    'nothing is left at LXD',
    async () => daemon.instances.size + daemon.networks.size,
    (left) => left === 0,
    60_000,
  )
  expect(env.bugs).toEqual([])
  await worker.stop()
})

test('is the only provider if neither the settings of Azure nor the emulator exist', async () => {
  const portal = await sharedPortal({ ...settings, SMTP_URL: 'smtp://mail.example.com' })
  expect(Object.keys((await workerOf(portal.app)).clouds)).toEqual(['lxd'])
  expect(Object.keys(env.parts.clouds)).toEqual(['azure', 'lxd'])
})
