/** An error whose message can be shown to the user. */
export class ShownError extends Error {}

/** A failed call. Status 0 means that no reply arrived. */
export class ApiError extends ShownError {
  override name = 'ApiError'
  readonly status: number
  readonly code: string
  /** Delay requested by the server's Retry-After, in seconds. */
  readonly retryAfter: number | null

  /** ID that the operator can search for in the log; null without a reply of the portal. */
  readonly requestId: string | null

  /** Body of the refusal, with the fields that the call adds to it; null without one. */
  readonly reply: unknown

  constructor(
    message: string,
    status: number,
    code: string,
    retryAfter: number | null = null,
    requestId: string | null = null,
    reply: unknown = null,
  ) {
    super(message)
    this.status = status
    this.code = code
    this.retryAfter = retryAfter
    this.requestId = requestId
    this.reply = reply
  }
}

export const requestIdOf = (error: unknown): string | null => (error instanceof ApiError ? error.requestId : null)

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Codes of failures without a sentence from the server. */
const SILENT = new Set(['unreachable', 'unknown'])

/** Returns the server's message for a failure. Without one, returns `fallback`, a sentence of the error catalogue. */
export const sentenceOf = (error: Error, fallback: string): string =>
  error instanceof ApiError && !SILENT.has(error.code) ? error.message : fallback
