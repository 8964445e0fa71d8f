import type { Socket } from 'node:net'
import ssh2, { type Connection } from 'ssh2'
import type { Computers } from '#src/ssh/computers.ts'
import { followMachine } from '#src/ssh/follow.ts'
import type { HostKeys } from '#src/ssh/host-keys.ts'
import { type Inhabitant, mayLogIn } from '#src/ssh/inhabitants.ts'
import { serveSession } from '#src/ssh/login.ts'

/** A connection that says nothing useful for this long is cut. */
const LOGIN_MS = 20_000
const MOST_ATTEMPTS = 6

/** A machine's own SSH server, for one connection. */
export function serveSsh(
  socket: Socket,
  inhabitant: Inhabitant,
  { computers, keys }: { readonly computers: Computers; readonly keys: HostKeys },
): void {
  const { uid } = inhabitant.machine
  const server = new ssh2.Server({ hostKeys: [keys.of(uid)], ident: 'emulated' }, (connection) =>
    greet(connection, inhabitant, computers, socket),
  )
  followMachine(socket, uid, computers)
  const impatience = setTimeout(() => socket.destroy(), LOGIN_MS)
  socket.on('ready for sessions', () => clearTimeout(impatience))
  socket.on('close', () => clearTimeout(impatience))
  server.injectSocket(socket)
}

function greet(connection: Connection, inhabitant: Inhabitant, computers: Computers, socket: Socket): void {
  let attempts = 0
  connection.on('error', () => socket.destroy())
  connection.on('authentication', (asked) => {
    attempts += 1
    if (attempts > MOST_ATTEMPTS) socket.destroy()
    else if (asked.method === 'password' && mayLogIn(inhabitant, asked.username, asked.password)) asked.accept()
    else asked.reject(['password'])
  })
  connection.on('ready', () => {
    socket.emit('ready for sessions')
    connection.on('session', (accept) => serveSession(accept(), computers.inside(inhabitant)))
  })
}
