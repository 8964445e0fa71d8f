import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { WebSocket } from 'ws'
import { dataOf, type Schemas } from '../api/client.ts'
import { EXIT, Failure } from '../failure.ts'
import type { Register, CommandContext } from '../command-context.ts'
import { quoted } from './waiting.ts'

type Grant = Schemas['ConnectMachineReply']

/**
 * Environment variable that passes the ticket to the proxy that ssh starts, so that the proxy does not request another
 * ticket.
 */
const TICKET = 'TRAINYARD_SSH_TICKET'
/** The portal accepts messages of at most 64 kB. */
const CHUNK_BYTES = 32 * 1024
const BUFFERED_BYTES = 1024 * 1024
const HANDSHAKE_MS = 30_000

export const registerSsh: Register = (command, inContext) => {
  command
    .command('ssh')
    .description("Open a shell on a running Linux machine, or run a command there, through the portal's gateway")
    .argument('<machine>', 'name of the machine')
    .argument('[command...]', 'arguments for ssh, after --')
    .action(inContext(ssh))
}

export const registerProxy: Register = (program, inContext) => {
  program
    .command('proxy')
    .description("Connect standard input and output with a machine's SSH server, for ProxyCommand of ssh and scp")
    .argument('<machine>', 'name of the machine')
    .action(inContext(proxy))
}

const grantFor = (context: CommandContext, vmName: string): Promise<Grant> =>
  dataOf(context.client.POST('/api/remote/ssh', { body: { vmName } }))

/** Returns the arguments of ssh. The host key comes from the portal, so the first connection is verified too. */
export function sshArguments(
  machine: string,
  { account, hostKey }: Pick<Grant, 'account' | 'hostKey'>,
  { knownHosts, program, command }: { knownHosts: string; program: readonly string[]; command: readonly string[] },
): string[] {
  const type = hostKey.split(' ')[0]!
  const algorithms = type === 'ssh-rsa' ? 'rsa-sha2-512,rsa-sha2-256' : type
  const options = {
    // ssh expands tokens that begin with a percent sign.
    ProxyCommand: [...program, 'proxy', machine].map((argument) => quoted(argument).replaceAll('%', '%%')).join(' '),
    HostKeyAlias: machine,
    HostKeyAlgorithms: algorithms,
    UserKnownHostsFile: `"${knownHosts}"`,
    GlobalKnownHostsFile: 'none',
    StrictHostKeyChecking: 'yes',
    UpdateHostKeys: 'no',
  }
  return [
    ...Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`]),
    '-l',
    account,
    '--',
    machine,
    ...command,
  ]
}

async function ssh(context: CommandContext, machine: string, command: readonly string[]): Promise<void> {
  // The name is part of a shell command (ProxyCommand).
  if (!/^[A-Za-z0-9][\w.-]*$/.test(machine)) throw new Failure(EXIT.usage, `${machine} is not the name of a machine.`)
  const grant = await grantFor(context, machine)
  const folder = mkdtempSync(join(tmpdir(), 'trainyard-'))
  try {
    const knownHosts = join(folder, 'known_hosts')
    writeFileSync(knownHosts, `${machine} ${grant.hostKey}\n`, { mode: 0o600 })
    if (context.io.stdin.isTTY === true) {
      context.out.note(`Log in with the password of ${machine}, which the portal shows in the Virtual Lab Console.`)
    }
    const program = [process.execPath, process.argv[1]!]
    const args = sshArguments(machine, grant, { knownHosts, program, command })
    const { url, key } = context.connection
    const env = {
      ...context.io.env,
      TRAINYARD_URL: url,
      TRAINYARD_API_KEY: key,
      [TICKET]: JSON.stringify(grant),
    } as NodeJS.ProcessEnv
    const code = await runSsh(args, env)
    if (code !== 0) process.exitCode = code
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function runSsh(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn('ssh', args, { stdio: 'inherit', env })
    // ssh handles Ctrl-C itself.
    const ignore = () => {}
    process.on('SIGINT', ignore)
    child.on('error', (cause) => {
      const hint = 'Install OpenSSH, or open the machine in the browser.'
      reject(new Failure(EXIT.failed, `ssh could not be started: ${cause.message}.`, { hint }))
    })
    child.on('close', (code, signal) => {
      process.off('SIGINT', ignore)
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]))
    })
  })
}

async function proxy(context: CommandContext, machine: string): Promise<void> {
  const ticketText = context.io.env[TICKET]
  const grant = ticketText === undefined ? await grantFor(context, machine) : (JSON.parse(ticketText) as Grant)
  await connect(context, machine, grant)
}

/** Connects standard input and output with the machine until one side closes. @throws Failure with the portal's reason */
function connect(context: CommandContext, machine: string, { path, ticket }: Grant): Promise<void> {
  const { url, key } = context.connection
  const { stdin, stdout } = process
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url.replace('http', 'ws') + path, {
      headers: { authorization: `Bearer ${key}` },
      perMessageDeflate: false,
      handshakeTimeout: HANDSHAKE_MS,
      followRedirects: false,
    })
    let reason: string | null = null
    const resume = () => {
      if (socket.bufferedAmount < BUFFERED_BYTES) stdin.resume()
    }
    socket.on('open', () => socket.send(JSON.stringify({ machine, ticket })))
    socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) {
        if (!stdout.write(data)) {
          socket.pause()
          stdout.once('drain', () => socket.resume())
        }
        return
      }
      const message = JSON.parse(data.toString()) as { kind: string; sentence?: string }
      if (message.kind === 'ended') reason = message.sentence ?? 'The portal closed the connection.'
      if (message.kind !== 'opened') return
      stdin.on('data', (bytes: Buffer) => {
        for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
          socket.send(bytes.subarray(at, at + CHUNK_BYTES), { binary: true }, resume)
        }
        if (socket.bufferedAmount > BUFFERED_BYTES) stdin.pause()
      })
      stdin.on('end', () => socket.close())
    })
    stdout.on('error', () => socket.close())
    socket.on('unexpected-response', (_request, reply) => {
      reject(new Failure(EXIT.unavailable, `${url} refused the connection with status ${reply.statusCode}.`))
      socket.terminate()
    })
    socket.on('error', (cause) => reject(new Failure(EXIT.unavailable, `${url}: ${cause.message}.`)))
    socket.on('close', () => {
      stdin.pause()
      if (reason === null) resolve()
      else reject(new Failure(EXIT.failed, reason))
    })
  })
}
