/** Time to create a Linux machine at Azure, in seconds: the median of the recordings. */
const SECONDS_AT_AZURE = 77

export function emulatorSpeed(latency: number): string {
  if (latency === 0) return 'The cloud is emulated, without delays.'
  const seconds = Math.round(SECONDS_AT_AZURE * latency)
  const pace = latency === 1 ? "at Azure's own speed" : `${Number((1 / latency).toPrecision(2))} times as fast as Azure`
  return `The cloud is emulated, ${pace}: a Linux machine starts in about ${seconds} s.`
}
