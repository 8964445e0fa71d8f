import type { Machine } from '../contract/machine.ts'
import { givenNameFirst } from '@trainyard/platform/contract/words/person-name.ts'

/** Merges lists by `_id`. Unchanged machines remain the same objects. */
export function mergeMachines(list: readonly Machine[], changed: readonly Machine[]): Machine[] {
  const rest = new Map(changed.map((machine) => [machine._id, machine]))
  const merged = list.map((machine) => {
    const updated = rest.get(machine._id)
    rest.delete(machine._id)
    return updated ?? machine
  })
  return [...merged, ...rest.values()]
}

type OfLearner = Pick<Machine, 'email' | 'learnerName'>

/** Returns the learner's name, or the address if no name is known. */
export const learnerOf = ({ email, learnerName }: OfLearner): string =>
  learnerName === null ? email : givenNameFirst(learnerName)

/** Returns the learner's name and address, or only the address. */
export const learnerText = ({ email, learnerName }: OfLearner): string =>
  learnerName === null ? email : `${givenNameFirst(learnerName)} (${email})`

/** Returns an image's name as people write it: "Ubuntu 24.04 LTS server" for `ubuntu-24_04-lts server`. */
export const imageText = (os: string): string =>
  os
    .replaceAll(/(?<=\d)_(?=\d)/g, '.')
    .replaceAll(/[-_]/g, ' ')
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .replaceAll(/\blts\b/g, 'LTS')
    .replace(/^[a-z]/, (first) => first.toUpperCase())

export function findMachines(machines: readonly Machine[], entered: string): readonly Machine[] {
  const searchText = entered.trim().toLowerCase()
  if (searchText === '') return machines
  return machines.filter((machine) =>
    [machine.name, machine.email, machine.learnerName, machine.publicIp, machine.status, imageText(machine.os)].some(
      (text) => text?.toLowerCase().includes(searchText),
    ),
  )
}

export function chunksOf<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, part) => list.slice(part * size, (part + 1) * size))
}
