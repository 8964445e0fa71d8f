import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Ajv, type ValidateFunction } from 'ajv'
import { parse, parseAllDocuments } from 'yaml'
import { describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../', import.meta.url))
const base = `${root}deploy/kustomize/base/`
const schemas = `${root}../shared/references/kubernetes/v1.35.0-strict/`

interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly spec?: { readonly template?: { readonly spec: Pod } }
}
interface Pod {
  readonly securityContext: object
  readonly containers: readonly { readonly securityContext: object; readonly envFrom: readonly object[] }[]
}

const files = readdirSync(base).filter((name) => name.endsWith('.yaml'))
const manifests = files
  .filter((name) => name !== 'kustomization.yaml')
  .flatMap((name) => parseAllDocuments(readFileSync(base + name, 'utf8')).map((each) => each.toJS() as Manifest))

test('the base lists all its files, and each container runs unprivileged with a read-only root', () => {
  const { resources } = parse(readFileSync(`${base}kustomization.yaml`, 'utf8')) as { resources: string[] }
  expect([...resources, 'kustomization.yaml'].toSorted()).toEqual(files.toSorted())
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
  const proxy = readFileSync(`${root}deploy/compose/nginx.conf`, 'utf8')
  for (const name of ['api1', 'api2']) expect(proxy).toContain(`server ${name}:4000`)
})

describe.skipIf(!existsSync(schemas))('manifests are valid by the Kubernetes schemas, if a copy is available', () => {
  const ajv = new Ajv({ strict: false, validateFormats: false })
  const of = ({ apiVersion, kind }: Manifest): ValidateFunction => {
    const group = apiVersion.split('/').toReversed()
    const name = [kind.toLowerCase(), ...(group[1] === undefined ? [] : [group[1].split('.')[0]]), group[0]].join('-')
    return ajv.compile(JSON.parse(readFileSync(`${schemas}${name}.json`, 'utf8')) as object)
  }
  test.each(manifests.map((each) => [each.kind, each] as const))('a %s is valid', (_kind, manifest) => {
    const validate = of(manifest)
    expect(validate(manifest) ? [] : validate.errors).toEqual([])
  })
})

describe('systemd units and the command are valid', () => {
  const command = readFileSync(`${root}deploy/trainyard`, 'utf8')
  const units = new Map(
    readdirSync(`${root}deploy/systemd`).map((name) => [name, readFileSync(`${root}deploy/systemd/${name}`, 'utf8')]),
  )
  const valuesOf = (unit: string, setting: string): string[] =>
    [...units.get(unit)!.matchAll(new RegExp(`^${setting}=(.*)$`, 'gmu'))].map((match) => match[1]!)
  const settings = '/etc/trainyard/trainyard.env'

  test('each unit reads the settings file, and API and worker read their own file if it exists', () => {
    expect(Object.fromEntries([...units.keys()].map((unit) => [unit, valuesOf(unit, 'EnvironmentFile')]))).toEqual({
      'trainyard-api.service': [settings, '-/etc/trainyard/api.env'],
      'trainyard-migrate.service': [settings],
      'trainyard-worker.service': [settings, '-/etc/trainyard/worker.env'],
    })
  })

  test('the command runs the same program as the units, with their account, folder and settings', () => {
    expect(statSync(`${root}deploy/trainyard`).mode & 0o111).toBe(0o111)
    expect(command).toContain(`EnvironmentFile="\${TRAINYARD_ENV:-${settings}}"`)
    for (const unit of units.keys()) {
      const [program, part] = /^(.* server\/src\/main\.ts) (\w+)$/u.exec(valuesOf(unit, 'ExecStart')[0]!)!.slice(1)
      expect(unit).toBe(`trainyard-${part}.service`)
      expect(command).toContain(`${program} "$@"`)
      expect(command).toContain(`--uid=${valuesOf(unit, 'User')[0]} `)
      expect(command).toContain(`--working-directory=${valuesOf(unit, 'WorkingDirectory')[0]} `)
      for (const kept of ['StateDirectory', 'StateDirectoryMode'])
        expect(command).toContain(`-p ${kept}=${valuesOf(unit, kept)[0]} `)
      expect(command).toContain(`-E ${valuesOf(unit, 'Environment')[0]} `)
    }
  })

  test('the documentation builds, copies and starts only files that exist', () => {
    const text = readdirSync(`${root}docs/operate`)
      .map((name) => readFileSync(`${root}docs/operate/${name}`, 'utf8'))
      .join('\n')
    for (const unit of units.keys())
      for (const [file] of units.get(unit)!.matchAll(/\/etc\/trainyard\/\w+\.env/gu))
        expect(text).toContain(` ${file}\n`)
    expect(text).toContain('cp /opt/trainyard/deploy/systemd/*.service /etc/systemd/system/')
    expect(text).toContain('cp /opt/trainyard/deploy/trainyard /usr/local/bin/')
    const started = [...text.matchAll(/^ *systemctl (?:start|enable --now|restart) (trainyard.*?)(?: *#.*| &&.*)?$/gmu)]
    const named = new Set(started.flatMap((match) => match[1]!.split(' ')))
    expect([...named].map((name) => `${name}.service`).toSorted()).toEqual([...units.keys()].toSorted())
  })
})
