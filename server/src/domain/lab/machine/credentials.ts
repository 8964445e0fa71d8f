import { randomInt } from 'node:crypto'

/** The name of a learner's account on the machine: none of the names Azure forbids. */
export const ADMIN_USERNAME = 'learner'

// Without characters that are easily taken for one another, or that shells and consoles of other keyboards miss.
const CLASSES = ['abcdefghijkmnpqrstuvwxyz', 'ABCDEFGHJKLMNPQRSTUVWXYZ', '23456789', '-_.+=@#%']
const ALL = CLASSES.join('')
const LENGTH = 18

/** A strong password with a character of every class, as Azure asks for Windows and Linux alike. */
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

/** Images of a gallery are copies of machines: what is made of one has its password until it gets its own. */
export const bringsItsPassword = ({ image_id }: { readonly image_id: string }): boolean =>
  /\/galleries\//i.test(image_id)
