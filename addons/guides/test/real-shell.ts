import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import ssh2 from 'ssh2'
import { removeFolder } from '@trainyard/platform/test/remove-folder.ts'

export interface RealShell {
  readonly port: number
  /** Home directory of the account. */
  readonly home: string
  /** Ends the connections, as a restart of the machine does. */
  disconnect(): void
  /** Number of connections that logged in. */
  logins(): number
  /** Number of connections that are open. */
  connections(): number
  stop(): Promise<void>
}

type Fake = number | 'refused' | 'unanswered' | null

/**
 * Starts an SSH server that runs commands with the shell of this host, in an empty home directory. A command that leaves
 * the file `cut` there breaks the connection.
 * @param fake what every command does instead, as on a machine whose shell or SSH server was replaced: ends with a status,
 * is refused, gets no answer, or runs (null)
 */
export async function startRealShell(account: string, password: string, fake?: () => Fake): Promise<RealShell> {
  const home = join(mkdtempSync(join(tmpdir(), 'trainyard-shell-')), 'home')
  mkdirSync(home)
  let logins = 0
  const clients = new Set<ssh2.Connection>()
  const disconnect = () => clients.forEach((client) => client.end())
  const server = new ssh2.Server(
    { hostKeys: [ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 }).private] },
    (client) => {
      clients.add(client)
      client.on('close', () => clients.delete(client))
      client.on('error', () => {})
      client.on('authentication', (login) => {
        if (login.method === 'password' && login.username === account && login.password === password) login.accept()
        else login.reject(['password'])
      })
      client.on('ready', () => {
        logins += 1
        client.on('session', (accept) => {
          accept().on('exec', (acceptExec, reject, { command }) => {
            const instead = fake?.() ?? null
            if (instead === 'refused') return reject()
            if (instead === 'unanswered') return
            const channel = acceptExec()
            if (instead !== null) {
              channel.exit(instead)
              return void channel.end()
            }
            const child = spawn('/bin/sh', ['-c', command], {
              env: { HOME: home, LOGNAME: account, PATH: '/usr/bin:/bin', LEAK: 'inherited' },
              cwd: home,
            })
            channel.pipe(child.stdin).on('error', () => {})
            child.stdout.pipe(channel, { end: false })
            child.stderr.pipe(channel.stderr, { end: false })
            child.on('close', (code) => {
              if (existsSync(join(home, 'cut'))) return void client.end()
              channel.exit(code ?? 255)
              channel.end()
            })
          })
        })
      })
    },
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    home,
    disconnect,
    logins: () => logins,
    connections: () => clients.size,
    async stop() {
      server.close()
      disconnect()
      removeFolder(join(home, '..'))
    },
  }
}
