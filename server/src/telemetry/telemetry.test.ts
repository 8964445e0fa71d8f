import { readFileSync } from 'node:fs'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildApp } from '../app/build-app.ts'
import { apiOf, workerOf } from '../app/compose.ts'
import { readConfig } from '../config.ts'
import { buildServer } from '../http/server.ts'
import { startWorker } from '../app/worker.ts'
import { FAST_PACE, startEnvironment, type TestEnvironment } from '#test/environment.ts'
import { send } from '#test/caller.ts'
import { order } from '#test/orders.ts'
import { freePort } from '#test/ports.ts'
import { until } from '../start/test-run.ts'
import { startTelemetry } from './start-telemetry.ts'

interface Sent {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
}

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const traceparent = `00-${TRACE}-00f067aa0ba902b7-01`

let environment: TestEnvironment
let collector: ReturnType<typeof createServer>
let metricsUrl: string
let apiUrl: string
let sendCall: (method: string, path: string, body?: object, headers?: Record<string, string>) => ReturnType<typeof send>
const spans: Sent[] = []
const ends: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  collector = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => (text += chunk.toString()))
    request.on('end', () => {
      const { resourceSpans } = JSON.parse(text) as { resourceSpans: { scopeSpans: { spans: Sent[] }[] }[] }
      spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)))
      response.end('{}')
    })
  }).listen(0, '127.0.0.1')
  await once(collector, 'listening')
  environment = await startEnvironment()
  const metrics = { host: '127.0.0.1', port: await freePort() }
  metricsUrl = `http://127.0.0.1:${metrics.port}/metrics`
  const telemetry = await startTelemetry(
    { metrics, otlp: `http://127.0.0.1:${(collector.address() as AddressInfo).port}` },
    'test',
  )
  const { config, secrets } = readConfig({ ...environment.portal.settings, PORT: String(await freePort()) })
  const app = buildApp(config, secrets, telemetry)
  const server = await buildServer(apiOf(app))
  apiUrl = await server.listen(config.http)
  const worker = await startWorker(await workerOf(app, { onBug: (bug) => environment.bugs.push(bug) }), FAST_PACE)
  ends.push(
    () => worker.stop(),
    () => server.close(),
    () => telemetry.tracer!.stop(),
  )
  const organisation = await environment.organisation('Acme')
  await environment.signIn('admin', 'admin@acme.test', organisation)
  const { token } = await environment.credentials('admin@acme.test')
  sendCall = (method, path, body, headers) =>
    send(method, `${apiUrl}/api${path}`, body, { authorization: `Bearer ${token}`, ...headers })
})

afterAll(async () => {
  for (const end of ends) await end()
  await environment.stop()
  collector.close()
})

const text = async () => (await fetch(metricsUrl)).text()

test('traces an order from the browser through call, row and worker to the provider', async () => {
  const { status } = await sendCall('POST', '/azure/machines', order('Traced', ['one@acme.test']), { traceparent })
  expect(status).toBe(200)
  await until('the machine is seen to run', async () =>
    (await text()).includes('trainyard_machines{state="running"} 1'),
  )
  const ofTrace = () => spans.filter(({ traceId }) => traceId === TRACE)
  await until('the spans came', () => ofTrace().some(({ name }) => name === 'azure createMachine'))
  const created = ofTrace().find(({ name }) => name === 'azure createMachine')!
  const workSpan = ofTrace().find(({ spanId }) => spanId === created.parentSpanId)!
  const callSpan = ofTrace().find(({ spanId }) => spanId === workSpan.parentSpanId)!
  expect([workSpan.name, callSpan.name, callSpan.parentSpanId]).toEqual([
    'machine',
    'machine.order',
    '00f067aa0ba902b7',
  ])
  expect(environment.bugs).toEqual([])
})

test("returns the trace ID with an error: the browser's ID, or an ID derived from the request ID", async () => {
  const refused = async (headers: Record<string, string>) => {
    const reply = await fetch(`${apiUrl}/api/azure/machines`, { headers })
    const [, trace] = reply.headers.get('traceresponse')!.split('-')
    return { trace, requestId: ((await reply.json()) as { requestId: string }).requestId }
  }
  const ownTrace = await refused({ traceparent })
  expect(ownTrace.trace).toBe(TRACE)
  const { requestId, trace } = await refused({})
  expect(trace).toBe(requestId.replaceAll('-', ''))
})

test('serves metrics on a separate port only; alert rules and dashboard use existing metrics', async () => {
  await sendCall('GET', '/azure/machines?trainingName=Traced')
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

const folder = new URL('../../../deploy/watch/', import.meta.url)
const read = (file: string) => readFileSync(new URL(file, folder), 'utf8')
