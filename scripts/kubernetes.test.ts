import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Call } from '@trainyard/platform/contract/call.ts'
import { contract } from '@trainyard/modules/contract.ts'
import { Ajv, type ValidateFunction } from 'ajv'
import { parse } from 'yaml'
import { describe, expect, test } from 'vitest'
import { chartValues, renderChart, type Values } from './helm-chart.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const references = `${root}../shared/references/kubernetes/`
const schemas = `${references}v1.35.0-strict/`

type Labels = Readonly<Record<string, string>>
interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly spec?: {
    readonly backoffLimit?: number
    readonly template?: { readonly metadata: { readonly labels: Labels }; readonly spec: Pod }
    readonly podSelector?: Selector
    readonly ingress?: readonly {
      readonly from: readonly Peer[]
      readonly ports: readonly { readonly port: number }[]
    }[]
  }
}
interface Selector {
  readonly matchLabels: Labels
}
interface Peer {
  readonly podSelector?: Selector
  readonly namespaceSelector?: Selector
}
interface Pod {
  readonly securityContext: object
  readonly restartPolicy?: string
  readonly initContainers?: readonly Container[]
  readonly containers: readonly Container[]
  readonly volumes: readonly { readonly name: string; readonly persistentVolumeClaim?: object }[]
}
interface Container {
  readonly name: string
  readonly securityContext: object
  readonly command?: readonly string[]
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[]
  readonly envFrom: readonly object[]
  readonly env?: readonly { readonly name: string; readonly value?: string }[]
  readonly resources: { readonly requests: { readonly memory: string }; readonly limits: { readonly memory: string } }
  readonly startupProbe?: Probe
  readonly readinessProbe?: Probe
  readonly livenessProbe?: Probe
}
interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string }
  readonly timeoutSeconds: number
  readonly periodSeconds: number
  readonly failureThreshold: number
}

const manifests = renderChart(chartValues()) as Manifest[]

test('each container runs unprivileged with a read-only root', () => {
  const pods = manifests.flatMap(({ spec }) => spec?.template?.spec ?? [])
  expect(pods).toHaveLength(3)
  for (const { securityContext, containers } of pods) {
    expect(securityContext).toMatchObject({ runAsNonRoot: true })
    for (const container of containers) {
      expect(container.securityContext).toMatchObject({ readOnlyRootFilesystem: true, allowPrivilegeEscalation: false })
      expect(JSON.stringify(container.envFrom)).toContain('secretRef')
    }
  }
})

const containers = manifests.flatMap(({ spec }) => spec?.template?.spec.containers ?? [])
const containerNamed = (name: string): Container => containers.find((each) => each.name === name)!
const podLabels = manifests.flatMap(({ spec }) => (spec?.template === undefined ? [] : [spec.template.metadata.labels]))
const labelsOf = (component: string): Labels =>
  podLabels.find((labels) => labels['app.kubernetes.io/component'] === component)!

describe('the NetworkPolicy', () => {
  const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy')
  const matches = ({ matchLabels }: Selector, labels: Labels): boolean =>
    Object.entries(matchLabels).every(([name, value]) => labels[name] === value)

  /**
   * Returns true if a pod of the same namespace may connect, as a cluster decides it. Pods that no policy selects
   * accept all connections.
   */
  function allows(from: Labels, to: Labels, port: number): boolean {
    const selecting = policies.filter(({ spec }) => matches(spec!.podSelector!, to))
    const admits = ({ podSelector, namespaceSelector }: Peer) =>
      namespaceSelector === undefined && podSelector !== undefined && matches(podSelector, from)
    return (
      selecting.length === 0 ||
      selecting.some(({ spec }) =>
        spec!.ingress!.some((rule) => rule.from.some(admits) && rule.ports.some((each) => each.port === port)),
      )
    )
  }

  test('lets an API connect to the PEER_URL of another API, which watching a learner needs', () => {
    const peerUrl = containerNamed('api').env!.find(({ name }) => name === 'PEER_URL')!.value!
    const port = Number(/^http:\/\/\$\(POD_IP\):(\d+)$/u.exec(peerUrl)?.[1])
    expect(allows(labelsOf('api'), labelsOf('api'), port)).toBe(true)
  })

  test.each([
    ['an API connect to the metrics of another', 'api', 'api', 9400],
    ['a worker connect to an API', 'worker', 'api', 4000],
    ['an API connect to the metrics of a worker', 'api', 'worker', 9400],
    ['a migration connect to an API', 'migrate', 'api', 4000],
  ])('does not let %s', (_title, from, to, port) => {
    expect(allows(labelsOf(from), labelsOf(to), port)).toBe(false)
  })

  test('does not let other pods of the namespace connect', () => {
    expect(allows({ 'app.kubernetes.io/name': 'other' }, labelsOf('api'), 4000)).toBe(false)
  })
})

