import { existsSync, readdirSync, readFileSync } from 'node:fs'
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

test('the base names all its files, and each container is nobody with nothing to write to', () => {
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

test('compose runs two of API and worker behind a proxy that leads to both', () => {
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

describe.skipIf(!existsSync(schemas))('with the schemas of Kubernetes, where they stand beside the checkout', () => {
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
