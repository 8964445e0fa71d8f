import { randomInt } from 'node:crypto'

/** Not one of the names that Azure forbids. */
export const ADMIN_USERNAME = 'learner'

// Excludes characters that look alike, and those that shells or other keyboard layouts mishandle.
const CLASSES = ['abcdefghijkmnpqrstuvwxyz', 'ABCDEFGHJKLMNPQRSTUVWXYZ', '23456789', '-_.+=@#%']
const ALL = CLASSES.join('')
const LENGTH = 18

export function makePassword(): string {
  const picked = [...CLASSES, ...Array.from({ length: LENGTH - CLASSES.length }, () => ALL)].map(
    (set) => set[randomInt(set.length)]!,
  )
  for (let i = picked.length - 1; i > 0; i--) {
    const j = randomInt(i + 1)
    ;[picked[i], picked[j]] = [picked[j]!, picked[i]!]
  }
  return picked.join('')
}

/** A gallery image is a copy of a machine, so a new machine has the copied password until its own is set. */
export const hasImagePassword = ({ image_id }: { readonly image_id: string }): boolean =>
  /\/galleries\//i.test(image_id)
