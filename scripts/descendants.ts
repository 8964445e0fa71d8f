import { readdirSync, readFileSync } from 'node:fs'

/** The processes that a process started, and all that those did, as they are just now. Linux alone: it reads /proc. */
export function descendantsOf(pid: number): number[] {
  const children = new Map<number, number[]>()
  for (const name of process.platform === 'linux' ? readdirSync('/proc') : []) {
    const parent = /^[0-9]+$/.test(name) ? parentOf(name) : null
    if (parent !== null) children.set(parent, [...(children.get(parent) ?? []), Number(name)])
  }
  const below = (one: number): number[] => (children.get(one) ?? []).flatMap((child) => [child, ...below(child)])
  return below(pid)
}

function parentOf(pid: string): number | null {
  try {
    // The name, which stands in parentheses, may hold anything.
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')[1])
  } catch {
    return null
  }
}
