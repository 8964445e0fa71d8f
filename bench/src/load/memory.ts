import { readFileSync } from 'node:fs'

/** Megabytes that a process holds. */
export function memoryOf(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!
  return Math.round(Number(kilobytes) / 1_024)
}
