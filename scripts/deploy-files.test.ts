import { spawnSync } from 'node:child_process'
import { globSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseEnv } from 'node:util'
import { parseAllDocuments } from 'yaml'
import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { renderChart, type Values } from './helm-chart.ts'

/**
 * Each file under deploy/ is read by a parser or compared with a schema, and also by its own tool if the tool is
 * installed. In Debian: apt-get install prometheus caddy docker-compose.
 */

const root = fileURLToPath(new URL('../', import.meta.url))
const deploy = `${root}deploy/`
const files = readdirSync(deploy, { recursive: true, encoding: 'utf8', withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(deploy.length))
const read = (file: string): string => readFileSync(deploy + file, 'utf8')

const unchecked = new Set(files)
/** Returns the files whose path matches. Each test below takes its files here. */
function filesMatching(pattern: RegExp): string[] {
  const matching = files.filter((file) => pattern.test(file)).toSorted()
  if (matching.length === 0) throw new Error(`no file under deploy/ matches ${pattern}`)
  for (const file of matching) unchecked.delete(file)
  return matching
}

const folder = mkdtempSync(join(tmpdir(), 'trainyard-deploy-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
/** Writes a file for a tool and returns its path. */
function write(name: string, text: string): string {
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

/** Path with the folders of system programs, where Debian installs some tools. */
const PATH = `${process.env['PATH']}:/usr/sbin:/sbin`
function run(command: string, ...args: string[]): { readonly code: number | null; readonly text: string } {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', env: { ...process.env, PATH } })
  return { code: status, text: stdout + stderr }
}
const exists = (tool: string): boolean => run('sh', '-c', 'command -v "$0"', tool).code === 0
/** Returns whether a tool is missing, and its name for the title of a test, with the reason if the test is skipped. */
function judgedBy(tool: string, available = exists(tool)) {
  return { missing: !available, by: `${tool}${available ? '' : ` (skipped: ${tool} is not installed)`}` }
}

/** Parses a YAML file and throws an Error for syntax errors, warnings and duplicate keys. */
function parseYaml(text: string): unknown[] {
  return parseAllDocuments(text, { merge: true }).map((document) => {
    const [problem] = [...document.errors, ...document.warnings]
    if (problem !== undefined) throw problem
    return document.toJS() as unknown
  })
}

describe('alert rules', () => {
  const [file] = filesMatching(/^watch\/alerts\.yml$/u)
  const rule = z
    .strictObject({
      alert: z.string().regex(/^[A-Z][A-Za-z]+$/u),
      expr: z.string().min(1),
      for: z.string().regex(/^\d+[smh]$/u),
      labels: z.strictObject({ severity: z.enum(['page', 'ticket']) }),
      // Strict: an unquoted comma in a flow mapping would end the summary and begin another annotation.
      annotations: z.strictObject({ summary: z.string().regex(/^[A-Z]/u), runbook: z.string() }),
    })
    .refine(
      ({ alert, annotations }) => annotations.runbook === `docs/operate.md#${alert.toLowerCase()}`,
      'another runbook',
    )
  const rules = z.strictObject({
    groups: z.array(z.strictObject({ name: z.string(), rules: z.array(rule).min(1) })).min(1),
  })
  const rulesIn = (text: string) => rules.parse(parseYaml(text)[0]).groups.flatMap((group) => group.rules)
  /** The defect of an earlier version of the file, with which Prometheus does not start. */
  const invalidText = read(file!).replace(/summary: (\w+ \w+) /u, 'summary: $1, ')

  test('have a duration, a severity, a summary and a runbook, and every runbook has a rule', () => {
    const names = rulesIn(read(file!)).map(({ alert }) => alert)
    expect(names).toHaveLength(10)
    const page = readFileSync(`${root}docs/operate.md`, 'utf8')
    const [, section] = /^## Alerts$(.*?)^## /msu.exec(page)!
    const headings = [...section!.matchAll(/^### (\w+)$/gmu)].map(([, heading]) => heading)
    expect(new Set(headings)).toEqual(new Set(names))
  })

  test('are rejected with an unquoted comma in a summary, a missing field or a duplicate key', () => {
    expect(invalidText).not.toBe(read(file!))
    expect(() => rulesIn(invalidText)).toThrow(/unrecognized_keys/u)
    expect(() => rulesIn(read(file!).replace('        for: 1m\n', ''))).toThrow(/for/u)
    expect(() => rulesIn(read(file!).replace('        for: 1m\n', '        for: 1m\n        for: 2m\n'))).toThrow(
      /unique/u,
    )
  })

  const { missing, by } = judgedBy('promtool')
  test.skipIf(missing)(`are accepted by ${by}`, () => {
    expect(run('promtool', 'check', 'rules', deploy + file)).toMatchObject({
      code: 0,
      text: expect.stringContaining('10 rules found'),
    })
    expect(run('promtool', 'check', 'rules', write('broken.yml', invalidText)).code).not.toBe(0)
  })
})

describe('the dashboard', () => {
  const [file] = filesMatching(/^watch\/dashboard\.json$/u)
  const source = z.strictObject({ type: z.literal('prometheus'), uid: z.literal('${source}') })
  const panel = z.strictObject({
    id: z.int(),
    type: z.literal('timeseries'),
    title: z.string().min(1),
    datasource: source,
    gridPos: z.strictObject({ h: z.int(), w: z.int(), x: z.int(), y: z.int() }),
    fieldConfig: z.strictObject({
      defaults: z.strictObject({ unit: z.string(), min: z.number() }),
      overrides: z.array(z.never()),
    }),
    targets: z
      .array(z.strictObject({ refId: z.string().regex(/^[A-Z]$/u), expr: z.string().min(1), legendFormat: z.string() }))
      .min(1),
  })
  const dashboard = z.object({
    title: z.string(),
    uid: z.string(),
    schemaVersion: z.int(),
    templating: z.strictObject({
      list: z.tuple([
        z.looseObject({ name: z.literal('source'), type: z.literal('datasource'), query: z.literal('prometheus') }),
      ]),
    }),
    panels: z.array(panel).min(1),
  })
  const { panels } = dashboard.parse(JSON.parse(read(file!)))

  test('has panels with unique IDs and titles that do not overlap', () => {
    for (const key of ['id', 'title'] as const)
      expect(new Set(panels.map((each) => each[key])).size).toBe(panels.length)
    for (const { targets } of panels) expect(new Set(targets.map(({ refId }) => refId)).size).toBe(targets.length)
    const cells = panels.flatMap(({ gridPos: { h, w, x, y } }) =>
      Array.from({ length: h * w }, (_, index) => `${x + (index % w)} ${y + Math.floor(index / w)}`),
    )
    expect(new Set(cells).size).toBe(cells.length)
    expect(Math.max(...panels.map(({ gridPos: { x, w } }) => x + w))).toBeLessThanOrEqual(24)
  })

  const { missing, by } = judgedBy('promtool')
  test.skipIf(missing)(`contains only expressions that are accepted by ${by}`, () => {
    const rules = panels.flatMap(({ targets }) => targets).map(({ expr }, at) => ({ record: `panel_${at}`, expr }))
    const checked = write('panels.yml', JSON.stringify({ groups: [{ name: 'panels', rules }] }))
    expect(run('promtool', 'check', 'rules', checked)).toMatchObject({ code: 0 })
  })
})

describe('the proxy configuration', () => {
  const [file] = filesMatching(/^compose\/Caddyfile$/u)
  const { missing, by } = judgedBy('caddy')
  test.skipIf(missing)(`routes to both APIs, by ${by}`, () => {
    const adapt = (text: string) => run('caddy', 'adapt', '--config', write('Caddyfile', text))
    const { code, text } = adapt(read(file!))
    expect({ code, text }).toMatchObject({ code: 0 })
    for (const api of ['api1:4000', 'api2:4000']) expect(text).toContain(`"dial":"${api}"`)
    expect(adapt(read(file!).replace('reverse_proxy', 'reverse_prox')).code).not.toBe(0)
  })
})

describe('the compose file', () => {
  const [file] = filesMatching(/^compose\/compose\.yaml$/u)
  const condition = z.strictObject({ condition: z.enum(['service_healthy', 'service_completed_successfully']) })
  const service = z.strictObject({
    image: z.string(),
    build: z.strictObject({ context: z.string(), dockerfile: z.string() }).optional(),
    restart: z.enum(['no', 'unless-stopped']),
    read_only: z.boolean().optional(),
    user: z.string().optional(),
    cap_drop: z.tuple([z.literal('ALL')]).optional(),
    security_opt: z.array(z.string()).optional(),
    tmpfs: z.array(z.string()).optional(),
    env_file: z.array(z.string()).optional(),
    environment: z.record(z.string(), z.string()).optional(),
    secrets: z.array(z.string()).optional(),
    volumes: z.array(z.string()).optional(),
    ports: z.array(z.string()).optional(),
    command: z.array(z.string()).optional(),
    healthcheck: z
      .union([
        z.strictObject({ disable: z.literal(true) }),
        z.strictObject({ test: z.array(z.string()), interval: z.string(), retries: z.int() }),
      ])
      .optional(),
    depends_on: z.union([z.array(z.string()), z.record(z.string(), condition)]).optional(),
  })
  const compose = z.strictObject({
    'x-part': z.unknown(),
    services: z.record(z.string(), service),
    secrets: z.record(z.string(), z.strictObject({ file: z.string() })),
    volumes: z.record(z.string(), z.null()),
  })

  test('has known fields only, and refers to existing services, secrets, volumes and files', () => {
    const { services, secrets, volumes } = compose.parse(parseYaml(read(file!))[0])
    for (const each of Object.values(services)) {
      const dependencies = Array.isArray(each.depends_on) ? each.depends_on : Object.keys(each.depends_on ?? {})
      expect(dependencies.filter((name) => !(name in services))).toEqual([])
      expect((each.secrets ?? []).filter((name) => !(name in secrets))).toEqual([])
      // The operator creates tls/ and the settings file.
      const mounted = (each.volumes ?? []).map((volume) => volume.split(':')[0]!).filter((from) => from !== './tls')
      expect(mounted.filter((from) => !(from in volumes) && !existsSync(join(deploy, 'compose', from)))).toEqual([])
    }
    const built = Object.values(services).flatMap(({ build }) => build ?? [])
    expect(built).toHaveLength(5)
    const files = built.map(({ context, dockerfile }) => join(deploy, 'compose', context, dockerfile))
    expect(files.filter((path) => !existsSync(path))).toEqual([])
  })

  const commands = [['docker', 'compose'], ['docker-compose']]
  const command = commands.find(([first, ...rest]) => exists(first!) && run(first!, ...rest, 'version').code === 0)
  const { missing, by } = judgedBy('docker compose', command !== undefined)
  test.skipIf(missing)(`is accepted by ${by}`, () => {
    const [first, ...rest] = command!
    const checkCommand = (name: string, text: string) => {
      write(`${name}/trainyard.env`, '')
      write(`${name}/database-password`, 'x')
      return run(first!, ...rest, '-f', write(`${name}/compose.yaml`, text), 'config', '--quiet')
    }
    expect(checkCommand('compose', read(file!))).toMatchObject({ code: 0 })
    expect(checkCommand('broken', read(file!).replace('read_only:', 'readonly:')).code).not.toBe(0)
  })
})

describe('the installation', () => {
  const [file] = filesMatching(/^compose\/install\.sh$/u)
  const { missing, by } = judgedBy('shellcheck')
  test.skipIf(missing)(`is accepted by ${by}; install.test.ts runs it`, () => {
    expect(run('shellcheck', deploy + file)).toEqual({ code: 0, text: '' })
  })

  test('has images of the version of the package', () => {
    const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { version: string }
    const image = `localhost/trainyard:${version}`
    for (const named of ['compose/install.sh', 'compose/compose.yaml']) expect(read(named)).toContain(image)
    expect(read('Containerfile')).toContain(`ARG VERSION=${version}\n`)
    expect(read('helm/trainyard/values.yaml')).toContain(`tag: ${version}\n`)
  })
})

test.each(filesMatching(/^[a-z-]+\.mjs$/u))('%s is accepted by Node; kubernetes.test.ts runs it', (file) => {
  expect(run(process.execPath, '--check', deploy + file)).toEqual({ code: 0, text: '' })
})

describe('the Helm chart', () => {
  const [metadata] = filesMatching(/^helm\/trainyard\/Chart\.yaml$/u)
  const [defaults] = filesMatching(/^helm\/trainyard\/values\.yaml$/u)
  const templates = filesMatching(/^helm\/trainyard\/templates\/.*\.yaml$/u)
  type Named = { readonly kind: string; readonly metadata: { readonly name: string } }
  const values = parseYaml(read(defaults!))[0] as Values
  const renderedObjects = (chartValues: Values) => renderChart(chartValues) as Named[]
  const nameOf = ({ kind, metadata: { name } }: Named): string => `${kind} ${name}`

  test('has the version of the package', () => {
    const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { version: string }
    expect(parseYaml(read(metadata!))[0]).toMatchObject({
      apiVersion: 'v2',
      name: 'trainyard',
      version,
      appVersion: version,
    })
  })

  test('renders with its default values; kubernetes.test.ts compares the objects with the schemas', () => {
    const names = renderedObjects(values).map(nameOf)
    expect(templates).toHaveLength(6)
    expect(new Set(names).size).toBe(names.length)
    expect(names.length).toBeGreaterThan(8)
  })

  test('renders other values', () => {
    const objects = renderedObjects({
      ...values,
      image: { repository: 'r.test/t', tag: '1', pullSecrets: [{ name: 'pull' }] },
      ingress: { className: 'nginx', namespace: 'edge' },
      settings: { TRUSTED_PROXIES: '10.1.0.0/16', LOG_LEVEL: 'info' },
    })
    const written = JSON.stringify(objects)
    expect(written).toContain('"imagePullSecrets":[{"name":"pull"}]')
    expect(written).toContain('"image":"r.test/t:1"')
    expect(written).toContain('"ingressClassName":"nginx"')
    expect(written).toContain('"kubernetes.io/metadata.name":"edge"')
    expect(written).toContain('"TRUSTED_PROXIES":"10.1.0.0/16","LOG_LEVEL":"info"')
  })

  test('replaces the pods when the settings change, and only then', () => {
    const podsOf = (chartValues: Values) =>
      renderedObjects(chartValues)
        .filter(({ kind }) => kind === 'Deployment')
        .map((each) => z.object({ spec: z.object({ template: z.unknown() }) }).parse(each).spec.template)
    const changed = podsOf({ ...values, settings: { LOG_LEVEL: 'debug' } })
    const before = podsOf(values)
    expect(before).toHaveLength(2)
    for (const [index, pods] of before.entries()) expect(changed[index]).not.toEqual(pods)
    expect(podsOf({ ...values, api: { ...(values['api'] as Values), maxReplicas: 7 } })).toEqual(before)
  })

  const { missing, by } = judgedBy('helm')
  test.skipIf(missing)(`is accepted by ${by}`, () => {
    expect(run('helm', 'lint', `${deploy}helm/trainyard`)).toMatchObject({ code: 0 })
    const { code, text } = run('helm', 'template', 'trainyard', `${deploy}helm/trainyard`)
    expect(code).toBe(0)
    expect((parseYaml(text) as Named[]).map(nameOf).toSorted()).toEqual(renderedObjects(values).map(nameOf).toSorted())
  })
})

const [containerfile] = filesMatching(/^Containerfile$/u)
test('the Containerfile has known instructions, and removes and starts existing files', () => {
  const lines = read(containerfile!)
    .replaceAll(/^#.*\n/gmu, '')
    .replaceAll(/\\\n\s*/gu, '')
    .split('\n')
    .filter((line) => line !== '')
  const KNOWN_INSTRUCTIONS =
    /^(?:ARG|FROM|LABEL|WORKDIR|COPY|RUN|ENV|USER|VOLUME|EXPOSE|HEALTHCHECK|ENTRYPOINT|CMD) \S/u
  expect(lines.filter((line) => !KNOWN_INSTRUCTIONS.test(line))).toEqual([])
  const lists = lines
    .flatMap((line) => /(?:CMD|ENTRYPOINT) (\[.*\])$/u.exec(line)?.[1] ?? [])
    .map((text) => JSON.parse(text) as string[])
  expect(lists).toHaveLength(4)
  const started = lists.flat().filter((argument) => argument.includes('/'))
  expect(started).toEqual(['deploy/alive.mjs', 'apps/server/main.ts'])
  expect(started.filter((path) => !existsSync(root + path))).toEqual([])
  const removed = [...lines.join('\n').matchAll(/rm -rf ([^&\n]*)/gu)].flatMap(([, paths]) => paths!.trim().split(' '))
  expect(removed.length).toBeGreaterThan(4)
  expect(removed.filter((path) => !existsSync(root + path))).toEqual([])
})

const [example] = filesMatching(/^trainyard\.env\.example$/u)
test('the example settings are lines of known variables', () => {
  const names = Object.keys(parseEnv(read(example!)))
  const other = read(example!)
    .split('\n')
    .filter((line) => !/^(?:#.*|[A-Z_]+=.*)?$/u.test(line))
  expect(other).toEqual([])
  const declared = globSync('{platform,core/*,addons/*}/server/**/environment.ts', { cwd: root }).map((file) =>
    readFileSync(root + file, 'utf8'),
  )
  expect(names.filter((name) => !declared.some((text) => text.includes(`\n  ${name}: `)))).toEqual([])
})

// docs.test.ts checks its links.
filesMatching(/^release\.md$/u)

test('every file under deploy/ is checked by a test above', () => {
  expect([...unchecked]).toEqual([])
})
