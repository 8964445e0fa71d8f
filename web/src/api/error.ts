/** A call that did not succeed. `message` is a sentence fit to show; status 0 means that no answer came. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: number
  readonly code: string
  /** Seconds the server asks to wait, where it said so. */
  readonly retryAfter: number | null

  /** Known to whoever runs the portal: its log and its spans name the same one. */
  readonly trace: string | null

  constructor(
    message: string,
    status: number,
    code: string,
    retryAfter: number | null = null,
    trace: string | null = null,
  ) {
    super(message)
    this.status = status
    this.code = code
    this.retryAfter = retryAfter
    this.trace = trace
  }
}

/** The trace of a failure, where it was a call's. */
export const traceOf = (error: unknown): string | null => (error instanceof ApiError ? error.trace : null)

/** Codes of failures in which the server said nothing itself. */
const SILENT = new Set(['unreachable', 'unknown'])

/** Returns the server's own sentence for a failure; where it gave none, the catalogue's. */
export const sentenceOf = (error: Error, otherwise: string): string =>
  error instanceof ApiError && !SILENT.has(error.code) ? error.message : otherwise
