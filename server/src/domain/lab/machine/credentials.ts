import { randomInt } from 'node:crypto'

/** Name of the learner's account on the machine. Not one of the names that Azure forbids. */
export const ADMIN_USERNAME = 'learner'

// Excludes characters that look alike, and those that shells or other keyboard layouts mishandle.
const CLASSES = ['abcdefghijkmnpqrstuvwxyz', 'ABCDEFGHJKLMNPQRSTUVWXYZ', '23456789', '-_.+=@#%']
const ALL = CLASSES.join('')
const LENGTH = 18

/** Returns a strong password with at least one character of every class, as Azure requires for Windows and Linux. */
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

/**
 * Returns true for a gallery image: a copy of a machine, so a machine created from it has the copied password until its
 * own is set.
 */
export const hasImagePassword = ({ image_id }: { readonly image_id: string }): boolean =>
  /\/galleries\//i.test(image_id)