test('probes of a worker use the address of its metrics port that collects no metrics', () => {
  const { startupProbe, livenessProbe } = containerNamed('worker')
  // Collecting metrics queries the database, and losing the database must not restart a worker.
  for (const probe of [startupProbe, livenessProbe]) expect(probe!.httpGet).toEqual({ path: '/live', port: 'metrics' })
})

describe('the upgrade', () => {
  const values = chartValues()
  const withBackups = (claim: string, settings: Values) => () =>
    renderChart({ ...values, backups: { claim }, settings }) as Manifest[]
  /** Returns the place of backups of each pod that has one. */
  const placesIn = (objects: readonly Manifest[]) =>
    objects
      .flatMap(({ spec }) => spec?.template?.spec ?? [])
      .flatMap(({ containers: [container], volumes }) => {
        const folder = container!.env?.find(({ name }) => name === 'BACKUP_FOLDER')?.value
        const mount = container!.volumeMounts!.find(({ mountPath }) => mountPath === folder)
        const claim = volumes.find(({ name }) => name === mount?.name)?.persistentVolumeClaim
        return claim === undefined ? [] : [[container!.name, claim]]
      })

  test('runs once, because each attempt stops changes', () => {
    const { spec } = manifests.find(({ kind }) => kind === 'Job')!
    expect([spec!.backoffLimit, spec!.template!.spec.restartPolicy]).toEqual([0, 'Never'])
  })

  test('makes its backup on the volume of the workers or in the bucket, and is not rendered without a place', () => {
    expect(placesIn(withBackups('nightly', {})())).toEqual([
      ['migrate', { claimName: 'nightly' }],
      ['worker', { claimName: 'nightly' }],
    ])
    expect(placesIn(withBackups('', { BACKUP_S3_URL: 'https://s3.test/b' })())).toEqual([])
    expect(withBackups('', {})).toThrow(/^Set backups\.claim to a PersistentVolumeClaim, or settings\.BACKUP_S3_URL/)
  })

  test('waits for the cluster that the operator is creating', async () => {
    const cluster = { ...values, postgres: { ...(values['postgres'] as Values), cloudnativepg: true } }
    const job = (renderChart(cluster) as Manifest[]).find(({ kind }) => kind === 'Job')!
    const [waiting] = job.spec!.template!.spec.initContainers!
    let calls = 0
    const server = createTcpServer((socket) => {
      calls += 1
      if (calls === 1) socket.destroy()
      // AuthenticationOk and ReadyForQuery
      else socket.once('data', () => socket.write(Buffer.from('5200000008000000005a0000000549', 'hex')))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const env = { PATH: process.env['PATH'], DATABASE_APP_URL: `postgres://app:x@127.0.0.1:${port}/trainyard` }
    const child = spawn(process.execPath, waiting!.command!.slice(1), { cwd: root, env })
    const said = text(child.stderr)
    const [code] = (await once(child, 'exit')) as [unknown]
    server.close()
    expect([code, calls]).toEqual([0, 2])
    expect(await said).toMatch(/^The database does not answer yet \(.*\)\.\n$/)
  })
})

describe("the container's own health check", () => {
  /** Returns the exit code of deploy/alive.mjs while a server answers 200 to one path and never to the others. */
  async function exitCodeWith(path: string | null, setting: 'PORT' | 'METRICS_PORT'): Promise<unknown> {
    const server = createServer((request, response) => {
      if (request.url === path) response.end()
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const env = { PATH: process.env['PATH'], PORT: '9', [setting]: String(port) }
    const child = spawn(process.execPath, [`${root}deploy/alive.mjs`], { env })
    const [code] = (await once(child, 'exit')) as [unknown]
    server.close()
    server.closeAllConnections()
    return code
  }

  test('succeeds while an API or a worker is alive', async () => {
    expect(
      await Promise.all([exitCodeWith('/api/health/live', 'PORT'), exitCodeWith('/live', 'METRICS_PORT')]),
    ).toEqual([0, 0])
  })

  test('fails for a process that does not answer within its time limit', async () => {
    expect(await exitCodeWith(null, 'PORT')).toBe(1)
  })
})

describe('probes of the API', () => {
  const { startupProbe, readinessProbe, livenessProbe } = containerNamed('api')
  const pathOf = ({ route }: Call): string => route.replace(' ', ' /api')

  test('start-up and liveness use the call that queries nothing, readiness the call that queries the database', () => {
    expect([startupProbe, readinessProbe, livenessProbe].map((probe) => `GET ${probe!.httpGet.path}`)).toEqual([
      pathOf(contract.health.live),
      pathOf(contract.health.ready),
      pathOf(contract.health.live),
    ])
  })

  test('an overloaded API is taken out of service long before it is restarted', () => {
    const secondsOf = ({ periodSeconds, failureThreshold }: Probe): number => periodSeconds * failureThreshold
    expect(secondsOf(readinessProbe!)).toBeLessThanOrEqual(15)
    expect(secondsOf(livenessProbe!)).toBeGreaterThanOrEqual(60)
    // The readiness call itself answers after at most 3 s.
    expect(readinessProbe!.timeoutSeconds).toBeGreaterThan(3)
  })

  test('the start may take as long as the start of a worker', () => {
    expect(startupProbe).toMatchObject({ periodSeconds: 5, failureThreshold: 30 })
    expect(containerNamed('worker').startupProbe).toMatchObject({ periodSeconds: 5, failureThreshold: 30 })
  })
})

test('compose runs two API and two worker containers behind a proxy that routes to both APIs', () => {
  const { services } = parse(readFileSync(`${root}deploy/compose/compose.yaml`, 'utf8'), { merge: true }) as {
    services: Record<string, { command?: string[]; read_only?: boolean }>
  }
  const parts = Object.values(services).filter(({ command }) => ['api', 'worker'].includes(command?.[0] ?? ''))
  expect(parts.map(({ command, read_only }) => [command![0], read_only])).toEqual([
    ['api', true],
    ['api', true],
    ['worker', true],
    ['worker', true],
  ])
  const proxy = readFileSync(`${root}deploy/compose/Caddyfile`, 'utf8')
  for (const name of ['api1', 'api2']) expect(proxy).toContain(`${name}:4000`)
})

const whyNoSchemas = existsSync(schemas) ? '' : ' (skipped: no copy of the Kubernetes schemas)'
describe.skipIf(whyNoSchemas !== '')(`manifests are valid by the Kubernetes schemas${whyNoSchemas}`, () => {
  const ajv = new Ajv({ strict: false, validateFormats: false })
  const validatorOf = ({ apiVersion, kind }: Manifest): ValidateFunction => {
    const group = apiVersion.split('/').toReversed()
    const ofOperator = group[1]?.startsWith('postgresql') === true
    const apiGroup = group[1] === undefined ? [] : [ofOperator ? group[1] : group[1].split('.')[0]]
    const file = `${[kind.toLowerCase(), ...apiGroup, group[0]].join('-')}.json`
    const folder = ofOperator ? `${references}cloudnative-pg/` : schemas
    return ajv.compile(JSON.parse(readFileSync(folder + file, 'utf8')) as object)
  }
  const values = chartValues()
  const withCluster = { ...values, postgres: { ...(values['postgres'] as Values), cloudnativepg: true } }
  const all = [...manifests, ...(renderChart(withCluster) as Manifest[])]
  test('the cluster of the chart is made by the operator', () => {
    expect(all.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['Cluster', 'ScheduledBackup']))
    expect(manifests.map(({ kind }) => kind)).not.toContain('Cluster')
  })
  test.each(all.map((each) => [each.kind, each] as const))('a %s is valid', (_kind, manifest) => {
    const validate = validatorOf(manifest)
    expect(validate(manifest) ? [] : validate.errors).toEqual([])
  })
})
