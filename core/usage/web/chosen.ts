/** Value of the choice of all machines. It is no name of a machine. */
export const ALL_MACHINES = '*'

/** Adds the machine of the URL to the list, even if the training's list does not contain the machine (yet). */
export function chosenMachine(names: readonly string[], inAddress: string | undefined) {
  const chosen = inAddress ?? (names.length === 1 ? names[0]! : null)
  const listed = chosen === null || chosen === ALL_MACHINES || names.includes(chosen) ? names : [chosen, ...names]
  return { chosen, listed }
}
