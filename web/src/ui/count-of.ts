/** Formats a count with its noun: 1 user, 2 users. */
export const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
