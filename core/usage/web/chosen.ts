/** Adds the machine of the URL to the list, even if the training's list does not contain the machine (yet). */
export function chosenMachine(names: readonly string[], inAddress: string | undefined) {
  const chosen = inAddress ?? (names.length === 1 ? names[0]! : null)
  const listed = chosen === null || names.includes(chosen) ? names : [chosen, ...names]
  return { chosen, listed }
}
