import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { fileURLToPath } from 'node:url'
import type { Machine } from '@trainyard/machines/contract/machine.ts'
import { freePort } from '@trainyard/platform/test/ports.ts'
import { table } from './figures.ts'
import { Podman, servicesIn } from './layout/podman.ts'
import { killEachPart, type KillOptions } from './layout/kill-each-part.ts'
import { signIn, retryUntil, type ProxyClient } from './layout/proxy-client.ts'

/** Runs the compose file's services in podman with images of Debian packages, and kills each kind of process. */
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const PROJECT = 'trainyard-layout'
const TRAINING = 'Layout'
const EMULATED = { NODE_ENV: 'production', RATE_LIMIT_FACTOR: '1000', LOG_LEVEL: 'warn' }

requirePrograms()
const folder = mkdtempSync(join(tmpdir(), 'trainyard-layout-'))
chmodSync(folder, 0o755)
const port = await freePort()
const origin = `https://localhost:${port}`
writeFiles()
const podman = new Podman(folder, PROJECT, services())
try {
  await podman.remove()
  makeImages()
  await startContainers()
  const root = await createSuperadmin()
  const admin = await addDemoData(root)
  const [, machine] = await retryUntil(async () => findRunningMachine(admin))
  const rows = await killEachPart({ podman, root, admin, machine, training: TRAINING } satisfies KillOptions)
  console.log(`Load average ${loadavg()[0]!.toFixed(1)} on ${availableParallelism()} cores.`)
  console.log(
    table(
      ['killed', 'measured', 's', 'limit'],
      rows.map(({ cells }) => cells),
    ),
  )
  if (rows.some(({ isWithinLimit }) => !isWithinLimit)) process.exitCode = 1
} catch (error) {
  console.error(error)
  for (const name of Object.keys(services())) console.error(`${name}: ${await podman.logs(name).catch(() => '')}`)
  process.exitCode = 1
} finally {
  await podman.remove()
  rmSync(folder, { recursive: true, force: true })
}

function requirePrograms(): void {
  const missing = ['podman', 'buildah', 'runc', 'debootstrap', 'openssl'].filter((name) => {
    try {
      execFileSync('which', [name], { stdio: 'ignore' })
      return false
    } catch {
      return true
    }
  })
  if (missing.length === 0 && process.getuid?.() === 0) return
  const packages = 'podman buildah runc debootstrap openssl iptables containernetworking-plugins'
  console.error(
    `This benchmark needs root${missing.length === 0 ? '' : ` and ${missing.join(', ')}`}: apt-get install ${packages}`,
  )
  process.exit(1)
}

function writeFiles(): void {
  cpSync(join(ROOT, 'deploy/compose'), folder, { recursive: true })
  const password = randomBytes(18).toString('base64url')
  writeFileSync(join(folder, 'database-password'), password, { mode: 0o600 })
  const settings = {
    ...EMULATED,
    PUBLIC_URL: origin,
    DATABASE_URL: `postgres://trainyard:${password}@database:5432/trainyard`,
    SECRET_KEYS: `layout:${randomBytes(32).toString('base64')}`,
    AUDIT_SIGNING_KEY: execFileSync('openssl', ['genpkey', '-algorithm', 'ed25519', '-outform', 'DER']).toString(
      'base64',
    ),
    TRUSTED_PROXIES: 'loopback,uniquelocal',
    METRICS_PORT: '9400',
    EMULATOR_LATENCY: '0.1',
  }
  writeFileSync(
    join(folder, 'trainyard.env'),
    Object.entries(settings)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  )
  mkdirSync(join(folder, 'tls'))
  const tlsFile = (name: string) => join(folder, 'tls', name)
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '2',
      '-subj',
      '/CN=localhost',
      '-addext',
      'subjectAltName=DNS:localhost',
      '-keyout',
      tlsFile('privkey.pem'),
      '-out',
      tlsFile('fullchain.pem'),
    ],
    { stdio: 'ignore' },
  )
  setDefaultCACertificates([...getCACertificates(), readFileSync(tlsFile('fullchain.pem'), 'utf8')])
  cpSync(join(ROOT, 'bench/layout/forward-to-emulator.mjs'), join(folder, 'forward-to-emulator.mjs'))
}

