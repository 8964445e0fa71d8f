import { get } from 'node:http'
import { connectHostOf } from './ports.ts'

const PATIENCE = 4_000

export function isUp({ host, port }: { readonly host: string; readonly port: number }): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get(
      { host: connectHostOf(host), port, path: '/api/health', agent: false, timeout: PATIENCE },
      (reply) => {
        reply.resume()
        resolve(reply.statusCode === 200)
      },
    )
    request.on('timeout', () => request.destroy())
    request.on('error', () => resolve(false))
  })
}
