import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import ssh2 from 'ssh2'
import { freePort } from '@trainyard/platform/test/ports.ts'
import { removeFolder } from '@trainyard/platform/test/remove-folder.ts'

/** Debian's path of sshd. The environment variable OPENSSH_SERVER overrides it. */
const SSHD = process.env['OPENSSH_SERVER'] ?? '/usr/sbin/sshd'

/** Returns why OpenSSH cannot be run here; null if it can. Its /etc/passwd is replaced for its process only. */
export function whyNoOpenSsh(): string | null {
  if (!existsSync(SSHD)) return `${SSHD} does not exist`
  if (process.getuid?.() !== 0) return 'root is required to replace the accounts'
  try {
    execFileSync('unshare', ['--mount', 'true'], { stdio: 'ignore' })
    execFileSync('openssl', ['version'], { stdio: 'ignore' })
    return null
  } catch {
    return 'unshare and openssl are required'
  }
}

export interface OpenSsh {
  readonly port: number
  stop(): Promise<void>
}

/**
 * Starts OpenSSH with one account in a separate mount namespace, so that the accounts of this machine do not change.
 */
export async function startOpenSsh(account: string, password: string): Promise<OpenSsh> {
  const folder = mkdtempSync(join(tmpdir(), 'trainyard-sshd-'))
  chmodSync(folder, 0o755)
  const file = (name: string, text: string, mode = 0o644) => {
    writeFileSync(join(folder, name), text, { mode })
    return join(folder, name)
  }
  const port = await freePort()
  const home = join(folder, 'home')
  mkdirSync(home)
  const hash = execFileSync('openssl', ['passwd', '-6', '-stdin'], { input: password, encoding: 'utf8' }).trim()
  const users = [
    `root:x:0:0::/root:/bin/sh`,
    `sshd:x:998:998::/run/sshd:/bin/false`,
    `${account}:x:1000:1000::${home}:/bin/sh`,
  ]
  const passwd = file('passwd', `${users.join('\n')}\n`)
  const shadowFile = file('shadow', `root:*:1::::::\nsshd:*:1::::::\n${account}:${hash}:19000::::::\n`, 0o600)
  const key = file('host_key', ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 }).private, 0o600)
  const config = file(
    'sshd_config',
    `ListenAddress 127.0.0.1\nPort ${port}\nHostKey ${key}\nUsePAM no\nPidFile none\nSubsystem sftp internal-sftp\n`,
  )
  execFileSync('chown', ['-R', '1000:1000', home])
  const script = `mount --bind ${passwd} /etc/passwd && mount --bind ${shadowFile} /etc/shadow &&
    mount -t tmpfs tmpfs /run && mkdir /run/sshd && exec ${SSHD} -D -e -f ${config}`
  const child = spawn('unshare', ['--mount', '--propagation', 'private', 'sh', '-c', script], {
    stdio: ['ignore', 'ignore', 'pipe'],
    // A separate process group, so that sessions end with sshd.
    detached: true,
  })
  let log = ''
  child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()))
  while (!log.includes('Server listening')) {
    if (child.exitCode !== null) throw new Error(`OpenSSH did not start: ${log}`)
    await Promise.race([once(child.stderr, 'data'), once(child, 'exit')])
  }
  return {
    port,
    async stop() {
      const ended = once(child, 'exit')
      process.kill(-child.pid!, 'SIGKILL')
      await ended
      removeFolder(folder)
    },
  }
}

/**
 * Starts an HTTP proxy from port 22 of every machine to one port of this host. `cut` closes the proxy's connections.
 */
export async function startProxy(
  portOf: () => number | undefined,
): Promise<{ url: string; cut(): void; stop(): void }> {
  const server = createServer()
  const connections = new Set<Duplex>()
  server.on('connect', (request, client) => {
    const port = portOf()
    // A worker may also connect, because it probes each machine as soon as the machine runs.
    if (port === undefined) {
      client.on('error', () => client.destroy())
      return void client.end('HTTP/1.1 503 Service Unavailable\r\n\r\n')
    }
    connections.add(client.on('close', () => connections.delete(client)))
    const target = connect(port, '127.0.0.1')
    client.on('error', () => target.destroy()).on('close', () => target.destroy())
    target.on('error', () => client.destroy()).on('close', () => client.destroy())
    target.on('connect', () => {
      client.write(request.url!.endsWith(':22') ? 'HTTP/1.1 200 OK\r\n\r\n' : 'HTTP/1.1 403 Forbidden\r\n\r\n')
      client.pipe(target).pipe(client)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut() {
      for (const stream of connections) stream.destroy()
    },
    stop: () => server.close(),
  }
}
