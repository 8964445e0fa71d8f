/** Codes of the system's, our own of several hosts, and of PostgreSQL's 53300, too many connections. */
const LOST_CONNECTION = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'NO_USABLE_HOST', '53300'])

/** A database that can't be reached, is starting, is stopping, or broke off: it may be back in a moment. */
export function isDatabaseLost(error: unknown): boolean {
  // The queue of jobs hands on copies of errors, which are plain objects.
  if (typeof error !== 'object' || error === null) return false
  const code = 'code' in error ? String(error.code) : ''
  if (LOST_CONNECTION.has(code) || /^(08|57P)/.test(code)) return true
  // A socket that is not there, not any file.
  if (code === 'ENOENT') return 'syscall' in error && error.syscall === 'connect'
  return (
    'message' in error &&
    /connection terminated|timeout exceeded when trying to connect|timeout expired|client has encountered a connection error/i.test(
      String(error.message),
    )
  )
}

/** PostgreSQL's disk_full, or our own disk's: it passes once somebody has made room. */
export function isDiskFull(error: unknown): boolean {
  return (
    typeof error === 'object' && error !== null && 'code' in error && ['53100', 'ENOSPC'].includes(String(error.code))
  )
}
