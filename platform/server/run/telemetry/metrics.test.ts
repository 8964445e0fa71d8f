import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildApp } from '@trainyard/server/build-app.ts'
import { apiOf, workerOf } from '@trainyard/server/compose.ts'
import { readConfig } from '../../config/config.ts'
import { buildServer } from '../../http/server.ts'
import { startWorker } from '@trainyard/server/worker.ts'
import { FAST_PACE, startEnvironment, type TestEnvironment } from '../../../test/environment.ts'
import { send } from '../../../test/caller.ts'
import { order } from '../../../test/orders.ts'
import { freePort } from '../../../test/ports.ts'
import { until } from '@trainyard/server/start/test-run.ts'
import { startMeters } from './start-meters.ts'

let environment: TestEnvironment
let metricsUrl: string
let sendCall: (method: string, path: string, body?: object) => ReturnType<typeof send>
const ends: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  environment = await startEnvironment()
  const metrics = { host: '127.0.0.1', port: await freePort() }
  metricsUrl = `http://127.0.0.1:${metrics.port}/metrics`
  const meters = await startMeters(metrics)
  const { config, secrets } = readConfig({ ...environment.portal.settings, PORT: String(await freePort()) })
  const app = buildApp(config, secrets, meters)
  const server = await buildServer(apiOf(app))
  const apiUrl = await server.listen(config.http)
  const worker = await startWorker(await workerOf(app, { onBug: (bug) => environment.bugs.push(bug) }), FAST_PACE)
  ends.push(
    () => worker.stop(),
    () => server.close(),
  )
  const organisation = await environment.organisation('Acme')
  await environment.signIn('admin', 'admin@acme.test', organisation)
  const { token } = await environment.credentials('admin@acme.test')
  sendCall = (method, path, body) => send(method, `${apiUrl}/api${path}`, body, { authorization: `Bearer ${token}` })
})

afterAll(async () => {
  for (const end of ends) await end()
  await environment.stop()
})

const text = async () => (await fetch(metricsUrl)).text()

test('serves metrics on a separate port only; alert rules and dashboard use existing metrics', async () => {
  expect((await sendCall('POST', '/azure/machines', order('Metered', ['one@acme.test']))).status).toBe(200)
  await until('the machine is seen to run', async () =>
    (await text()).includes('trainyard_machines{state="running"} 1'),
  )
  await sendCall('GET', '/azure/machines?trainingName=Metered')
  await until('tasks are told of', async () => (await text()).includes('trainyard_task_ended_seconds_ago{'))
  const metricsText = await text()
  expect(metricsText).toMatch(/trainyard_calls_total\{call="machine\.list",status="200"\} [1-9]/)
  expect(metricsText).toMatch(
    /trainyard_provider_calls_total\{provider="azure",operation="createMachine",outcome="ok"\} 1/,
  )
  expect(metricsText).toMatch(/trainyard_rows_due\{kind="machine"\} \d/)
  expect(metricsText).toMatch(/trainyard_money_undecided_orders 0/)
  expect(metricsText).toMatch(/trainyard_pool_connections\{state="waited for"\} 0/)
  expect(await (await fetch(`${environment.portal.url}/metrics`)).text()).not.toContain('trainyard_calls')
  expect((await fetch(metricsUrl.replace('metrics', ''))).status).toBe(404)

  const known = new Set([...metricsText.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name!))
  const asked = (file: string) =>
    [...read(file).matchAll(/\b(trainyard_\w+|nodejs_\w+|process_\w+)\b/g)].map(([name]) =>
      name.replace(/_(bucket|sum|count)$/, ''),
    )
  const all = ['alerts.yml', 'dashboard.json'].flatMap(asked)
  expect(all.length).toBeGreaterThan(20)
  expect(all.filter((name) => !known.has(name))).toEqual([])
})

const folder = new URL('../../../../deploy/watch/', import.meta.url)
const read = (file: string) => readFileSync(new URL(file, folder), 'utf8')
