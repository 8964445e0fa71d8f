import type { Directory } from '#src/graph/directory.ts'

/** One call of Microsoft Graph's published interface, by the name it has there (operationId). */
export interface GraphOperation {
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Below `/v1.0`. */
  readonly path: string
  /** The application permission that it takes; `User.ReadWrite.All` when left out. */
  readonly permission?: string
  handle(call: GraphCall): GraphAnswer
}

export interface GraphCall {
  readonly directory: Directory
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly path: string
  readonly body: unknown
  /** The emulator's clock, in milliseconds. */
  readonly now: number
  /** Seconds until those who read see what this call makes. */
  readonly seenAfter: number
}

export interface GraphAnswer {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export const service = 'https://graph.microsoft.com/v1.0'