function services() {
  const all = servicesIn(join(folder, 'compose.yaml'), {
    POSTGRES_IMAGE: 'localhost/debian-postgres',
    NGINX_IMAGE: 'localhost/debian-nginx',
    PORT: String(port),
  })
  const preload = './forward-to-emulator.mjs:/forward-to-emulator.mjs:ro'
  const forwarded = (forward: string, main: string) => ({
    entrypoint: ['node', '--import', '/forward-to-emulator.mjs', main],
    environment: { FORWARD: forward, EMULATOR_DATA: '/data/emulator' },
    volumes: [preload],
  })
  const parts = Object.entries(all).map(([name, service]) =>
    service.image === 'localhost/trainyard:latest'
      ? [name, { ...service, ...forwarded('4010 emulator 4011', 'apps/server/main.ts') }]
      : [name, service],
  )
  const emulator = { ...all['worker1']!, command: [], ...forwarded('4011 127.0.0.1 4010', 'apps/emulator/main.ts') }
  return { ...(Object.fromEntries(parts) as typeof all), emulator }
}

function makeImages(): void {
  try {
    for (const name of ['trainyard', 'debian-postgres', 'debian-nginx']) {
      execFileSync('podman', ['image', 'exists', `localhost/${name}`], { stdio: 'ignore' })
    }
  } catch {
    console.log('Building the images, which takes ten minutes. To rebuild them later: podman rmi localhost/trainyard')
    mkdirSync(join(folder, 'images'))
    execFileSync('sh', [join(ROOT, 'bench/layout/images.sh'), ROOT, join(folder, 'images')], { stdio: 'inherit' })
  }
}

async function startContainers(): Promise<void> {
  await podman.makeNetwork()
  await podman.up('emulator')
  await podman.up('database')
  await retryUntil(() => podman.exec('database', 'pg_isready', '-U', 'trainyard', '-h', '127.0.0.1'))
  await podman.up('migrate', { wait: true })
  for (const name of ['api1', 'api2', 'worker1', 'worker2', 'proxy']) await podman.up(name)
  const [ms] = await retryUntil(async () => {
    const { parts } = (await (await fetch(`${origin}/api/health`)).json()) as { parts: Record<string, string> }
    return parts['database'] === 'up' && parts['worker'] === 'up'
  })
  for (const name of ['api1', 'api2', 'worker1', 'worker2']) await retryUntil(() => podman.healthy(name))
  console.log(`All containers are healthy ${(ms / 1000).toFixed(1)} s after the start of the last one.`)
}

async function createSuperadmin(): Promise<ProxyClient> {
  const email = 'root@layout.test'
  const output = await podman.exec('api1', 'node', 'apps/server/main.ts', 'superadmin', email)
  const token = /#token=(\S+)/.exec(output)![1]!
  const password = randomBytes(12).toString('base64url')
  const reply = await fetch(`${origin}/api/user/password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify({ token, password }),
  })
  if (!reply.ok) throw new Error(`Setting the password failed: ${reply.status} ${await reply.text()}`)
  return signIn(`${origin}/api`, email, password)
}

async function addDemoData(root: ProxyClient): Promise<ProxyClient> {
  const post = async (client: ProxyClient, path: string, body: object) => {
    const { status, body: replyBody } = await client.call('POST', path, body)
    if (status !== 200) throw new Error(`POST ${path}: ${status} ${JSON.stringify(replyBody)}`)
  }
  const organization = 'Layout'
  await post(root, '/admin/organization', { organization })
  await post(root, '/admin/template', {
    name: 'Small',
    rate: 10,
    resourceGroup: 'labs',
    vmSize: 'Standard_DS1_v2',
    location: 'southindia',
    imageId: 'Canonical:0001-com-ubuntu-server-jammy:22_04-lts-gen2:latest',
    os: 'Linux',
    vnet: 'labs-net',
    licence: 'none',
    isOfficial: false,
    cpu: '1',
    memory: '3.5 GB',
    storage: '30 GB',
    disk: 'SSD',
  })
  await post(root, '/admin/assignTemplate', { organization, template: 'Small' })
  const [email, password] = ['admin@layout.test', randomBytes(12).toString('base64url')]
  await post(root, '/admin/users', { email, password, organization, userType: 'admin' })
  const admin = await signIn(`${origin}/api`, email, password)
  await post(admin, '/azure/machines', {
    templateName: 'Small',
    email: ['one@layout.test'],
    trainingName: TRAINING,
    allocatedHours: null,
    createVmCount: 1,
    guacamole: true,
  })
  return admin
}

async function findRunningMachine(admin: ProxyClient): Promise<Machine | false> {
  const { body } = await admin.call('GET', `/azure/machines?trainingName=${TRAINING}`)
  return (body as Machine[]).find(({ status, publicIp }) => status === 'Running' && publicIp !== null) ?? false
}
