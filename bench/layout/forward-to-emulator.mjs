import { connect, createServer } from 'node:net'

/**
 * Preloaded into each container. The portal expects the emulator on its own host, so this script
 * forwards local connections to the emulator's container. In that container it accepts connections from other
 * containers.
 */
const [port, host, targetPort] = process.env.FORWARD.split(' ')
createServer((client) => {
  const target = connect(Number(targetPort), host)
  client.on('error', () => target.destroy()).on('close', () => target.destroy())
  target.on('error', () => client.destroy()).on('close', () => client.destroy())
  client.pipe(target).pipe(client)
})
  .listen(Number(port), host === '127.0.0.1' ? '0.0.0.0' : '127.0.0.1')
  .unref()
