import type { Socket } from 'node:net'
import ssh2, { type Connection } from 'ssh2'
import type { Computers } from './computers.ts'
import { disconnectOnStop } from './disconnect-on-stop.ts'
import type { HostKeys } from './host-keys.ts'
import { type ReachableMachine, acceptsLogin } from '@trainyard/azure/emulator/network/reachable-machine.ts'
import { serveSession } from './ssh-session.ts'

const LOGIN_MS = 20_000
const MAX_ATTEMPTS = 6

export function serveSsh(
  socket: Socket,
  reachable: ReachableMachine,
  { computers, keys }: { readonly computers: Computers; readonly keys: HostKeys },
): void {
  const { uid } = reachable.machine
  const server = new ssh2.Server({ hostKeys: [keys.get(uid)], ident: 'emulated' }, (connection) =>
    handleConnection(connection, reachable, computers, socket),
  )
  disconnectOnStop(socket, uid, computers)
  const loginTimeout = setTimeout(() => socket.destroy(), LOGIN_MS)
  socket.on('ready for sessions', () => clearTimeout(loginTimeout))
  socket.on('close', () => clearTimeout(loginTimeout))
  server.injectSocket(socket)
}

function handleConnection(
  connection: Connection,
  reachable: ReachableMachine,
  computers: Computers,
  socket: Socket,
): void {
  let attempts = 0
  connection.on('error', () => socket.destroy())
  connection.on('authentication', (requested) => {
    attempts += 1
    if (attempts > MAX_ATTEMPTS) socket.destroy()
    else if (requested.method === 'password' && acceptsLogin(reachable, requested.username, requested.password))
      requested.accept()
    else requested.reject(['password'])
  })
  connection.on('ready', () => {
    socket.emit('ready for sessions')
    connection.on('session', (accept) => serveSession(accept(), computers.computerOf(reachable)))
  })
}
