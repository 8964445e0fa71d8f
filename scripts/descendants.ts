import { readdirSync, readFileSync } from 'node:fs'

/** Returns the IDs of all running descendants of a process. Linux only: reads /proc. */
export function descendantsOf(pid: number): number[] {
  const children = new Map<number, number[]>()
  for (const name of process.platform === 'linux' ? readdirSync('/proc') : []) {
    const parent = /^[0-9]+$/.test(name) ? parentOf(name) : null
    if (parent !== null) children.set(parent, [...(children.get(parent) ?? []), Number(name)])
  }
  const descendantsBelow = (one: number): number[] =>
    (children.get(one) ?? []).flatMap((child) => [child, ...descendantsBelow(child)])
  return descendantsBelow(pid)
}

function parentOf(pid: string): number | null {
  try {
    // The process name is in parentheses and may contain any character.
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')[1])
  } catch {
    return null
  }
}
