import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface MetricsServer {
  readonly port: number
  stop(): void
}

/**
 * Serves the metrics on a port that no proxy should expose. `/live` does not collect metrics, some of which query the
 * database.
 */
export async function serveMetrics(
  at: { readonly host: string; readonly port: number },
  metrics: { text(): Promise<string>; readonly type: string },
): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    if (request.method === 'GET' && request.url === '/live') return void response.writeHead(200).end()
    if (request.method !== 'GET' || request.url !== '/metrics') return void response.writeHead(404).end()
    metrics.text().then(
      (text) => response.writeHead(200, { 'content-type': metrics.type }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  server.listen(at)
  await once(server, 'listening')
  server.unref()
  return { port: (server.address() as AddressInfo).port, stop: () => server.close() }
}
