import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { connect } from '@trainyard/platform/server/db/client.ts'
import { embeddedPlace } from '@trainyard/platform/server/db/embedded/place.ts'
import { setPortalClock } from '@trainyard/platform/test/clock.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { resumeTask } from '@trainyard/platform/test/tasks.ts'
import { memoryFolder } from '@trainyard/platform/test/memory.ts'
import { freePort } from '@trainyard/platform/test/ports.ts'
import { sessionOf } from '@trainyard/platform/test/session-of.ts'
import { removeFolder } from '@trainyard/platform/test/remove-folder.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const START_LIMIT = 240_000

interface Mail {
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string
}

/** Machine in the provider's own record. `billedSeconds` is counted up to the emulator's current time. */
interface MachineRecord {
  readonly name: string
  readonly exists: boolean
  readonly power: string | null
  readonly billedSeconds: number
}

interface GroupRecord {
  readonly properties: { readonly securityRules: readonly { properties: { destinationPortRange: string } }[] }
}

interface LabUserRecord {
  readonly userPrincipalName: string
  readonly exists: boolean
  readonly canSignIn: boolean
}

/** Complete product, started as with `npm start`, with its own data folder and ports. */
export interface Portal {
  readonly url: string
  /** Kills the portal without warning, and starts it again. */
  crash(): Promise<void>
  mails(): Promise<Mail[]>
  machines(): Promise<MachineRecord[]>
  /** Returns the port of each rule of the trainings' security groups at the provider. */
  openPorts(): Promise<string[]>
  /** Returns all users, deleted ones included, of the directory in which Azure's lab users sign in. */
  labUsers(): Promise<LabUserRecord[]>
  resourceGroups(): Promise<string[]>
  /** Returns the current time of the portal's clock. */
  now(): Date
  /** Returns true if a running machine accepts this password of its learner. */
  acceptsPassword(machine: string, password: string): Promise<boolean>
  /** Sends a control request to the emulator, such as a fault or a DNS text record. */
  postToEmulator(path: string, body: object): Promise<void>
  readonly emulatorUrl: string
  /** Runs an operator command, such as `superadmin EMAIL`, next to the portal. Returns its output. */
  runCommand(...args: string[]): Promise<string>
  /** Returns the token of a new session of a user. */
  sessionOf(email: string): Promise<string>
  /** Makes a background task run at once. */
  runTask(name: string): Promise<void>
  /** Advances the clocks of both the portal and the provider. */
  advanceClock(seconds: number): Promise<void>
  stop(): Promise<void>
}

/**
 * @param latency factor for the emulator's delays
 * @param settings settings of the portal that differ from the usual settings of tests, by the URL of the emulator
 */
export async function startPortal(
  latency: number,
  settings: (emulatorUrl: string) => Readonly<Record<string, string>> = () => ({}),
): Promise<Portal> {
  const dataDir = mkdtempSync(join(memoryFolder() ?? tmpdir(), 'trainyard-e2e-'))
  // If the tests run as root, PostgreSQL runs as another user.
  chmodSync(dataDir, 0o755)
  const [port, emulatorPort, smtpPort] = [await freePort(), await freePort(), await freePort()]
  const env = {
    ...process.env,
    PORT: String(port),
    EMULATOR_PORT: String(emulatorPort),
    EMULATOR_SMTP_PORT: String(smtpPort),
    EMULATOR_LATENCY: String(latency),
    // A few test users send as many requests within minutes as many real users send in a day.
    RATE_LIMIT_FACTOR: '1000',
    // The emulated LMS at another site than the portal.
    LMS_PRIVATE_ORIGINS: `http://localhost:${emulatorPort}`,
    TRAINYARD_DATA: dataDir,
    LOG_LEVEL: 'warn',
    ...settings(`http://127.0.0.1:${emulatorPort}`),
  }
  const launch = () =>
    spawn(process.execPath, ['apps/server/main.ts', 'start'], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env })
  let child = launch()
  const url = `http://127.0.0.1:${env.PORT}`
  const emulator = `http://127.0.0.1:${emulatorPort}`
  await untilHealthy(url, child)

  const asOwner = async <T>(callback: (owner: Db) => Promise<T>): Promise<T> => {
    const owner = connect({ connectionString: embeddedPlace(dataDir).url }, { size: 1, as: 'owner' })
    try {
      return await callback(owner)
    } finally {
      await owner.destroy()
    }
  }
  let offsetSeconds = 0
  return {
    url,
    async crash() {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
      child = launch()
      await untilHealthy(url, child)
    },
    mails: async () => (await fetchRecords<{ mails: Mail[] }>(emulator, 'mails')).mails,
    machines: async () => (await fetchRecords<{ machines: MachineRecord[] }>(emulator, 'machines')).machines,
    openPorts: async () =>
      (await fetchRecords<{ securityGroups: GroupRecord[] }>(emulator, 'securityGroups')).securityGroups.flatMap(
        ({ properties }) => properties.securityRules.map((rule) => rule.properties.destinationPortRange),
      ),
    labUsers: async () => (await fetchRecords<{ users: LabUserRecord[] }>(emulator, 'users')).users,
    resourceGroups: async () =>
      (await fetchRecords<{ resourceGroups: { name: string }[] }>(emulator, 'resourceGroups')).resourceGroups.map(
        ({ name }) => name,
      ),
    now: () => new Date(Date.now() + offsetSeconds * 1000),
    async acceptsPassword(machine, password) {
      const answer = await post(`${emulator}/_machines/${machine}/sign-in`, { username: 'learner', password })
      return ((await answer.json()) as { accepted: boolean }).accepted
    },
    async postToEmulator(path, body) {
      await post(`${emulator}${path}`, body)
    },
    emulatorUrl: emulator,
    async advanceClock(seconds) {
      offsetSeconds += seconds
      // Advance the provider first: its records must not lie in the future of the portal.
      await post(`${emulator}/_clock`, { advanceSeconds: seconds })
      await asOwner((owner) => setPortalClock(owner, { ahead: offsetSeconds }))
    },
    sessionOf: (email) => asOwner((owner) => sessionOf(owner, email)),
    runTask: (name) => asOwner((owner) => resumeTask(owner, name)),
    async runCommand(...args) {
      const command = spawn(process.execPath, ['apps/server/main.ts', ...args], {
        cwd: root,
        stdio: ['ignore', 'pipe', 'pipe'],
        env,
      })
      const output = collectOutput(command)
      const [code] = (await once(command, 'close')) as [number | null]
      if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${output()}`)
      return output()
    },
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit')
        child.kill('SIGTERM')
        await ended
      }
      removeFolder(dataDir)
    },
  }
}

function collectOutput(child: ChildProcess): () => string {
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (text += chunk.toString()))
  return () => text
}

async function untilHealthy(url: string, child: ChildProcess): Promise<void> {
  const output = collectOutput(child)
  const end = Date.now() + START_LIMIT
  while (Date.now() < end && child.exitCode === null) {
    // Another portal can answer at this port.
    const answer = output().includes('Trainyard is ready') ? await fetch(`${url}/api/health`).catch(() => null) : null
    if (answer?.ok) return
    await pause(50)
  }
  child.kill('SIGTERM')
  throw new Error(`The portal did not start. Output:\n${output()}`)
}

async function fetchRecords<T>(emulator: string, part: string): Promise<T> {
  const answer = await fetch(`${emulator}/_truth?part=${part}`)
  if (!answer.ok) throw new Error(`The emulator answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as T
}

async function post(url: string, body: object): Promise<Response> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`)
  return answer
}
