import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { connect } from '@trainyard/server/src/db/client.ts'
import { embeddedPlace } from '@trainyard/server/src/db/embedded/place.ts'
import { setPortalClock } from '@trainyard/server/test/clock.ts'
import { memoryFolder } from '@trainyard/server/test/memory.ts'
import { freePort } from '@trainyard/server/test/ports.ts'
import { removeFolder } from '@trainyard/server/test/remove-folder.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const START_LIMIT = 150_000

/** A mail as the emulator keeps it. */
export interface Mail {
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string
}

/** A machine as the provider's own record has it; `billedSeconds` up to the emulator's present. */
export interface TrueMachine {
  readonly name: string
  readonly exists: boolean
  readonly power: string | null
  readonly billedSeconds: number
}

/** A security group as the provider's own record has it. */
interface TrueGroup {
  readonly properties: { readonly securityRules: readonly { properties: { destinationPortRange: string } }[] }
}

/** A lab user as the provider's own record has them. */
export interface TrueLabUser {
  readonly userPrincipalName: string
  readonly exists: boolean
  readonly canSignIn: boolean
}

/** The whole product, started as `npm start` starts it, on a data folder and ports of its own. */
export interface Portal {
  readonly url: string
  /** Its supervisor's process, and where its data is. */
  readonly pid: number
  readonly dataDir: string
  mails(): Promise<Mail[]>
  machines(): Promise<TrueMachine[]>
  /** The ports that the provider lets in to machines of trainings, each as a rule of a security group says it. */
  openPorts(): Promise<string[]>
  /** All users who ever were in the directory that Azure's lab users sign in with. */
  labUsers(): Promise<TrueLabUser[]>
  /** The names of the resource groups that exist at the provider. */
  resourceGroups(): Promise<string[]>
  /** The portal's present, as far ahead as it was set. */
  now(): Date
  /** Returns true where a running machine lets its learner in with this password. */
  letsIn(machine: string, password: string): Promise<boolean>
  /** Tells the emulator itself something: a fault, a text in DNS. */
  tellEmulator(path: string, body: object): Promise<void>
  readonly emulatorUrl: string
  /** Runs a command of the operator's, such as `superadmin EMAIL`, beside the portal; answers what it printed. */
  operate(...args: string[]): Promise<string>
  /** Sets every clock ahead: the portal's and the provider's. */
  stepAhead(seconds: number): Promise<void>
  stop(): Promise<void>
}

/** @param latency factor on the emulator's delays */
export async function startPortal(latency: number): Promise<Portal> {
  const dataDir = mkdtempSync(join(memoryFolder() ?? tmpdir(), 'trainyard-e2e-'))
  // PostgreSQL runs as another user where root runs the tests.
  chmodSync(dataDir, 0o755)
  const [port, emulatorPort, smtpPort] = [await freePort(), await freePort(), await freePort()]
  const env = {
    ...process.env,
    PORT: String(port),
    EMULATOR_PORT: String(emulatorPort),
    EMULATOR_SMTP_PORT: String(smtpPort),
    EMULATOR_LATENCY: String(latency),
    // Few people do in minutes what many do in a day.
    RATE_LIMIT_FACTOR: '1000',
    TRAINYARD_DATA: dataDir,
    LOG_LEVEL: 'warn',
  }
  const child = spawn(process.execPath, ['server/src/main.ts', 'start'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env,
  })
  const said = listen(child)
  const url = `http://127.0.0.1:${port}`
  const emulator = `http://127.0.0.1:${emulatorPort}`
  await untilHealthy(url, child, said)

  let ahead = 0
  return {
    url,
    pid: child.pid!,
    dataDir,
    mails: async () => (await truth<{ mails: Mail[] }>(emulator, 'mails')).mails,
    machines: async () => (await truth<{ machines: TrueMachine[] }>(emulator, 'machines')).machines,
    openPorts: async () =>
      (await truth<{ securityGroups: TrueGroup[] }>(emulator, 'securityGroups')).securityGroups.flatMap(
        ({ properties }) => properties.securityRules.map((rule) => rule.properties.destinationPortRange),
      ),
    labUsers: async () => (await truth<{ users: TrueLabUser[] }>(emulator, 'users')).users,
    resourceGroups: async () =>
      (await truth<{ resourceGroups: { name: string }[] }>(emulator, 'resourceGroups')).resourceGroups.map(
        ({ name }) => name,
      ),
    now: () => new Date(Date.now() + ahead * 1000),
    async letsIn(machine, password) {
      const answer = await post(`${emulator}/_machines/${machine}/sign-in`, { username: 'learner', password })
      return ((await answer.json()) as { accepted: boolean }).accepted
    },
    async tellEmulator(path, body) {
      await post(`${emulator}${path}`, body)
    },
    emulatorUrl: emulator,
    async stepAhead(seconds) {
      ahead += seconds
      // The provider first: what it has recorded must not lie in the portal's future.
      await post(`${emulator}/_clock`, { advanceSeconds: seconds })
      const owner = connect({ connectionString: embeddedPlace(dataDir).url }, { size: 1, as: 'owner' })
      try {
        await setPortalClock(owner, { ahead })
      } finally {
        await owner.destroy()
      }
    },
    async operate(...args) {
      const command = spawn(process.execPath, ['server/src/main.ts', ...args], {
        cwd: root,
        stdio: ['ignore', 'pipe', 'pipe'],
        env,
      })
      const told = listen(command)
      const [code] = (await once(command, 'close')) as [number | null]
      if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${told()}`)
      return told()
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

function listen(child: ChildProcess): () => string {
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (text += chunk.toString()))
  return () => text
}

async function untilHealthy(url: string, child: ChildProcess, said: () => string): Promise<void> {
  const end = Date.now() + START_LIMIT
  while (Date.now() < end && child.exitCode === null) {
    const answer = await fetch(`${url}/api/health`).catch(() => null)
    if (answer?.ok) return
    await pause(50)
  }
  child.kill('SIGTERM')
  throw new Error(`The portal did not come up. It said:\n${said()}`)
}

async function truth<T>(emulator: string, part: string): Promise<T> {
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
