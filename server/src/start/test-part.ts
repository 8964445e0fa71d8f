import { once } from 'node:events'
import { createServer } from 'node:http'

/** A stand-in for a part: answers with its process's number, and does not end when asked if told so. */
const [port, manner] = process.argv.slice(2)
if (manner === 'wait') await once(process, 'message')
createServer((_request, response) => response.end(String(process.pid))).listen(Number(port), '127.0.0.1')
if (manner === 'never-ends') for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined)
