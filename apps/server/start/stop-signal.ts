/** Returns a signal that aborts when the process is asked to end. */
export function stopSignal(): AbortSignal {
  const control = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => control.abort())
  return control.signal
}
