import { get } from 'node:http'

const PATIENCE = 4_000

/** Asks the API of this machine whether all parts are up. One that listens but answers otherwise is not. */
export function isUp({ host, port }: { readonly host: string; readonly port: number }): Promise<boolean> {
  const target = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return new Promise((resolve) => {
    const asked = get({ host: target, port, path: '/api/health', agent: false, timeout: PATIENCE }, (reply) => {
      reply.resume()
      resolve(reply.statusCode === 200)
    })
    asked.on('timeout', () => asked.destroy())
    asked.on('error', () => resolve(false))
  })
}
