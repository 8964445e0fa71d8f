import { connect, createServer } from 'node:net'

/**
 * Loaded before a part: the emulator is asked for on this very host, and in containers it stands on another. Beside the
 * emulator itself it lets the others in.
 */
const [port, host, far] = process.env.LEADS.split(' ')
createServer((near) => {
  const other = connect(Number(far), host)
  near.on('error', () => other.destroy()).on('close', () => other.destroy())
  other.on('error', () => near.destroy()).on('close', () => near.destroy())
  near.pipe(other).pipe(near)
})
  .listen(Number(port), host === '127.0.0.1' ? '0.0.0.0' : '127.0.0.1')
  .unref()
