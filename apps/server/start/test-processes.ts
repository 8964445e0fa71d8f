import { readdirSync, readFileSync } from 'node:fs'
import { embeddedPlace } from '@trainyard/platform/server/db/embedded/place.ts'
import { recordedPid } from '@trainyard/platform/server/db/embedded/postmaster.ts'

export const PARTS = ['api', 'worker', 'emulator', 'postgres', 'supervisor'] as const
export type PartName = (typeof PARTS)[number]

const SCRIPT: Partial<Record<PartName, RegExp>> = {
  api: /server\/(main\.ts|dist\/\w+\/main\.js) api\b/,
  worker: /server\/(main\.ts|dist\/\w+\/main\.js) worker\b/,
  emulator: /emulator\/(main\.ts|dist\/\w+\/main\.js)/,
}

/** Returns the process ID of a part, or null if it is not running. Linux only: reads /proc. */
export function processOf(part: PartName, supervisor: number, dataDir: string): number | null {
  if (part === 'supervisor') return supervisor
  if (part === 'postgres') return recordedPid(embeddedPlace(dataDir).cluster)
  const found = readdirSync('/proc').find((pid) => isChild(pid, supervisor) && SCRIPT[part]!.test(commandOf(pid)))
  return found === undefined ? null : Number(found)
}

function isChild(pid: string, parent: number): boolean {
  if (!/^[0-9]+$/.test(pid)) return false
  try {
    const [, ppid] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
    return Number(ppid) === parent
  } catch {
    return false
  }
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}
