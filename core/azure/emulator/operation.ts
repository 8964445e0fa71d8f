import type { Directory } from './directory.ts'

export interface GraphOperation {
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  /** Required application permission. Default: `User.ReadWrite.All`. */
  readonly permission?: string
  handle(call: GraphCall): GraphAnswer
}

export interface GraphCall {
  readonly directory: Directory
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly path: string
  readonly body: unknown
  readonly now: number
  /** Seconds until reads show the objects that this call creates. */
  readonly visibleAfterSeconds: number
}

export interface GraphAnswer {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export const serviceUrl = 'https://graph.microsoft.com/v1.0'

/** Application of the portal in the directory. */
export const portalApp = '00000000-0000-4000-8000-000000000003'
