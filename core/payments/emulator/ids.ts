import { randomInt } from 'node:crypto'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

export const newId = (kind: 'order' | 'pay' | 'rfnd' | 'evt' | 'setl' | 'adj'): string =>
  `${kind}_${randomCharacters(14)}`

export const randomCharacters = (length: number): string =>
  Array.from({ length }, () => letters[randomInt(letters.length)]).join('')
