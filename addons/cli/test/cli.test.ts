import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { afterAll, expect, test } from 'vitest'
import { run } from '../cli/program.ts'
import { SCOPE_NAMES } from '@trainyard/platform/contract/scope.ts'
import { send } from '@trainyard/platform/test/caller.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { until } from '@trainyard/platform/test/until.ts'

const DESCRIPTION = fileURLToPath(new URL('../../../docs/openapi.json', import.meta.url))
const MAIN = fileURLToPath(new URL('../cli/main.ts', import.meta.url))
const execute = promisify(execFile)
const hasSsh = await execute('ssh', ['-V']).then(
  () => true,
  () => false,
)

const env = await sharedEnvironment()
await env.worker()
const acme = await env.organisation('Acme')
await env.signIn('admin', 'admin@acme.test', acme)
const { url, token } = await env.credentials('admin@acme.test')
const portal = new URL(url).origin
const { body: created } = await send(
  'POST',
  `${url}/user/keys`,
  { name: 'Command line', kind: 'personal', scopes: SCOPE_NAMES, days: 1, networks: [] },
  { authorization: `Bearer ${token}` },
)
const { key } = created as { key: string }
const [template] = await env.db.selectFrom('template').select('name').execute()

const folder = mkdtempSync(join(tmpdir(), 'trainyard-cli-'))
afterAll(() => rmSync(folder, { recursive: true }))

interface Operation {
  readonly operationId: string
  readonly parameters?: readonly { readonly name: string; readonly in: string }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> }
  readonly responses: Readonly<Record<string, object>>
}
const description = JSON.parse(readFileSync(DESCRIPTION, 'utf8')) as {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, object>; responses: Record<string, unknown> }
}
const usedOperations = new Set<string>()
const deviations: string[] = []

/**
 * Returns the description with objects that refuse further fields. The original allows them, so that the API can grow.
 */
function closed<T>(part: T): T {
  if (Array.isArray(part)) return part.map(closed) as T
  if (typeof part !== 'object' || part === null) return part
  const entries = Object.entries(part).map(([name, value]) => [name, closed(value)] as const)
  const isOpen = 'properties' in part && !('additionalProperties' in part)
  return Object.fromEntries(isOpen ? [...entries, ['additionalProperties', false]] : entries) as T
}
const ajv = new Ajv2020({ strict: false, validateFormats: false })
ajv.addSchema({ $id: 'description', components: closed(description.components) })
const validators = new Map<string, ValidateFunction>()
const validatorOf = (name: string): ValidateFunction => {
  const known = validators.get(name)
  if (known !== undefined) return known
  const compiled = ajv.compile({ $ref: `description#/components/schemas/${name}` })
  validators.set(name, compiled)
  return compiled
}

/** Compares each request and reply with the description, like a validating proxy. */
const validatingFetch: typeof fetch = async (input, init) => {
  const request = input as Request
  const { pathname, searchParams } = new URL(request.url)
  const operation = description.paths[pathname]?.[request.method.toLowerCase()]
  const body = request.body === null ? undefined : ((await request.clone().json()) as unknown)
  const reply = await fetch(request, init)
  if (operation === undefined) {
    deviations.push(`${request.method} ${pathname} is not described`)
    return reply
  }
  const { operationId, parameters = [], responses } = operation
  usedOperations.add(operationId)
  const name = operationId[0]!.toUpperCase() + operationId.slice(1)
  const declared = new Set(parameters.filter((each) => each.in === 'query').map((each) => each.name))
  for (const parameter of searchParams.keys())
    if (!declared.has(parameter)) deviations.push(`${operationId}: ?${parameter}`)
  const check = (schema: string, value: unknown) => {
    const validate = validatorOf(schema)
    if (!validate(value)) deviations.push(`${schema}: ${ajv.errorsText(validate.errors)}`)
  }
  if (body !== undefined) check(`${name}Request`, body)
  if (responses[reply.status] === undefined) deviations.push(`${operationId}: status ${reply.status}`)
  else if (reply.headers.get('content-type')?.startsWith('application/json') === true) {
    check(reply.ok ? `${name}Reply` : 'Problem', await reply.clone().json())
  }
  return reply
}

