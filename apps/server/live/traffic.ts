import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { HttpClient } from '@azure/core-rest-pipeline'
import { scrub } from './scrub.ts'

interface Exchange {
  readonly source: 'npm run live'
  readonly file: string
  readonly seq: number
  readonly method: string
  readonly path: string
  readonly requestBody: unknown
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** The traffic to Azure and Entra. AWS and Razorpay have no recordings to compare with. */
export interface Traffic {
  readonly http: (wire: HttpClient) => HttpClient
  readonly fetch: typeof fetch
  write(folder: string): string | null
}

/** Headers that are part of the protocol. Others identify machines and requests. */
const KEPT = /^(azure-asyncoperation|location|retry-after|date|content-type|x-ms-ratelimit-.*)$/

/** @param secrets texts to remove, because a provider may quote them anywhere */
export function recordTraffic(startedAt: Date, secrets: readonly string[], send: typeof fetch): Traffic {
  const file = startedAt.toISOString().replaceAll(/[:.]/g, '-')
  const exchanges: Exchange[] = []
  const note = (exchange: Pick<Exchange, 'method' | 'status' | 'headers'> & Sent) =>
    exchanges.push({
      source: 'npm run live',
      file,
      seq: exchanges.length + 1,
      method: exchange.method,
      path: pathOf(exchange.url),
      requestBody: bodyOf(exchange.sent),
      status: exchange.status,
      headers: Object.fromEntries(Object.entries(exchange.headers).filter(([name]) => KEPT.test(name))),
      body: bodyOf(exchange.received),
    })
  return {
    http: (wire) => ({
      async sendRequest(request) {
        const response = await wire.sendRequest(request)
        const { method, url, body } = request
        const { status, headers, bodyAsText } = response
        note({ method, url, sent: body, status, headers: headers.toJSON(), received: bodyAsText })
        return response
      },
    }),
    async fetch(input, init) {
      const response = await send(input, init)
      const url = input instanceof Request ? input.url : input.toString()
      const headers = Object.fromEntries(response.headers)
      const received = await response.clone().text()
      note({ method: init?.method ?? 'GET', url, sent: init?.body, status: response.status, headers, received })
      return response
    },
    write(folder) {
      if (exchanges.length === 0) return null
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      const path = join(folder, `${file}.ndjson`)
      const lines = exchanges.map((exchange) => JSON.stringify(exchange)).join('\n')
      writeFileSync(path, `${scrub(lines, secrets)}\n`, { mode: 0o600 })
      return path
    },
  }
}

interface Sent {
  readonly url: string
  readonly sent: unknown
  readonly received: unknown
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url)
  return pathname + search
}

function bodyOf(text: unknown): unknown {
  if (typeof text !== 'string' || text === '') return null
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
