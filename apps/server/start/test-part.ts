import { once } from 'node:events'
import { createServer } from 'node:http'

/** Runs as a fake child process: an HTTP server that returns its process ID. With 'never-ends' it ignores signals. */
const [port, manner] = process.argv.slice(2)
if (manner === 'wait') await once(process, 'message')
createServer((_request, response) => response.end(String(process.pid))).listen(Number(port), '127.0.0.1')
if (manner === 'never-ends') for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined)