interface Result {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

async function trainyard(...args: string[]): Promise<Result> {
  const written = { stdout: '', stderr: '' }
  const code = await run(args, {
    env: { XDG_CONFIG_HOME: folder },
    stdin: Readable.from([`${key}\n`]),
    stdout: { write: (text) => (written.stdout += text) },
    stderr: { write: (text) => (written.stderr += text) },
    fetch: validatingFetch,
  })
  return { code, ...written }
}
/** Returns the JSON that a command writes. */
async function result<T>(...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await trainyard(...args, '--json')
  expect([code, stderr]).toEqual([0, expect.any(String)])
  return JSON.parse(stdout) as T
}

const TRAINING = 'Python for beginners'
const file = join(folder, 'training.yaml')
const write = (overrides: string) =>
  writeFileSync(
    file,
    `training: ${TRAINING}
template: ${template!.name}
hours: 40
learners:
  - one@acme.test
  - { email: two@acme.test, name: Ravi Kumar }
ports: [8080]
${overrides}`,
  )
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const SESSION = `{ days: [mon, thu], from: ${inDays(30)}, until: ${inDays(50)}, start: "09:00", stop: "12:00" }`

test('login stores a key that only the user can read', async () => {
  const { code, stderr } = await trainyard('login', '--url', portal)
  expect([code, stderr]).toEqual([0, expect.stringContaining(`Logged in to ${portal} as admin@acme.test`)])
  expect(statSync(join(folder, 'trainyard/config.json')).mode & 0o777).toBe(0o600)
  expect(await result('whoami')).toMatchObject({ email: 'admin@acme.test', organization: 'Acme' })
})

test('apply shows the changes, makes them, and then finds no further changes', async () => {
  write(`sessions: [${SESSION}]`)
  const planned = await trainyard('apply', '-f', file, '--dry-run')
  expect([planned.code, planned.stdout.match(/^ {2}[+-] \w+/gm)]).toEqual([6, ['  + order', '  + open', '  + plan']])
  expect(planned.stdout).toContain('per hour while all run, with ₹5.00 each for access in the browser\n')
  expect((await trainyard('apply', '-f', file)).code).toBe(2)
  expect(await result('trainings', 'list')).toEqual([])

  expect((await trainyard('apply', '-f', file, '--yes', '--wait')).code).toBe(0)
  const machines = await result<{ email: string; status: string }[]>('machines', 'list', TRAINING)
  expect(machines.map(({ email, status }) => `${email} ${status}`).toSorted()).toEqual([
    'one@acme.test Running',
    'two@acme.test Running',
  ])
  expect(await trainyard('apply', '-f', file, '--dry-run')).toMatchObject({
    code: 0,
    stdout: `${TRAINING}\n  nothing to change\n`,
  })
})

test('apply cancels a session only with --prune', async () => {
  write('sessions: []')
  const dryRun = await trainyard('apply', '-f', file, '--dry-run')
  expect([dryRun.code, dryRun.stdout]).toEqual([0, expect.not.stringContaining('cancel session')])
  write(`sessions: [${SESSION.replace('09:00', '10:00')}]`)
  const { differences } = await (async () => {
    const { code, stdout } = await trainyard('apply', '-f', file, '--dry-run', '--prune', '--json')
    expect(code).toBe(6)
    return JSON.parse(stdout) as { differences: number }
  })()
  expect(differences).toBe(2)
  expect((await trainyard('apply', '-f', file, '--prune', '--yes')).code).toBe(0)
  expect((await trainyard('apply', '-f', file, '--dry-run', '--prune')).code).toBe(0)
})

test(
  'machines are stopped, started and reset, and the class, the usage and the invoices are read',
  { tags: ['storm'] },
  async () => {
    const [{ name } = { name: '' }] = await result<{ name: string }[]>('machines', 'list', TRAINING)
    expect(await result('machines', 'stop', name, '--wait')).toMatchObject({ machines: [name] })
    expect((await trainyard('machines', 'stop', name)).code).toBe(1)
    expect(await result('machines', 'start', name, '--training', TRAINING, '--wait')).toMatchObject({
      machines: [name],
    })
    expect((await trainyard('machines', 'reset', name)).code).toBe(2)
    expect(await result('machines', 'reset', name, '--yes', '--wait')).toMatchObject({ machines: [name] })
    expect(await result('machines', 'restart', '--all', '--training', TRAINING, '--wait')).toBeDefined()
    expect((await trainyard('machines', 'stop', 'absent')).code).toBe(4)

    expect((await trainyard('class', TRAINING)).stdout).toContain('Ravi Kumar')
    expect([...usedOperations]).toContain('getClass')
    expect((await trainyard('class', 'announce', TRAINING, 'We continue at ten.')).code).toBe(0)
    expect((await trainyard('class', 'stop', TRAINING, '--idle', '30')).code).toBe(0)
    expect(await result<{ days: unknown[] }>('usage', TRAINING)).toHaveProperty('days')
    expect((await trainyard('usage', TRAINING, '--machines')).stdout).toContain('one@acme.test')
    expect(await result('invoices', 'list')).toEqual([])
    expect((await trainyard('invoices', 'download', 'INV/1')).code).toBe(4)
    expect((await result<{ name: string }[]>('templates', 'list')).map((each) => each.name)).toContain(template!.name)
  },
)

test('a further learner is ordered', async () => {
  const options = ['--template', template!.name, '--learners', 'three@acme.test', '--hours', '1.5', '--yes']
  const ordered = await trainyard('order', TRAINING, ...options, '--wait')
  expect(ordered.code).toBe(0)
  const machines = await result<{ email: string; quota: { total: number } }[]>('machines', 'list', TRAINING)
  expect(machines.find(({ email }) => email === 'three@acme.test')!.quota.total).toBe(90)
  expect(
    (await trainyard('order', TRAINING, '--template', 'absent', '--learners', 'four@acme.test', '--yes')).code,
  ).toBe(4)
})

test('a guide is refused with its lines, proven with its faults, and published once it is proven', async () => {
  const guide = join(folder, 'first-steps')
  cpSync(fileURLToPath(new URL('../../guides/examples/first-steps/', import.meta.url)), guide, { recursive: true })
  const yaml = join(guide, 'guide.yaml')
  const good = readFileSync(yaml, 'utf8')
  writeFileSync(yaml, good.replace('minutes: 10', 'minutes: ten'))
  const wrong = await trainyard('guides', 'prove', guide, '--template', template!.name)
  expect(wrong).toMatchObject({ code: 1, stdout: `${yaml}:7: error: minutes: The value must be a number.\n` })
  writeFileSync(yaml, good)

  const check = join(guide, 'checks/hello.sh')
  const goodCheck = readFileSync(check, 'utf8')
  writeFileSync(check, '#!/bin/sh\necho Fine.\n')
  const faulty = await trainyard('guides', 'prove', guide, '--template', template!.name)
  expect(faulty).toMatchObject({ code: 1, stdout: 'note/note/hello: never-red (exit status 0): Fine.\n' })
  expect((await trainyard('guides', 'publish', guide)).stderr).toContain('is not proven')

  writeFileSync(check, goodCheck)
  const proof = await result<{ state: string; number: number }>('guides', 'prove', guide, '--template', template!.name)
  expect(proof).toMatchObject({ state: 'proven', number: 2 })
  expect(await result('guides', 'publish', guide)).toMatchObject({ guide: 'first-steps', number: 2 })
  expect((await trainyard('guides', 'publish', guide, '--reason', 'Again')).code).toBe(1)
})

test.skipIf(!hasSsh)('ssh runs a command through the portal (needs ssh)', { tags: ['storm'] }, async () => {
  const machine = await until(
    'the host key is recorded',
    () =>
      env.db
        .selectFrom('machine')
        .select(['name', 'host_key'])
        .where('email', '=', 'three@acme.test')
        .executeTakeFirstOrThrow(),
    ({ host_key }) => host_key !== null,
  )
  const list = await send('GET', `${url}/azure/machines?trainingName=${encodeURIComponent(TRAINING)}`, undefined, {
    authorization: `Bearer ${token}`,
  })
  const { adminPass } = (list.body as { name: string; adminPass: string }[]).find(({ name }) => name === machine.name)!
  const askpass = join(folder, 'askpass')
  writeFileSync(askpass, `#!/bin/sh\necho '${adminPass}'\n`, { mode: 0o700 })
  const sshEnv = { ...process.env, XDG_CONFIG_HOME: folder, SSH_ASKPASS: askpass, SSH_ASKPASS_REQUIRE: 'force' }
  const { stdout } = await execute(process.execPath, [MAIN, 'ssh', machine.name, '--', 'whoami'], { env: sshEnv })
  expect(stdout.trim()).toBe('learner')
})

test('every request and reply conforms to docs/openapi.json', () => {
  expect(deviations).toEqual([])
  expect([...usedOperations]).toEqual(
    expect.arrayContaining(['getKey', 'createOrder', 'createClassSession', 'deleteClassSession', 'openPort']),
  )
  expect(env.bugs).toEqual([])
})
