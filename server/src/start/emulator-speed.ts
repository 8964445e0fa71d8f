/** Seconds that Azure takes to create a Linux machine: the median of the recordings. */
const SECONDS_AT_AZURE = 77

/** How fast the emulator is at a latency factor, for people who start the portal. */
export function emulatorSpeed(latency: number): string {
  if (latency === 0) return 'The emulator stands in for the cloud and takes no time.'
  const seconds = Math.round(SECONDS_AT_AZURE * latency)
  const pace = latency === 1 ? "at Azure's own pace" : `${Number((1 / latency).toPrecision(2))} times as fast as Azure`
  return `The emulator stands in for the cloud, ${pace}: a Linux machine comes up in about ${seconds} s.`
}
